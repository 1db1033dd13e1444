// The one way to write over several rows: a transaction that is tried again where the engine says that nothing happened.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery, type Kysely } from 'kysely'
import { assertInTime, timeLeft } from '../deadline.ts'
import { unavailable } from '../errors.ts'
import { callingAhead } from '../off-thread/ahead.ts'
import type { Unread } from '../read-back.ts'
import type { Dialect } from './dialects.ts'
import type { Tables } from './tables.ts'

const tries = 5

export interface TransactionSettings {
  db: Kysely<Tables>
  dialect: Dialect
  /** False where a table has no transactions (MyISAM): a second try could write twice. */
  mayRetry: boolean
}

/** A write whose outcome is unknown, because the connection was lost at COMMIT, is looked for by what it should have left. */
export type Committed<T> = (result: T) => Promise<boolean>

/**
 * Whether the resource that a write answered with is there, in the state that it was given. A change that was not read
 * back cannot be told from what was there before, and so counts as not done.
 */
export function isThere<F extends { resource: { id: number }; state: string }>(
  find: (id: number) => Promise<F | undefined>,
): Committed<F | Unread | undefined> {
  return async (written) => {
    if (!written || (written.state === undefined && !written.isNew)) return false
    const found = await find(written.resource.id)
    return found !== undefined && (written.state === undefined || found.state === written.state)
  }
}

export type Transaction = <T>(
  work: (trx: Kysely<Tables>) => Promise<T>,
  committed?: Committed<T>,
) => Promise<T>

/** What must be written in the same transaction as the request's own write; run once, just before COMMIT. */
export const beforeCommit = new AsyncLocalStorage<(trx: Kysely<Tables>, result: unknown) => Promise<void>>()

/**
 * Runs `work` on one connection between begin and commit. `work` may run several times and must use `trx` alone: five
 * times for other writers, and once more for each call of the other thread that it needs.
 * @throws SvcError 503 when every try lost against other writers
 */
export function transactions({ db, dialect, mayRetry }: TransactionSettings): Transaction {
  async function once<T>(
    work: (trx: Kysely<Tables>) => Promise<T>,
    committed: Committed<T> | undefined,
  ): Promise<T> {
    let atCommit: { result: T } | undefined
    try {
      return await db.connection().execute(async (trx) => {
        assertInTime()
        await trx.executeQuery(CompiledQuery.raw(dialect.begin))
        try {
          const result = await work(trx)
          await beforeCommit.getStore()?.(trx, result)
          // Who was answered with 503 and asks again must not find two of what he wanted.
          assertInTime()
          atCommit = { result }
          await trx.executeQuery(CompiledQuery.raw('commit'))
          return result
        } catch (error) {
          // The reason of the failure matters more than a connection that cannot even roll back: the server does that then.
          await trx.executeQuery(CompiledQuery.raw('rollback')).catch(() => {})
          throw error
        }
      })
    } catch (error) {
      if (
        atCommit &&
        dialect.isUnavailable(error) &&
        (await committed?.(atCommit.result).catch(() => false))
      ) {
        return atCommit.result
      }
      throw error
    }
  }

  return (work, committed) =>
    mayRetry ? callingAhead(() => retried(dialect, () => once(work, committed))) : once(work, committed)
}

/**
 * Runs `work` again, at most five times, where the engine says that nothing of it has happened: a lock, or on a cluster
 * another node's write. For single statements outside of transactions, too.
 * @throws SvcError 503 when every try lost against other writers
 */
export async function retried<T>(
  { isRetryable }: Pick<Dialect, 'isRetryable'>,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isRetryable(error)) throw error
      const pause = timeLeft(Math.random() * 20 * 2 ** attempt)
      if (attempt === tries || pause === 0) throw unavailable(error)
      await delay(pause)
    }
  }
}
