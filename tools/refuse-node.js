// Refuses a Node.js that cannot run this repository with one sentence. JavaScript, because such a version may not load TypeScript.
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [major, minor, patch] = process.versions.node.split('.').map(Number)
const fits = engines.node.split(' || ').some((range) => {
  const [a, b, c] = range.replace(/^\D+/, '').split('.').map(Number)
  return range.startsWith('>=') ? major >= a : major === a && (minor > b || (minor === b && patch >= c))
})
if (!fits) {
  console.error(`svc-api requires Node.js ${engines.node}, and this is ${process.versions.node}.`)
  process.exit(1)
}
