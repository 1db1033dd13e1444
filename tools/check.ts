/**
 * Checks the repository as CI does. `--static`: linter, unused code, spelling, build and types, all of them even if one fails.
 * Without it the suites of tests follow, and the last line adds up their totals: `N passed, N failed`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { suitesOfCheck } from '../test/support/suites.ts'

const staticChecks = [
  'biome check --error-on-warnings .',
  'knip --no-progress --config tools/knip.jsonc',
  'cspell lint --no-progress --quiet --config tools/cspell.json',
  'npm run --silent typecheck',
]
const onlyStatic = process.argv.includes('--static')
let passed = 0
let failed = 0

for (const command of staticChecks) {
  const { status } = await run(command)
  if (status !== 0) failed++
}
if (!onlyStatic) {
  for (const suite of suitesOfCheck) {
    const { status, lastLine } = await run(`npm test --silent ${suite}`)
    const [, passedTests = '0', failedTests = '0'] = /^(\d+) passed, (\d+) failed$/.exec(lastLine) ?? []
    passed += Number(passedTests)
    failed += Math.max(Number(failedTests), status === 0 ? 0 : 1)
  }
  console.log(`${passed} passed, ${failed} failed`)
}
process.exitCode = failed > 0 ? 1 : 0

/** Runs a shell command with its output shown, and returns its exit status and the last line that it printed. */
async function run(command: string): Promise<{ status: number | null; lastLine: string }> {
  console.log(`\n== ${command}`)
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] })
  let end = ''
  child.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk)
    end = (end + chunk.toString()).slice(-200)
  })
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, lastLine: end.trimEnd().split('\n').at(-1) ?? '' }
}
