/**
 * What `npm test` runs: tap over all test files, with one private MariaDB server and one of MySQL for all of them, or the
 * servers that SVC_TEST_MARIADB and SVC_TEST_MYSQL name. The first argument may name another suite; all others are passed on
 * to tap.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, constants } from 'node:os'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { chromiumPath } from './chromium.ts'
import { serverVersion } from './database-server.ts'
import { startMariadb } from './mariadb.ts'
import { mcpClients } from './mcp-clients.ts'
import { startMysql } from './mysql.ts'
import {
  expectedDurations,
  progressOf,
  rememberDurations,
  rememberedDurations,
  testFiles,
  withSizes,
} from './progress.ts'
import { startS3 } from './s3-gateway.ts'
import { missingWoocommerce } from './woocommerce.ts'
import { wordpressCode } from './wordpress.ts'

interface Suite {
  files: string
  /** Files at once. */
  jobs: number
  /** Seconds per file, which only end hangs. */
  timeout: number
  /** Installs what the tests need beside the database servers. */
  prepare?: () => Promise<unknown>
  withoutDatabases?: true
  /** How to get what cannot be installed; undefined if nothing is missing. */
  missing?: () => string | undefined
}

const cores = availableParallelism()
const suites: Record<string, Suite> = {
  // One file more than cores: each waits for its database now and then.
  '': { files: 'test/**/*.test.ts', jobs: cores + 1, timeout: 300, prepare: wordpressCode },
  // What is killed, hangs, or waits for locks and deadlines.
  '--faults': { files: 'test/**/*.faults.ts', jobs: cores, timeout: 300, prepare: wordpressCode },
  '--soak': { files: 'test/soak/**/*.soak.ts', jobs: 1, timeout: 7200, prepare: wordpressCode },
  '--browser': { files: 'test/browser/**/*.browser.ts', jobs: 1, timeout: 600, prepare: chromiumPath },
  // One real S3 server for all.
  '--s3': { files: 'test/s3/**/*.s3.ts', jobs: cores, timeout: 120 },
  // Compares what the renderer draws with a browser.
  '--render': { files: 'test/render/**/*.render.ts', jobs: 1, timeout: 900, withoutDatabases: true },
  // Drives outside clients of the tools for agents.
  '--mcp': {
    files: 'test/mcp/**/*.mcp.ts',
    jobs: 1,
    timeout: 600,
    prepare: mcpClients,
    withoutDatabases: true,
  },
  // Beside a real WooCommerce, whose code the environment names.
  '--woocommerce': {
    files: 'test/woocommerce/**/*.woocommerce.ts',
    jobs: 1,
    timeout: 900,
    prepare: wordpressCode,
    missing: missingWoocommerce,
  },
}

const root = resolve(import.meta.dirname, '../..')
const [first = '', ...others] = process.argv.slice(2)
const name = first in suites ? first : ''
const args = name === '' && first !== '' ? [first, ...others] : others
const suite = suites[name] as Suite
const problem = suite.missing?.()
if (problem) {
  console.error(problem)
  process.exit(1)
}
// A skipped test and a file without tests are failures.
const options = [
  ...['--reporter=tap', '--disable-coverage', '--fail-skip', '--fail-todo'],
  ...[`--include=${suite.files}`, `--jobs=${suite.jobs}`, `--timeout=${suite.timeout}`],
  ...args,
]
const isTerminal = process.stdout.isTTY === true
if (isTerminal) console.log('# Starting the servers; what this machine lacks is installed first.')

