// Runs in the thread: takes one file after the other and answers with the result of its check.
import { parentPort } from 'node:worker_threads'
import { FileRejected } from './rejected.ts'
import type { Answer } from './thread.ts'

// Each is loaded at its first use: a font is checked without loading a DOM.
const CHECKS: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  svg: async (bytes) => (await import('./svg/sanitize.ts')).sanitizeSvg(bytes),
  pdf: async (bytes) => (await import('./pdf/check.ts')).assertPassivePdf(bytes),
  font: async (bytes) => (await import('./font/check.ts')).checkTrueType(bytes),
}

parentPort?.on('message', async ({ check, bytes }: { check: string; bytes: Uint8Array }) => {
  parentPort?.postMessage(await answer(check, bytes))
})

async function answer(check: string, bytes: Uint8Array): Promise<Answer> {
  try {
    return { result: await CHECKS[check]?.(bytes) }
  } catch (error) {
    if (error instanceof FileRejected) return { rejected: { message: error.message, code: error.code } }
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
