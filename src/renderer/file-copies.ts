// Copies files of a design to the temporary folder of its task, within the limits of one task. font-sources.ts and picture-sources.ts
// use it in the host's process; print/download.ts spends from the same budget.
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SvcError } from '../core/errors.ts'
import { errorCode } from '../core/foreign.ts'
import { until } from '../core/step.ts'
import { storageFull } from '../core/unavailable.ts'
import type { LoadedFile } from './task.ts'

/** What the files of one design may still use; each fetched file reduces it. */
export interface FetchBudget {
  bytes: number
  /** Requests to other servers, redirects included. */
  requests: number
}

/** Where the files of a design go, and how long they may take. */
export interface Fetching {
  /** Folder of the task, which is removed after it. */
  folder: string
  budget: FetchBudget
  signal: AbortSignal
  /** Registers a function that removes a file outside of the folder; it is called after the task. */
  afterTask: (cleanup: () => Promise<void>) => void
}

/** The most bytes of one file. */
const maxFileBytes = 128 * 1024 * 1024
/** The most bytes of all files of a design. */
const maxTaskBytes = 384 * 1024 * 1024
/** The most different pictures of other servers in a design, and the most requests for them, redirects included. */
export const maxForeign = 100
/** Seconds for all pictures of a design. */
export const maxSeconds = 15

/** The budget of a task before anything is fetched. */
export const fetchBudget = (): FetchBudget => ({ bytes: maxTaskBytes, requests: maxForeign })

/** The cause for a file that was not fetched before the signal of `Fetching` aborted. */
export const tooSlow = `The pictures of the design took longer than ${maxSeconds} seconds to fetch.`

/**
 * Copies a file of a storage to the folder of the task.
 * @returns its path, or the cause if it could not be read, is too large, or the signal aborts
 * @throws SvcError if the disk is full
 */
export async function copied(
  open: () => Promise<Readable>,
  { folder, budget, signal }: Pick<Fetching, 'folder' | 'budget' | 'signal'>,
): Promise<LoadedFile> {
  const path = join(folder, `file-${randomUUID()}`)
  try {
    const source = await streamUnlessAborted(open(), signal)
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600 })
    await pipeline(source, limited(budget), target, { signal })
    return { path }
  } catch (error) {
    const full = storageFull(error)
    if (full) throw full
    return { cause: signal.aborted ? tooSlow : causeOf(error) }
  }
}

/** The stream that is being opened. If the signal aborts first, this rejects, and the stream is closed once it is open. */
export async function streamUnlessAborted<T extends Readable | undefined>(
  opening: Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  opening.then((stream) => signal.aborted && stream?.on('error', () => {}).destroy()).catch(() => {})
  return until(signal, opening)
}

/** Why a file of a storage could not be read, as a sentence. */
export function causeOf(error: unknown): string {
  if (error instanceof SvcError && error.code === 'svc_print_file_too_large') return error.message
  const isMissing = errorCode(error) === 'ENOENT'
  return isMissing ? 'The file is not in the storage.' : 'The file could not be read from the storage.'
}

/** Subtracts bytes from the budget. @throws SvcError if the files of the design are too large together */
export function spend(budget: FetchBudget, bytes: number): void {
  budget.bytes -= bytes
  if (budget.bytes < 0)
    throw tooLarge(`The files of the design are larger than ${maxTaskBytes / 2 ** 20} MB together.`)
}

const tooLarge = (message: string) => new SvcError('svc_print_file_too_large', { message })

/** A step of a pipeline that limits the bytes of the file, and of all files together. */
function limited(budget: FetchBudget) {
  return async function* (source: AsyncIterable<Buffer>) {
    let size = 0
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxFileBytes) throw tooLarge(`The file is larger than ${maxFileBytes / 2 ** 20} MB.`)
      spend(budget, chunk.length)
      yield chunk
    }
  }
}
