// A write that is one UPDATE and nothing else, without the round trips of a transaction. Once it has failed, it does not take
// effect later, either, whatever lock it still waits for: the server itself ends it in time, or it is a transaction.
import type { CompiledQuery, Kysely } from 'kysely'
import { changesOf, type NotedChange } from '../change.ts'
import { timeLeft } from '../deadline.ts'
import type { Tables } from './tables.ts'
import { timeouts } from './timeouts.ts'
import { retried, type TransactionSettings, type Transactions } from './transaction.ts'

interface Settings extends Pick<TransactionSettings, 'db' | 'dialect' | 'changes'>, Transactions {
  /** Whether the server can be told how long a write may take. MySQL can be told for reads only. */
  endsWrites: boolean
}

/**
 * Only where no row about the change is stored.
 * @returns the number of matched rows, or of changed rows if the database reports only these
 */
export type SingleUpdate = (update: CompiledQuery, change: NotedChange) => Promise<bigint>

/** The server has ended the write, which had no effect; it does not know the words (after a failover to MySQL). */
const withoutEffect = [1969, 1064]

export function singleUpdates({ db, dialect, changes, transaction, endsWrites }: Settings): SingleUpdate {
  const run = async (executor: Kysely<Tables>, query: CompiledQuery) =>
    (await executor.executeQuery(query)).numAffectedRows ?? 0n

  /** Undefined without effect if the server cannot be told when to end it, or has ended it. */
  const timed = (update: CompiledQuery) =>
    db.connection().execute(async (connection) => {
      if (timeLeft(timeouts.query) < timeouts.write + timeouts.cushion) return undefined
      const sql = `set statement max_statement_time = ${timeouts.write / 1000} for ${update.sql}`
      try {
        return await run(connection, { ...update, sql })
      } catch (error) {
        if (withoutEffect.includes(Number(Reflect.get(Object(error), 'errno')))) return undefined
        throw error
      }
    })

  async function matchedRows(update: CompiledQuery): Promise<bigint> {
    // The embedded database does not start a statement whose caller has given up.
    if (!dialect.locksRows) return retried(dialect, () => run(db, update))
    const matched = endsWrites ? await retried(dialect, () => timed(update)) : undefined
    return matched ?? transaction((trx) => run(trx, update))
  }

  return async (update, change) => {
    const matched = await matchedRows(update)
    if (matched > 0n) changes?.report(changesOf([change]))
    return matched
  }
}