// Packages are installed before the tests, so that no test has to wait for them.
const { SVC_TEST_MARIADB, SVC_TEST_MYSQL } = process.env
const needsServers = !suite.withoutDatabases
const [mariadb, mysql, gateway] = await Promise.all([
  needsServers && !SVC_TEST_MARIADB ? startMariadb() : undefined,
  needsServers && !SVC_TEST_MYSQL ? startMysql() : undefined,
  name === '--s3' ? startS3() : undefined,
  suite.prepare?.(),
])
const urls = {
  SVC_TEST_MARIADB: mariadb?.url() ?? SVC_TEST_MARIADB,
  SVC_TEST_MYSQL: mysql?.url() ?? SVC_TEST_MYSQL,
}
const versions = needsServers
  ? `MariaDB ${await serverVersion(urls.SVC_TEST_MARIADB ?? '')}, MySQL ${await serverVersion(urls.SVC_TEST_MYSQL ?? '')}`
  : undefined
if (versions) console.log(`# ${versions}`)

const files = testFiles(
  root,
  args.filter((arg) => !arg.startsWith('-')),
  suite.files,
)
const progress = progressOf(expectedDurations(withSizes(root, files), rememberedDurations()), suite.jobs)
const begin = performance.now()
const clearLine = '\r\u001b[K'
const tap = spawn(process.execPath, ['node_modules/.bin/tap', 'run', ...options], {
  cwd: root,
  env: {
    // Half of what a file takes to start is compiling the same sources.
    NODE_COMPILE_CACHE: resolve(root, 'node_modules/.cache/svc-api'),
    ...process.env,
    ...urls,
    ...(name === '--soak' && { SVC_SOAK: '1' }),
    ...(gateway && { SVC_TEST_S3: JSON.stringify(gateway) }),
  },
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
})
// tap alone would wait for its tests to end; a signal to the process group stops them all.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => tap.pid && process.kill(-tap.pid, signal))
}
const [[status, signal], counts] = await Promise.all([
  once(tap, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  report(tap.stdout),
])
await Promise.all([mariadb?.stop(), mysql?.stop(), gateway?.stop()])

process.exitCode = status ?? 128 + constants.signals[signal ?? 'SIGKILL']
if (versions) console.log(`# ${versions}`)
// A file that crashed counts, even without a failed assertion.
const failed = Math.max(counts.failed, counts.failedFiles, Math.min(process.exitCode, 1))
console.log(`${counts.passed} passed, ${failed} failed`)

/** Prints one line per file, all failures and the figures of soak tests from a TAP stream, and reads its totals. */
async function report(stream: Readable): Promise<{ passed: number; failed: number; failedFiles: number }> {
  const counts = { passed: 0, failed: 0, failedFiles: 0 }
  const durations: Record<string, number> = {}
  let failure = false
  showProgress()
  for await (const line of createInterface(stream)) {
    const verdict = /^ *(not ok|ok) \d/.exec(line)?.[1]
    if (verdict) failure = verdict === 'not ok'
    // The soak tests print what they measured.
    const isFigure = name === '--soak' && /^ +# (?!Subtest)/.test(line)
    if (failure || isFigure || /^(ok \d|Bail out!)/.test(line)) show(line)
    const [, file, milliseconds] = /^(?:not )?ok \d+ - (\S+) # time=([\d.]+)ms/.exec(line) ?? []
    if (file && milliseconds) {
      durations[file] = Number(milliseconds) / 1000
      progress.done(file)
      showProgress()
    }
    if (line.startsWith('not ok')) counts.failedFiles++
    // The explanation of a failure follows it and ends with three dots.
    if (line.trim() === '...') failure = false
    const totals = /^# \{ total: \d+, pass: (\d+)(?:, fail: (\d+))?/.exec(line)
    if (totals) Object.assign(counts, { passed: Number(totals[1]), failed: Number(totals[2] ?? 0) })
  }
  if (isTerminal) process.stdout.write(clearLine)
  rememberDurations(durations)
  return counts
}

/** The line of progress is the last one, and each other line takes its place. */
function show(line: string): void {
  console.log(isTerminal ? `${clearLine}${line}` : line)
}

function showProgress(): void {
  if (isTerminal) process.stdout.write(`${clearLine}${progress.text((performance.now() - begin) / 1000)}`)
}
