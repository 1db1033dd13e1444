// Guards: an option row that all writers under a rule change first in their transaction, so that the rule holds across rows, processes
// and cluster nodes, as if one writer followed the other.
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Dialect } from './dialects.ts'
import type { PhysicalNames, Tables } from './tables.ts'

/** What may only be changed under the guard of this name. */
export type GuardName =
  /** Products, views, categories and their assignments. */
  | 'catalog'
  /** Settings, in writes under If-Match. */
  | 'settings'
  /** The table of design categories, whose rows form a tree. */
  | 'designs'
  /** The table of pricing rules. */
  | 'pricing_rules'
  /** The table of print profiles, one of which is the master. */
  | 'print_profiles'
  /** The table of layouts, one of which is the default. */
  | 'user_interfaces'
  /** Designs of orders; erasures of orders, too. */
  | 'orders'
  /**
   * Print jobs of orders: which job an export takes or creates, which job of an order is at the provider, and erasures of orders with
   * their jobs. Choosing the paths of deliveries uses it, too, although it excludes only itself.
   */
  | 'print_orders'
  /** Which items are printed automatically: the rows of each are added once. */
  | 'auto_prints'
  /** The files of the fonts folder. */
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

/** `guard` of one name: a function of the transaction. */
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
