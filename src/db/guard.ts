// Guards: an option row that all writers under a rule change first in their transaction, so that the rule holds across rows, processes
// and cluster nodes, as if one writer followed the other.
import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { unavailable } from '../core/unavailable.ts'
import type { Dialect } from './dialects.ts'
import type { PhysicalNames, Tables } from './tables.ts'

/**
 * What a guard protects: `catalog` = products, views, categories and their assignments; `settings` = tabs of settings
 * under If-Match; `orders` = designs of orders; `print_orders` = creating and ordering the print jobs of an order; `auto_prints` = which
 * items are printed automatically; `fonts` = the files of the fonts folder; the others a table each.
 */
export type GuardName =
  | 'catalog'
  | 'settings'
  | 'designs'
  | 'pricing_rules'
  | 'print_profiles'
  | 'user_interfaces'
  | 'orders'
  | 'print_orders'
  | 'auto_prints'
  | 'fonts'

/**
 * Changes the row of the guard. Call it first in a transaction: a second writer waits until the first one commits, or on a cluster
 * fails at COMMIT and is retried.
 */
export async function guard(
  { t, dialect, guards }: { t: PhysicalNames; dialect: Dialect; guards: Set<GuardName> },
  trx: Kysely<Tables>,
  name: GuardName,
): Promise<void> {
  const option_name = `svc_guard_${name}`
  // Only if the row is known to exist: an UPDATE that finds no row locks the gap, and two inserts into it would be a deadlock.
  if ((guards.has(name) || !dialect.locksRows) && (await touch(t, trx, option_name))) return
  const option_value = randomUUID()
  // A SELECT here would fix what this transaction sees (REPEATABLE READ) before it has waited for the other writers.
  const insert = trx.insertInto(t.options).values({ option_name, option_value, autoload: 'no' })
  await (dialect.locksRows ? insert.onDuplicateKeyUpdate({ option_value }) : insert).execute()
  guards.add(name)
}

/** `guard` with database and name, to be called with the transaction. */
export const guardOf =
  (database: Parameters<typeof guard>[0], name: GuardName) =>
  (trx: Kysely<Tables>): Promise<void> =>
    guard(database, trx, name)

/**
 * Changes the row, to a new value each time, because only real changes take part in the certification of a cluster.
 * @returns whether the row exists
 */
async function touch(t: PhysicalNames, trx: Kysely<Tables>, name: string): Promise<boolean> {
  const result = await trx
    .updateTable(t.options)
    .set({ option_value: randomUUID() })
    .where('option_name', '=', name)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

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
