// A worker thread for checks whose cost a hostile file could drive up: one at a time, with a hard stop for time and memory.
import { Worker } from 'node:worker_threads'
import { FileCheckFailed, FileRejected, type RejectionCode } from './rejected.ts'
import { semaphore } from './semaphore.ts'

export interface ThreadOptions {
  /** After this many milliseconds the thread is stopped and the file refused. */
  deadline?: number
  /** Upper bound of the thread's heap in megabytes; a file that needs more is refused. */
  heap?: number
}

export interface Thread {
  /** Runs a check on the bytes that `read` gives once it is this file's turn. */
  run<Result>(check: string, read: () => Promise<Uint8Array>): Promise<Result>
  /** Ends the thread; a check under way fails. */
  close(): Promise<void>
}

/** What a worker answers to `{ check, bytes }`. */
export type Answer =
  | { result: unknown }
  | { rejected: { message: string; code: RejectionCode } }
  | { failed: string }

/** The thread starts at the first check and again after it died; while idle it does not keep the process alive. */
export function thread(file: URL, { deadline = 15_000, heap = 384 }: ThreadOptions = {}): Thread {
  const turn = semaphore(1)
  let worker: Worker | undefined

  const start = () => {
    const started = new Worker(file, {
      resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
      // Neither the host's secrets nor its loaders and inspectors belong into the thread.
      env: {},
      execArgv: [],
    })
    // A fault is followed by the end; what comes in between needs a new thread already.
    const forget = () => {
      if (worker === started) worker = undefined
    }
    started.on('error', forget).on('exit', forget)
    return started
  }

  const ask = (check: string, bytes: Uint8Array) =>
    new Promise<Answer>((resolve, reject) => {
      worker ??= start()
      const current = worker
      const timer = setTimeout(() => {
        worker = undefined
        void current.terminate()
        finish(() => reject(new FileRejected('The file takes too long to check.')))
      }, deadline)
      const onMessage = (answer: Answer) => finish(() => resolve(answer))
      const onError = (error: Error) => finish(() => reject(asFailure(error)))
      const onExit = () => finish(() => reject(new FileCheckFailed('The check of the file was interrupted.')))
      const finish = (settle: () => void) => {
        clearTimeout(timer)
        current.off('message', onMessage).off('error', onError).off('exit', onExit)
        current.unref()
        settle()
      }
      current.on('message', onMessage).on('error', onError).on('exit', onExit)
      current.ref()
      current.postMessage({ check, bytes })
    })

  return {
    async run<Result>(check: string, read: () => Promise<Uint8Array>) {
      const answer = await turn(async () => ask(check, await read()))
      if ('rejected' in answer) throw new FileRejected(answer.rejected.message, answer.rejected.code)
      if ('failed' in answer) throw new FileCheckFailed(answer.failed)
      // The worker's file and its caller agree on what each check returns.
      return answer.result as Result
    },
    async close() {
      await worker?.terminate()
    },
  }
}

/** Running out of memory is the file's fault and would happen again; any other end of the thread is not. */
function asFailure(error: Error & { code?: string }): Error {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new FileRejected('The file takes too much memory to check.')
    : new FileCheckFailed('The check of the file was interrupted.', { cause: error })
}
