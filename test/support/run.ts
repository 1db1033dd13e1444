/**
 * What `npm test` runs: tap over all test files, with one private MariaDB server and one of MySQL for all of them, or the
 * servers that SVC_TEST_MARIADB and SVC_TEST_MYSQL name.
 * Arguments are passed on to tap. `--soak` runs the long tests instead, `--browser` those that drive a browser, one file at a
 * time. `--s3` runs those that need a real S3 server, with one for all of them; `--render` compares what the renderer draws
 * with a browser, and `--mcp` drives outside clients of the tools for agents, both without a database server. `--woocommerce`
 * runs those beside a real WooCommerce, whose code the environment names.
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
import { startS3 } from './s3-gateway.ts'
import { missingWoocommerce } from './woocommerce.ts'
import { wordpressCode } from './wordpress.ts'

const args = process.argv.slice(2)
const soak = args.includes('--soak')
const s3 = args.includes('--s3')
const render = args.includes('--render')
const browser = args.includes('--browser')
const mcp = args.includes('--mcp')
const woocommerce = args.includes('--woocommerce')
// A skipped test and a file without tests are failures. The time limits, in seconds per file, only end hangs.
const options = ['--reporter=tap', '--disable-coverage', '--fail-skip', '--fail-todo'].concat(
  soak
    ? ['--include=test/soak/**/*.soak.ts', '--jobs=1', '--timeout=7200']
    : browser
      ? ['--include=test/browser/**/*.browser.ts', '--jobs=1', '--timeout=600']
      : render
        ? ['--include=test/render/**/*.render.ts', '--jobs=1', '--timeout=900']
        : mcp
          ? ['--include=test/mcp/**/*.mcp.ts', '--jobs=1', '--timeout=600']
          : [`--jobs=${availableParallelism()}`, '--timeout=120'],
  s3 ? ['--include=test/s3/**/*.s3.ts'] : [],
  woocommerce ? ['--include=test/woocommerce/**/*.woocommerce.ts', '--jobs=1', '--timeout=900'] : [],
  args.filter((arg) => !['--soak', '--browser', '--s3', '--render', '--mcp', '--woocommerce'].includes(arg)),
)

const problem = woocommerce ? missingWoocommerce() : undefined
if (problem) {
  console.error(problem)
  process.exit(1)
}

// Packages are installed before the tests, so that no test has to wait for them.
const { SVC_TEST_MARIADB, SVC_TEST_MYSQL } = process.env
const needsServers = !render && !mcp
const [mariadb, mysql, gateway] = await Promise.all([
  needsServers && !SVC_TEST_MARIADB ? startMariadb() : undefined,
  needsServers && !SVC_TEST_MYSQL ? startMysql() : undefined,
  s3 ? startS3() : undefined,
  browser ? chromiumPath() : mcp ? mcpClients() : s3 || render ? undefined : wordpressCode(),
])
const urls = {
  SVC_TEST_MARIADB,
  SVC_TEST_MYSQL,
  ...(mariadb && { SVC_TEST_MARIADB: mariadb.url() }),
  ...(mysql && { SVC_TEST_MYSQL: mysql.url() }),
}
const versions = needsServers
  ? `MariaDB ${await serverVersion(urls.SVC_TEST_MARIADB ?? '')}, MySQL ${await serverVersion(urls.SVC_TEST_MYSQL ?? '')}`
  : undefined
if (versions) console.log(`# ${versions}`)
const tap = spawn(process.execPath, ['node_modules/.bin/tap', 'run', ...options], {
  cwd: resolve(import.meta.dirname, '../..'),
  env: {
    ...process.env,
    ...urls,
    ...(soak && { SVC_SOAK: '1' }),
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
  let failure = false
  for await (const line of createInterface(stream)) {
    const verdict = /^ *(not ok|ok) \d/.exec(line)?.[1]
    if (verdict) failure = verdict === 'not ok'
    // The soak tests print what they measured.
    const isFigure = soak && /^ +# (?!Subtest)/.test(line)
    if (failure || isFigure || /^(ok \d|Bail out!)/.test(line)) console.log(line)
    if (line.startsWith('not ok')) counts.failedFiles++
    // The explanation of a failure follows it and ends with three dots.
    if (line.trim() === '...') failure = false
    const totals = /^# \{ total: \d+, pass: (\d+)(?:, fail: (\d+))?/.exec(line)
    if (totals) Object.assign(counts, { passed: Number(totals[1]), failed: Number(totals[2] ?? 0) })
  }
  return counts
}
