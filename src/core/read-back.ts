// Whether a write reads back what it wrote, which is not needed if the client requested only its key.
import { requestScope, withScope } from './request-scope.ts'

/** The result of a write that was not read back. */
export interface Unread {
  resource: { id: number }
  state: undefined
  unreadable: never[]
  /** Whether the write created the row, so that its existence proves the write. */
  isNew: boolean
}

declare module './request-scope.ts' {
  interface RequestScope {
    /** Set if the response contains only the key of what is written. */
    unread?: { creates: boolean }
  }
}

/**
 * Runs the work of a request whose response contains only the key of what it writes.
 * @param creates whether its writes create rows or change them
 */
export const withoutReadBack = <T>(creates: boolean, work: () => T): T =>
  withScope({ unread: { creates } }, work)

/** The written row as `find` reads it, or only its id if the response needs no more. */
export async function readBack<F>(id: number, find: () => Promise<F>): Promise<F | Unread> {
  const { unread } = requestScope()
  return unread ? { resource: { id }, state: undefined, unreadable: [], isNew: unread.creates } : find()
}

/** Whether writes of this request are read back. */
export const isReadBack = (): boolean => requestScope().unread === undefined
