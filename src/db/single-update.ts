// A write that is one UPDATE and nothing else, without the round trips of a transaction. Once it has failed, it does not take
// effect later, either, whatever lock it still waits for: the server itself ends it in time, or it is a transaction.
import { CompiledQuery, type Kysely } from 'kysely'
import { changesOf, type NotedChange } from '../core/change.ts'
import { ending, timeLeft } from '../core/deadline.ts'
import { errnoOf } from './mysql-errors.ts'
import { carriesLong } from './mysql-statement.ts'
import type { Tables } from './tables.ts'
import { timeouts } from './timeouts.ts'
import { isSaved, retried, type Transaction, type TransactionSettings } from './transaction.ts'

interface Settings extends Pick<TransactionSettings, 'db' | 'dialect' | 'changes'> {
  transaction: Transaction
  /** Whether the server can be told how long a write may take. MySQL can be told for reads only. */
  endsWrites: boolean
}

/**
 * Only where no row about the change is stored.
 * @param isSeen whether the row has the new values; for an UPDATE whose response was lost
 * @returns the number of matched rows, or of changed rows if the database reports only these
 */
export type SingleUpdate = (
  update: CompiledQuery,
  change: NotedChange,
  isSeen: () => Promise<boolean>,
) => Promise<bigint>

/** A server does not know the words, after a failover from MariaDB to MySQL. */
const notUnderstood = 1064

export function singleUpdates({ db, dialect, changes, transaction, endsWrites }: Settings): SingleUpdate {
  const run = async (executor: Kysely<Tables>, query: CompiledQuery) =>
    (await executor.executeQuery(query)).numAffectedRows ?? 0n

  /** Undefined without effect if the server cannot be told when to end it. */
  async function timed(update: CompiledQuery, isSeen: () => Promise<boolean>): Promise<bigint | undefined> {
    // They are bound to a prepared statement, and the server may wait for a lock without limit while it prepares one.
    if (carriesLong(update.parameters)) return undefined
    let isSent = false
    try {
      return await db.connection().execute(async (connection) => {
        if (timeLeft(timeouts.query) < timeouts.write + timeouts.cushion) return undefined
        isSent = true
        const sql = `set statement max_statement_time = ${timeouts.write / 1000} for ${update.sql}`
        return await ending(() => run(connection, CompiledQuery.raw(sql, [...update.parameters])))
      })
    } catch (error) {
      if (errnoOf(error) === notUnderstood) return undefined
      if (isSent && dialect.isOutcomeUnknown(error) && (await isSaved(error, isSeen))) return 1n
      throw error
    }
  }

  async function matchedRows(update: CompiledQuery, isSeen: () => Promise<boolean>): Promise<bigint> {
    // The embedded database does not start a statement whose caller has given up.
    if (!dialect.locksRows) return retried(dialect, () => run(db, update))
    const matched = endsWrites ? await retried(dialect, () => timed(update, isSeen)) : undefined
    return matched ?? transaction((trx) => run(trx, update), isSeen)
  }

  return async (update, change, isSeen) => {
    const matched = await matchedRows(update, isSeen)
    if (matched > 0n) changes?.report(changesOf([change]))
    return matched
  }
}
