/**
 * Runs a suite of tests: `npm test [SUITE] [FILE …] [--snapshot]`. The files of a run share one private MariaDB server and one
 * of MySQL, or use the servers that SVC_TEST_MARIADB and SVC_TEST_MYSQL name. Without a suite, the first file decides by
 * the end of its name; `--snapshot` records the snapshots anew.
 */
import { constants } from 'node:os'
import { resolve } from 'node:path'
import { serverVersion } from './peers/database-server.ts'
import { startMariadb } from './peers/mariadb.ts'
import { startMysql } from './peers/mysql.ts'
import { startS3 } from './peers/s3-gateway.ts'
import {
  expectedDurations,
  progressOf,
  rememberDurations,
  rememberedDurations,
  testFiles,
  withSizes,
} from './progress.ts'
import { suiteOf, suites } from './suites.ts'
import { failuresOf, type HowToRun, runTests, type TestResult } from './test-processes.ts'

const root = resolve(import.meta.dirname, '../..')
const args = process.argv.slice(2).filter((arg) => arg !== '--snapshot')
const [first = 'default'] = args
const name = first in suites ? first : suiteOf(first)
const named = first in suites ? args.slice(1) : args
const suite = suites[name]
if (!suite)
  throw new Error(`"${first}" is neither a suite (${Object.keys(suites).join(', ')}) nor a test file.`)
const problem = suite.missing?.()
if (problem) {
  console.error(problem)
  process.exit(1)
}
const isTerminal = process.stdout.isTTY === true
/** More failed files than this are no accident of a busy machine. */
const mostRepeated = 5
if (isTerminal) console.log('# Starting the servers; what this machine lacks is installed first.')

// Packages are installed before the tests, so that no test has to wait for them.
const { SVC_TEST_MARIADB, SVC_TEST_MYSQL } = process.env
const needsServers = !suite.withoutDatabases
/** Tests that kill a server start their own. Each test makes its tables, which need no files of their own. */
const neverKilled = ['--innodb-flush-method=nosync', '--innodb-doublewrite=0', '--innodb-file-per-table=0']
const [mariadb, mysql, gateway] = await Promise.all([
  needsServers && !SVC_TEST_MARIADB
    ? startMariadb({ flags: [...neverKilled, '--debug-no-sync'] })
    : undefined,
  needsServers && !SVC_TEST_MYSQL ? startMysql({ flags: neverKilled }) : undefined,
  name === 's3' ? startS3() : undefined,
  suite.prepare?.(),
])
const urls = {
  SVC_TEST_MARIADB: mariadb?.url() ?? SVC_TEST_MARIADB,
  SVC_TEST_MYSQL: mysql?.url() ?? SVC_TEST_MYSQL,
}
const servers = needsServers
  ? [
      `MariaDB ${await serverVersion(urls.SVC_TEST_MARIADB ?? '')}`,
      `MySQL ${await serverVersion(urls.SVC_TEST_MYSQL ?? '')}`,
    ]
  : []
const { node, sqlite } = process.versions
const versions = `# ${[`Node.js ${node}`, `SQLite ${sqlite}`, ...servers].join(', ')}`
console.log(versions)

const expected = expectedDurations(
  withSizes(root, testFiles(root, named, suite.files)),
  rememberedDurations(),
)
// The longest first, so that none is left alone at the end.
const files = [...expected].sort(([, one], [, other]) => other - one).map(([path]) => path)
const progress = progressOf(expected, suite.jobs)
const begin = performance.now()
const clearLine = '\r\u001b[K'
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    stop.abort()
    process.exit(128 + constants.signals[signal])
  })
const totals = await report({
  root,
  jobs: suite.jobs,
  signal: stop.signal,
  // The soak tests print what they measured.
  ...(name === 'soak' && { onLine: (line: string) => /^ +# (?!Subtest)/.test(line) && show(line) }),
  timeout: suite.timeout,
  grace: 20,
  env: {
    // Half of what a file takes to start is compiling the same sources.
    NODE_COMPILE_CACHE: resolve(root, 'node_modules/.cache/svc-api'),
    ...process.env,
    ...urls,
    ...(process.argv.includes('--snapshot') && { TAP_SNAPSHOT: '1' }),
    ...(name === 'soak' && { SVC_SOAK: '1' }),
    ...(gateway && { SVC_TEST_S3: JSON.stringify(gateway) }),
  },
})
await Promise.all([mariadb?.stop(), mysql?.stop(), gateway?.stop()])

console.log(versions)
process.exitCode = totals.failed > 0 ? 1 : 0
console.log(`${totals.passed} passed, ${totals.failed} failed`)

/**
 * Runs the files, and prints one line for each, and all failures. A few files that fail in a whole run are run once more, one
 * at a time: what only a busy machine breaks is named, and does not hide what is broken.
 */
async function report(how: HowToRun): Promise<{ passed: number; failed: number }> {
  const results = new Map<string, TestResult>()
  const run = async (paths: readonly string[], jobs: number) => {
    for await (const result of runTests(paths, { ...how, jobs })) {
      results.set(result.path, result)
      showResult(result)
    }
  }
  showProgress()
  await run(files, how.jobs)
  const failed = files.filter((path) => results.get(path)?.problem !== undefined)
  if (named.length === 0 && name !== 'soak' && failed.length <= mostRepeated) {
    await run(failed, 1)
    const unsteady = failed.filter((path) => results.get(path)?.problem === undefined)
    for (const path of unsteady) show(`# unsteady: ${path} failed beside others and passed alone`)
  }
  if (isTerminal) process.stdout.write(clearLine)
  rememberDurations(Object.fromEntries([...results].map(([path, { seconds }]) => [path, seconds])))
  if (files.length === 0) show('No file has this name.')
  return {
    passed: sum([...results.values()].map(({ passed }) => passed)),
    failed: files.length === 0 ? 1 : sum([...results.values()].map(({ failed }) => failed)),
  }
}

function showResult({ path, seconds, lines, problem }: TestResult): void {
  for (const line of failuresOf(lines)) show(line)
  progress.done(path)
  const time = `# time=${seconds.toFixed(1)}s`
  show(problem ? `not ok - ${path} ${problem} ${time}` : `ok - ${path} ${time}`)
  showProgress()
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** The line of progress is the last one, and each other line takes its place. */
function show(line: string): void {
  console.log(isTerminal ? `${clearLine}${line}` : line)
}

function showProgress(): void {
  if (isTerminal) process.stdout.write(`${clearLine}${progress.text((performance.now() - begin) / 1000)}`)
}
