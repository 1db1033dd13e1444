// The one way to write over several rows: a transaction that is tried again where the engine says that nothing happened.
import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery, type Kysely } from 'kysely'
import { unavailable } from '../errors.ts'
import type { Dialect } from './dialects.ts'
import type { Tables } from './tables.ts'

const tries = 5

export interface TransactionSettings {
  db: Kysely<Tables>
  dialect: Dialect
  /** False where a table has no transactions (MyISAM): a second try could write twice. */
  mayRetry: boolean
}

export type Transaction = <T>(work: (trx: Kysely<Tables>) => Promise<T>) => Promise<T>

/**
 * Runs `work` on one connection between begin and commit. `work` may run up to five times and must use `trx` alone.
 * @throws SvcError 503 when every try lost against other writers
 */
export function transactions({ db, dialect, mayRetry }: TransactionSettings): Transaction {
  async function once<T>(work: (trx: Kysely<Tables>) => Promise<T>): Promise<T> {
    return db.connection().execute(async (trx) => {
      await trx.executeQuery(CompiledQuery.raw(dialect.begin))
      try {
        const result = await work(trx)
        await trx.executeQuery(CompiledQuery.raw('commit'))
        return result
      } catch (error) {
        // The reason of the failure matters more than a connection that cannot even roll back: the server does that then.
        await trx.executeQuery(CompiledQuery.raw('rollback')).catch(() => {})
        throw error
      }
    })
  }

  return async (work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(work)
      } catch (error) {
        if (!mayRetry || !dialect.isRetryable(error)) throw error
        if (attempt === tries) throw unavailable(error)
        await delay(Math.random() * 20 * 2 ** attempt)
      }
    }
  }
}
