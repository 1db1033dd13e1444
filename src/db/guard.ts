// Guards: an option row that all writers under a rule change first in their transaction, so that the rule holds across rows, processes
// and cluster nodes, as if one writer followed the other.
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Dialect } from './dialects.ts'
import type { PhysicalNames, Tables } from './tables.ts'

/**
 * What a guard protects: `catalog` = products, views, categories and their assignments; `settings` = tabs of settings
 * under If-Match; `orders` = designs of orders; `print_orders` = creating and ordering the print jobs of an order, the paths of
 * deliveries, and erasures; `auto_prints` = which items are printed automatically; `fonts` = the files of the fonts folder; the others a table each.
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
