// Whether a write reads back what it wrote: not where the client wants to know its key alone.
import { AsyncLocalStorage } from 'node:async_hooks'

/** What is known of a row after a write that was not read back. */
export interface Unread {
  resource: { id: number }
  state: undefined
  unreadable: never[]
  /** Whether the write made the row, so that its mere existence proves the write. */
  isNew: boolean
}

const requests = new AsyncLocalStorage<{ creates: boolean }>()

/**
 * Runs the work of a request that wants no more than the key of what it writes.
 * @param creates whether its writes make rows, or change them
 */
export const withoutReadBack = <T>(creates: boolean, work: () => T): T => requests.run({ creates }, work)

/** The written row as `find` reads it; no more than its id where the request wants no more. */
export async function readBack<F>(id: number, find: () => Promise<F>): Promise<F | Unread> {
  const request = requests.getStore()
  return request ? { resource: { id }, state: undefined, unreadable: [], isNew: request.creates } : find()
}

/** Whether what is written will be read back. */
export const isReadBack = (): boolean => requests.getStore() === undefined
