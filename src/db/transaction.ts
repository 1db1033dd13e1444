// Transactions. They are repeated if the engine reports that they had no effect, and verified if the connection is lost at COMMIT.
import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery, type Kysely } from 'kysely'
import { type Change, changesOf, type WithNotedChanges } from '../core/change.ts'
import { assertInTime, timeLeft, withOpenOutcome } from '../core/deadline.ts'
import type { Written } from '../core/resource.ts'
import { outcomeUnknown, unavailable } from '../core/unavailable.ts'
import type { Dialect } from './dialects.ts'
import { endSession } from './session-end.ts'
import type { Tables } from './tables.ts'
import { lockSeconds } from './timeouts.ts'

const maxAttempts = 5

/** What `transactionOn` needs to know of a database. */
export interface TransactionSettings {
  db: Kysely<Tables>
  dialect: Dialect
  /** False if a table has no transactions (MyISAM), because a repeated write could be stored twice. */
  mayRetry: boolean
  /** Undefined without an audit trail, webhooks and listeners. */
  changes?: ChangeReader | undefined
}

/** The audit trail, the outbox of webhooks, and listeners: they receive the changes that transactions make. */
export interface ChangeReader {
  /** The statements that store the changes. They run within the transaction, just before COMMIT. */
  inserts(changes: readonly Change[]): Iterable<CompiledQuery>
  /** Called after COMMIT. */
  report(changes: readonly Change[]): void
}

/**
 * Reads the rows of a write again, after the connection was lost at COMMIT: true if they match `result`, false if not,
 * undefined if the rows cannot show it.
 */
export type Verify<T> = (result: T) => Promise<boolean | undefined>

/**
 * Whether a write took effect although its COMMIT failed with this error, because the connection was lost.
 * @param verify as `Verify`; if it fails, the rows show nothing
 * @throws SvcError 503 `svc_unavailable` with `data.outcome` "unknown", if the rows do not show it
 */
function tookEffect(error: unknown, verify: () => Promise<boolean | undefined>): Promise<boolean> {
  const isInRows = () => verify().catch(() => undefined)
  // From here on a deadline that passes means that the outcome is unknown, not that nothing was written.
  return withOpenOutcome(async () => {
    if (await isInRows()) return true
    // The server may still run the COMMIT, for example while it waits for a replica. Ending its session decides the outcome.
    const hasEnded = await endSession(error)
    const isInRowsNow = await isInRows()
    if (isInRowsNow || (hasEnded && isInRowsNow === false)) return isInRowsNow
    throw outcomeUnknown(error)
  })
}

/** Verifies that the written resource exists in its new state. A change that was not read back cannot be verified. */
export function verifyByState<F extends { state: string }>(
  find: (id: number) => Promise<F | undefined>,
): Verify<Written<F> | undefined> {
  return async (written) => {
    if (!written || !(written.found || written.isNew)) return undefined
    const stored = await find(written.id)
    return stored !== undefined && (!written.found || stored.state === written.found.state)
  }
}

/** A running transaction, with the changes that `noteChange` adds to. */
export type WriteTransaction = Kysely<Tables> & WithNotedChanges

/**
 * Runs `work` in a transaction. `work` must only use `trx`, and may run up to five times, if other writers are in the way.
 * @param verify finds out whether the write took effect if the connection is lost at COMMIT; without it the outcome is unknown then
 * @throws SvcError 503 if all attempts failed because of other writers
 */
export type Transaction = <T>(work: Work<T>, verify?: Verify<T>) => Promise<T>

/** The statements of a transaction, between BEGIN and COMMIT. */
type Work<T> = (trx: WriteTransaction) => Promise<T>

/** What a transaction has done so far; `atCommit` is set when COMMIT is sent. */
interface Progress<T> {
  atCommit?: { result: T; changesMade: Change[] }
}

/** The function that runs transactions on this database. */
export function transactionOn({ db, dialect, mayRetry, changes }: TransactionSettings): Transaction {
  /** BEGIN, the work, what the audit trail stores about it, and COMMIT. */
  async function runAndCommit<T>(
    connection: Kysely<Tables>,
    work: Work<T>,
    progress: Progress<T>,
  ): Promise<void> {
    assertInTime()
    // The Kysely instance was made for this transaction alone.
    const trx: WriteTransaction = Object.assign(connection, { noted: changes && [] })
    await trx.executeQuery(CompiledQuery.raw(dialect.begin))
    try {
      const result = await work(trx)
      const changesMade = changesOf(trx.noted ?? [])
      if (changesMade.length > 0)
        for (const insert of changes?.inserts(changesMade) ?? []) await trx.executeQuery(insert)
      // After a 503 the client retries, which must not create a second resource.
      assertInTime()
      progress.atCommit = { result, changesMade }
      await withOpenOutcome(() => trx.executeQuery(CompiledQuery.raw('commit')))
    } catch (error) {
      // The original error matters more than a failed rollback, which the server does when the connection closes.
      await trx.executeQuery(CompiledQuery.raw('rollback')).catch(() => {})
      throw error
    }
  }

  async function attempt<T>(work: Work<T>, verify?: Verify<T>): Promise<T> {
    const progress: Progress<T> = {}
    try {
      await db.connection().execute((connection) => runAndCommit(connection, work, progress))
    } catch (error) {
      const { atCommit } = progress
      if (!atCommit || !dialect.isOutcomeUnknown(error)) throw error
      if (!(await tookEffect(error, async () => verify?.(atCommit.result)))) throw error
    }
    if (!progress.atCommit) throw new Error('A transaction ended without COMMIT.')
    const { result, changesMade } = progress.atCommit
    if (changesMade.length > 0) changes?.report(changesMade)
    return result
  }

  return (work, verify) => (mayRetry ? retried(dialect, () => attempt(work, verify)) : attempt(work, verify))
}

/**
 * Runs `work` up to five times while the engine reports that it had no effect: because of a lock, or on a cluster because of the
 * write of another node. Also for single statements outside of transactions.
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
      // The deadline would pass during another wait for the lock.
      if (isLockTimeout(error) && timeLeft(lockSeconds * 1000) < lockSeconds * 1000)
        throw unavailable('busy', error)
      const pause = timeLeft(Math.random() * 20 * 2 ** attempt)
      if (attempt === maxAttempts || pause === 0) throw unavailable('busy', error)
      await delay(pause)
    }
  }
}
