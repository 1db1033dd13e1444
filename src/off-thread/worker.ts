// The worker thread: runs one call at a time.
import { parentPort } from 'node:worker_threads'
import { SvcError } from '../errors.ts'
import type { Outcome } from './off-thread.ts'

interface Task {
  module: string
  name: string
  args: unknown[]
}

parentPort?.on('message', async (task: Task) => {
  parentPort?.postMessage(await outcomeOf(task))
})

async function outcomeOf({ module, name, args }: Task): Promise<Outcome> {
  try {
    const functions: Record<string, (...args: unknown[]) => unknown> = await import(module)
    return { result: await functions[name]?.(...args.map(received)) }
  } catch (error) {
    if (error instanceof SvcError) {
      const { code, statusCode: status, message, data, errors } = error
      return { refused: { code, status, message, data, ...(errors && { errors }) } }
    }
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  } finally {
    args.forEach(release)
  }
}

/** Frees the bytes of JSON that were transferred to this thread, without waiting for GC. */
function release(arg: unknown): void {
  const json: unknown = Reflect.get(Object(arg), 'json')
  if (json instanceof Uint8Array && json.buffer instanceof ArrayBuffer) json.buffer.transfer(0)
}

/** Bytes in shared memory are a text. */
function received(arg: unknown): unknown {
  const isText = arg instanceof Uint8Array && arg.buffer instanceof SharedArrayBuffer
  return isText ? Buffer.from(arg.buffer, arg.byteOffset, arg.byteLength).toString() : arg
}
