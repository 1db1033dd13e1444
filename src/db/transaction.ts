// Transactions, which are retried if the engine reports that they had no effect.
import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery, type Kysely } from 'kysely'
import { type Change, changesOf, type NotedChange, noting } from '../core/change.ts'
import { assertInTime, ending, timeLeft } from '../core/deadline.ts'
import type { Written } from '../core/resource.ts'
import { outcomeUnknown, unavailable } from '../core/unavailable.ts'
import type { Dialect } from './dialects.ts'
import type { Tables } from './tables.ts'
import { lockSeconds, settled } from './timeouts.ts'

const maxAttempts = 5

export interface TransactionSettings {
  db: Kysely<Tables>
  dialect: Dialect
  /** False if a table has no transactions (MyISAM), because a retry could write twice. */
  mayRetry: boolean
  /** Undefined without an audit trail, webhooks and listeners. */
  changes?: ChangeReader | undefined
}

/** What reads the changes that transactions make. */
export interface ChangeReader {
  /** The inserts of its rows, for just before COMMIT. */
  inserts(changes: readonly Change[]): Iterable<CompiledQuery>
  /** Called after commit. */
  report(changes: readonly Change[]): void
}

/**
 * Checks whether a write took effect whose outcome is unknown, because the connection was lost at COMMIT; undefined if that cannot
 * be seen.
 */
export type Committed<T> = (result: T) => Promise<boolean | undefined>

/**
 * Whether a write took effect although its COMMIT failed with this error, because the connection was lost.
 * @param look reads the rows: true if they are as written, false if not, undefined if that would not show
 * @throws SvcError 503 `svc_unavailable` with `data.outcome` "unknown", if the rows do not show it
 */
function tookEffect(error: unknown, look: () => Promise<boolean | undefined>): Promise<boolean> {
  const isWritten = () => look().catch(() => undefined)
  // From here on a deadline that passes means that the outcome is unknown, not that nothing was written.
  return ending(async () => {
    if (await isWritten()) return true
    // The server may still run the COMMIT, for example while it waits for a replica. Ending its session decides the outcome.
    const hasEnded = await settled(error)
    const isWrittenNow = await isWritten()
    if (isWrittenNow || (hasEnded && isWrittenNow === false)) return isWrittenNow
    throw outcomeUnknown(error)
  })
}

/** Whether the resource that was written exists in its new state. A change that was not read back cannot be verified. */
export function isWritten<F extends { state: string }>(
  find: (id: number) => Promise<F | undefined>,
): Committed<Written<F> | undefined> {
  return async (written) => {
    if (!written || !(written.found || written.isNew)) return undefined
    const found = await find(written.id)
    return found !== undefined && (!written.found || found.state === written.found.state)
  }
}

/**
 * Runs `work` in a transaction. It may run several times and must only use `trx`: up to five times for
 * other writers.
 * @throws SvcError 503 if all attempts failed because of other writers
 */
export type Transaction = <T>(
  work: (trx: Kysely<Tables>) => Promise<T>,
  committed?: Committed<T>,
) => Promise<T>

export function transactionOn({ db, dialect, mayRetry, changes }: TransactionSettings): Transaction {
  async function once<T>(
    work: (trx: Kysely<Tables>) => Promise<T>,
    committed: Committed<T> | undefined,
  ): Promise<T> {
    /** Set once COMMIT is sent. */
    let atCommit: { result: T; changesMade: Change[] } | undefined
    const run = async (trx: Kysely<Tables>) => {
      assertInTime()
      const noted: NotedChange[] = []
      await trx.executeQuery(CompiledQuery.raw(dialect.begin))
      try {
        const result = await (changes ? noting(noted, () => work(trx)) : work(trx))
        const changesMade = changesOf(noted)
        if (changesMade.length > 0)
          for (const insert of changes?.inserts(changesMade) ?? []) await trx.executeQuery(insert)
        // After a 503 the client retries, which must not create a second resource.
        assertInTime()
        atCommit = { result, changesMade }
        await ending(() => trx.executeQuery(CompiledQuery.raw('commit')))
        return result
      } catch (error) {
        // The original error matters more than a failed rollback, which the server does when the connection closes.
        await trx.executeQuery(CompiledQuery.raw('rollback')).catch(() => {})
        throw error
      }
    }
    try {
      const result = await db.connection().execute(run)
      report(changes, atCommit?.changesMade)
      return result
    } catch (error) {
      if (!atCommit || !dialect.isOutcomeUnknown(error)) throw error
      const { result, changesMade } = atCommit
      if (!(await tookEffect(error, async () => committed?.(result)))) throw error
      report(changes, changesMade)
      return result
    }
  }

  return (work, committed) =>
    mayRetry ? retried(dialect, () => once(work, committed)) : once(work, committed)
}

function report(changes: ChangeReader | undefined, changesMade: readonly Change[] = []): void {
  if (changesMade.length > 0) changes?.report(changesMade)
}

/**
 * Retries `work`, up to five attempts, if the engine reports that it had no effect: because of a lock, or on a cluster
 * because of another node's write. Also for single statements outside of transactions.
 * @throws SvcError 503 if all attempts failed because of other writers
 */
export async function retried<T>(
  { isRetryable, isLockTimeout }: Pick<Dialect, 'isRetryable' | 'isLockTimeout'>,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isRetryable(error)) throw error
      // Another wait would be given up in its middle.
      if (isLockTimeout(error) && timeLeft(lockSeconds * 1000) < lockSeconds * 1000)
        throw unavailable('busy', error)
      const pause = timeLeft(Math.random() * 20 * 2 ** attempt)
      if (attempt === maxAttempts || pause === 0) throw unavailable('busy', error)
      await delay(pause)
    }
  }
}
