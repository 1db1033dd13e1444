// A lock by name that the server holds beyond a single statement (GET_LOCK), for tables without transactions.
import { type Kysely, sql } from 'kysely'
import { unavailable } from '../core/unavailable.ts'
import type { Dialect } from './dialects.ts'
import type { Tables } from './tables.ts'

/** Timeout of one GET_LOCK in seconds, below the time limit of a statement. */
const lockWait = 3
/** How often it is tried: a minute in total. */
const lockWaits = 20

/**
 * Runs `work` while no other process runs any under this name, in tables without transactions (MyISAM): they have no locks that
 * last longer than a statement, so the server locks the name until `work` ends. If all tables have transactions, the guards of
 * `work` suffice, and nothing is locked here.
 * @throws SvcError 503 after a minute
 */
export async function exclusively<T>(
  {
    prefix,
    dialect,
    tablesWithoutTransactions,
  }: { prefix: string; dialect: Dialect; tablesWithoutTransactions: readonly string[] },
  trx: Kysely<Tables>,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!dialect.locksRows || tablesWithoutTransactions.length === 0) return work()
  const lock = sql`concat('svc_', sha1(concat(database(), '/', ${prefix}, '/', ${name})))`
  const isAcquired = async () => {
    const query = sql<{ acquired: unknown }>`select get_lock(${lock}, ${lockWait}) as acquired`
    const { rows } = await query.execute(trx)
    return Number(rows[0]?.acquired) === 1
  }
  for (let wait = 1; !(await isAcquired()); wait++) if (wait === lockWaits) throw unavailable('busy')
  try {
    return await work()
  } finally {
    await sql`select release_lock(${lock})`.execute(trx)
  }
}
