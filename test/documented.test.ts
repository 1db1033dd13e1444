// The documents are held to the code: error codes, the version, the tests that they name.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import t from 'tap'
import { errorTable } from '../plugins/index.ts'
import { hostRefusalCode, jobErrors } from '../src/core/errors.ts'
import { version } from '../src/core/version.ts'

const read = (name: string) => readFileSync(resolve(import.meta.dirname, '..', name), 'utf8')

t.test('every code that the sources throw or store is one of the table', async (t) => {
  const root = resolve(import.meta.dirname, '..')
  const known = new Set([...Object.keys(errorTable), ...Object.keys(jobErrors), hostRefusalCode])
  for (const file of globSync('{src,plugins}/**/*.ts', { cwd: root })) {
    const source = readFileSync(resolve(root, file), 'utf8')
    for (const [, code = ''] of source.matchAll(/(?:SvcError\(|fail\(|\bcode: )'((?:svc|rest)_\w+)'/g))
      t.ok(known.has(code), `${file}: ${code}`)
  }
})

t.test('the version that /system reports is that of the package, and the change log has it', async (t) => {
  t.equal(version, JSON.parse(read('package.json')).version)
  t.match(read('CHANGELOG.md'), new RegExp(`^## .*${version.replaceAll('.', '\\.')}`, 'm'))
})

t.test('every file that decisions and architecture name is there', async (t) => {
  const root = resolve(import.meta.dirname, '..')
  const pages = globSync('{{src,test}/README.md,docs/{decisions,architecture}/*.md}', { cwd: root })
  const named = new Set(
    pages.flatMap((page) => read(page).match(/\b(?:test|src|plugins|tools)\/[\w/.-]+\.ts\b/g) ?? []),
  )
  t.ok(named.size > 0)
  for (const file of named) t.ok(existsSync(resolve(root, file)), file)
})

t.test(
  'every decision has its context, consequences and alternatives, and stands in the index',
  async (t) => {
    const root = resolve(import.meta.dirname, '..')
    const records = globSync('docs/decisions/[0-9]*.md', { cwd: root }).sort()
    t.ok(records.length >= 25)
    const index = read('docs/decisions/README.md')
    for (const [at, name] of records.entries()) {
      const text = read(name)
      const file = name.slice('docs/decisions/'.length)
      t.equal(file.slice(0, 4), String(at + 1).padStart(4, '0'), 'numbers have no gap')
      t.strictSame(
        [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading),
        ['Context', 'Decision', 'Consequences', 'Alternatives'],
        file,
      )
      t.ok(text.split('\n').length <= 60, `${file} is short`)
      const title = /^# \d+\. (.*)$/m.exec(text)?.[1]
      t.ok(index.includes(`${at + 1}. [${title}](${file})`), `the index has ${file}`)
    }
  },
)

t.test('no document holds markers of an unresolved merge', async (t) => {
  const root = resolve(import.meta.dirname, '..')
  const documents = globSync('{*.md,llms.txt,{src,plugins,examples,docs}/**/*.md}', { cwd: root })
  t.ok(documents.length > 3)
  for (const name of documents) t.notMatch(read(name), /^(<{7}|={7}|>{7})( |$)/m, name)
})
