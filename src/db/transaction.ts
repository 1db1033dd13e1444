// Transactions, which are retried if the engine reports that they had no effect.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery, type Kysely } from 'kysely'
import { type Change, changesOf, type NotedChange, takeNotes } from '../change.ts'
import { assertInTime, timeLeft } from '../deadline.ts'
import { unavailable } from '../errors.ts'
import type { Unread } from '../read-back.ts'
import type { Dialect } from './dialects.ts'
import { directOf } from './direct.ts'
import type { Tables } from './tables.ts'
import { type Executor, together } from './together.ts'

const maxAttempts = 5
const commit = CompiledQuery.raw('commit')

export interface TransactionSettings {
  db: Kysely<Tables>
  dialect: Dialect
  /** False if a table has no transactions (MyISAM), because a retry could write twice. */
  mayRetry: boolean
  /** Undefined if nobody wants to know what changes. */
  changes?: ChangeReader | undefined
}

/** What reads the changes that transactions make. */
export interface ChangeReader {
  /** Whether it writes rows with each change, which must be in the same transaction. */
  isStored: boolean
  /** The inserts of its rows, for just before COMMIT. */
  inserts(changes: readonly Change[]): Iterable<CompiledQuery>
  /** Called after commit. */
  report(changes: readonly Change[]): void
}

/** Checks whether a write took effect whose outcome is unknown, because the connection was lost at COMMIT. */
export type Committed<T> = (result: T) => Promise<boolean>

/**
 * Whether the resource that a write returned exists in its new state. A change that was not read back cannot be verified,
 * and counts as not done.
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

type TransactionOn<E extends Executor> = <T>(
  work: (trx: E) => Promise<T>,
  committed?: Committed<T>,
) => Promise<T>

export type Transaction = TransactionOn<Kysely<Tables>>

export interface Transactions {
  transaction: Transaction
  /** For hot statements, which use `together` alone. It goes past Kysely where that is possible. */
  shortTransaction: TransactionOn<Executor>
}

/** Writes in the transaction of the request's own write; runs once, just before COMMIT. */
export const beforeCommit = new AsyncLocalStorage<(trx: Kysely<Tables>, result: unknown) => Promise<void>>()

/**
 * Runs `work` in a transaction. It may run several times and must only use `trx`: up to five times for
 * other writers.
 * @throws SvcError 503 if all attempts failed because of other writers
 */
export function transactions({ db, dialect, mayRetry, changes }: TransactionSettings): Transactions {
  async function once<T, E extends Executor>(
    session: Session<E>,
    work: (trx: E) => Promise<T>,
    committed: Committed<T> | undefined,
  ): Promise<T> {
    let atCommit: { result: T; made: Change[] } | undefined
    try {
      const result = await session(async (trx) => {
        assertInTime()
        const noted = changes && takeNotes(trx)
        await trx.executeQuery(CompiledQuery.raw(dialect.begin))
        try {
          const result = await work(trx)
          const made = noted ? changesOf(noted, result) : []
          const inserts = made.length > 0 ? (changes?.inserts(made) ?? []) : []
          const isOne = made.length === 1
          // Many take a moment, so they come before the last look at the time.
          if (!isOne) for (const insert of inserts) await trx.executeQuery(insert)
          // Where it is set, the session is one of Kysely.
          await beforeCommit.getStore()?.(trx as unknown as Kysely<Tables>, result)
          // After a 503 the client retries, which must not create a second resource.
          assertInTime()
          atCommit = { result, made }
          await together(trx, [...(isOne ? inserts : []), commit])
          return result
        } catch (error) {
          // The original error matters more than a failed rollback, which the server does when the connection closes.
          await trx.executeQuery(CompiledQuery.raw('rollback')).catch(() => {})
          throw error
        }
      })
      report(changes, atCommit?.made)
      return result
    } catch (error) {
      if (
        atCommit &&
        dialect.isUnavailable(error) &&
        (await committed?.(atCommit.result).catch(() => false))
      ) {
        report(changes, atCommit.made)
        return atCommit.result
      }
      throw error
    }
  }

  const transactionIn =
    <E extends Executor>(session: () => Session<E>): TransactionOn<E> =>
    (work, committed) =>
      mayRetry ? retried(dialect, () => once(session(), work, committed)) : once(session(), work, committed)

  const kysely: Session<Kysely<Tables>> = (work) => db.connection().execute(work)
  return {
    transaction: transactionIn(() => kysely),
    shortTransaction: transactionIn<Executor>(() => (beforeCommit.getStore() ? kysely : shortestSession(db))),
  }
}

/** Lends a connection. */
type Session<E extends Executor> = <T>(work: (trx: E) => Promise<T>) => Promise<T>

const shortestSession = (db: Kysely<Tables>): Session<Executor> =>
  directOf(db)?.session ?? ((work) => db.connection().execute(work))

/** A write of one statement. */
export interface Single<T> {
  statement: CompiledQuery
  /** Runs it outside of a transaction. @returns the number of matched rows, or of changed rows as in `Direct` */
  run(): Promise<bigint>
  /** What it changes if it matches a row; undefined if that is of no interest. */
  change: NotedChange | undefined
  /** What the write returns, read after it. */
  result(matched: boolean): Promise<T>
}

/** Runs a write of one statement, with the rows of its change in the same transaction if they are stored. */
export type SingleWrite = <T>(write: Single<T>) => Promise<T>

export function singleWrites({ db, dialect, mayRetry, changes }: TransactionSettings): SingleWrite {
  function stored(statement: CompiledQuery, made: readonly Change[]): Promise<bigint> {
    const inserts = [...(changes?.inserts(made) ?? [])].map((insert) => ({
      ...insert,
      ifMatched: true as const,
    }))
    const session = shortestSession(db)
    const once = () => {
      assertInTime()
      return session(async (trx) => {
        await trx.executeQuery(CompiledQuery.raw(dialect.begin))
        try {
          return (await together(trx, [statement, ...inserts, commit])).numAffectedRows ?? 0n
        } catch (error) {
          await trx.executeQuery(CompiledQuery.raw('rollback')).catch(() => {})
          throw error
        }
      })
    }
    return mayRetry ? retried(dialect, once) : once()
  }

  return async ({ statement, run, change, result }) => {
    const made = changes && change ? changesOf([change]) : []
    const isStored = changes?.isStored && made.length > 0
    const matched = (await (isStored ? stored(statement, made) : run())) > 0n
    if (matched) report(changes, made)
    return result(matched)
  }
}

function report(changes: ChangeReader | undefined, made: readonly Change[] = []): void {
  if (made.length > 0) changes?.report(made)
}

/**
 * Retries `work`, up to five attempts, if the engine reports that it had no effect: because of a lock, or on a cluster
 * because of another node's write. Also for single statements outside of transactions.
 * @throws SvcError 503 if all attempts failed because of other writers
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
      if (attempt === maxAttempts || pause === 0) throw unavailable(error)
      await delay(pause)
    }
  }
}
