/**
 * Runs test files, each in a process of its own. Node runs them directly: the hooks that tap's own runner loads into each
 * process cost half a second of CPU time, and they serve coverage and mocks, which these tests do not use.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface TestResult {
  path: string
  passed: number
  failed: number
  seconds: number
  /** What the process printed. */
  lines: string[]
  /** Why the file failed beside its assertions. */
  problem?: string
}

export interface HowToRun {
  root: string
  env: NodeJS.ProcessEnv
  /** Files at once. */
  jobs: number
  /** Seconds per file; a test may ask for more. */
  timeout: number
  /** Seconds that a process gets after its time to say itself what hangs. */
  grace: number
  /** Ends the processes. */
  signal: AbortSignal
  /** Is told each line at once. */
  onLine?: (line: string) => void
}

const preload = import.meta.resolve('./without-domains.ts')

/** Runs the files in this order, and returns the results in the order in which they end. */
export async function* runTests(paths: readonly string[], how: HowToRun): AsyncGenerator<TestResult> {
  const waiting = [...paths]
  const running = new Map<string, Promise<TestResult>>()
  while (waiting.length > 0 || running.size > 0) {
    while (running.size < how.jobs && waiting.length > 0) {
      const path = waiting.shift() as string
      running.set(path, runTest(path, how))
    }
    const result = await Promise.race(running.values())
    running.delete(result.path)
    yield result
  }
}

async function runTest(
  path: string,
  { root, env, timeout, grace, signal: stop, onLine }: HowToRun,
): Promise<TestResult> {
  const begin = performance.now()
  const record = env.SVC_TEST_COVERAGE
  const coverage = record && { NODE_V8_COVERAGE: join(root, record, path) }
  const child = spawn(process.execPath, ['--import', preload, path], {
    cwd: root,
    signal: stop,
    // A skipped test is a failure.
    env: {
      ...env,
      ...coverage,
      TAP: '1',
      TAP_FAIL_SKIP: '1',
      TAP_FAIL_TODO: '1',
      TAP_TIMEOUT: String(timeout),
    },
    // Through the channel a test asks for more time.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let hangs = false
  const endAfter = (milliseconds: number) =>
    setTimeout(
      () => {
        hangs = true
        child.kill('SIGKILL')
      },
      milliseconds + grace * 1000,
    )
  let limit = endAfter(timeout * 1000)
  child.on('message', (message: { setTimeout?: number }) => {
    if (message.setTimeout === undefined) return
    clearTimeout(limit)
    limit = endAfter(message.setTimeout)
  })
  const lines: string[] = []
  createInterface(child.stdout as NodeJS.ReadableStream).on('line', (line) => {
    lines.push(line)
    onLine?.(line)
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  clearTimeout(limit)
  const ended = hangs ? `is killed since it hangs` : `ends with ${signal ?? code}`
  return {
    path,
    seconds: (performance.now() - begin) / 1000,
    lines,
    ...verdictOf(lines, code === 0 ? undefined : ended),
  }
}

/** Reads the totals that tap prints last. A file that crashed or has no tests counts, even without a failed assertion. */
export function verdictOf(
  lines: readonly string[],
  ended: string | undefined,
): Pick<TestResult, 'passed' | 'failed' | 'problem'> {
  const last = lines.findLast((line) => line.startsWith('# { total:')) ?? ''
  const [, total = 0, passed = 0, failed = 0] =
    /^# \{ total: (\d+)(?:, pass: (\d+))?(?:, fail: (\d+))?/.exec(last)?.map(Number) ?? []
  const problem = ended ?? (total === 0 ? 'has no tests' : undefined)
  const isBad = problem !== undefined || lines.some((line) => line.startsWith('not ok'))
  return {
    passed: passed || 0,
    failed: Math.max(failed || 0, isBad ? 1 : 0),
    ...(isBad && { problem: problem ?? 'fails' }),
  }
}

/** The lines that tell what failed: each verdict with the explanation that follows it, up to three dots. */
export function failuresOf(lines: readonly string[]): string[] {
  let failure = false
  return lines.filter((line) => {
    const verdict = /^ *(not ok|ok) \d/.exec(line)?.[1]
    if (verdict) failure = verdict === 'not ok'
    const isShown = failure || line.startsWith('Bail out!')
    if (line.trim() === '...') failure = false
    return isShown
  })
}
