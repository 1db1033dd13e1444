// Runs in the worker thread: checks one file at a time and reports the result.
import { getHeapStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { FileRejected } from './rejected.ts'
import type { Outcome, Report } from './thread.ts'

type Check = (bytes: Uint8Array) => unknown

// Each module is loaded at its first use: checking a font does not load a DOM.
const checks: Readonly<Record<string, () => Promise<Check>>> = {
  svg: async () => (await import('./svg/sanitize.ts')).sanitizeSvg,
  pdf: async () => {
    const { assertPassivePdf } = await import('./pdf/check.ts')
    return (bytes) => {
      assertPassivePdf(bytes)
      return bytes
    }
  },
  font: async () => {
    const { checkTrueType } = await import('./font/check.ts')
    return (bytes) => checkTrueType(bytes) ?? bytes
  },
  png: async () => (await import('./picture/prepare.ts')).preparePng,
  jpeg: async () => (await import('./picture/prepare.ts')).prepareJpeg,
}

parentPort?.on('message', async ({ check, bytes }: { check: string; bytes: Uint8Array }) => {
  const outcome = await outcomeOf(check, bytes)
  const report: Report = { ...outcome, heap: getHeapStatistics().total_heap_size }
  parentPort?.postMessage(report, 'result' in outcome ? transferable(outcome.result) : [])
})

async function outcomeOf(check: string, bytes: Uint8Array): Promise<Outcome> {
  let run: Check | undefined
  try {
    run = await checks[check]?.()
  } catch (error) {
    return { failed: describeError(error) }
  }
  parentPort?.postMessage({ begun: true } satisfies Report)
  try {
    return { result: await run?.(bytes) }
  } catch (error) {
    if (error instanceof FileRejected) return { rejected: { message: error.message, code: error.code } }
    return { broken: describeError(error) }
  }
}

/** The buffers to transfer: bytes that own their memory, as the result itself or in its property `bytes`. */
function transferable(result: unknown): ArrayBuffer[] {
  const bytes = result instanceof Uint8Array ? result : Object(result).bytes
  const isOwn = bytes instanceof Uint8Array && bytes.buffer.byteLength === bytes.byteLength
  return isOwn && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []
}

/** The stack trace, with the message only if it cannot quote the file. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { name, message, stack = '' } = error
  const isSafeToLog = [RangeError, TypeError, URIError].some((kind) => error instanceof kind)
  const lines = stack.split('\n').filter((line) => /^ +at /.test(line))
  return [isSafeToLog ? `${name}: ${message}` : name, ...lines].join('\n')
}
