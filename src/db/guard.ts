// A row that all writers under a rule change first, so that the rule holds across rows, processes and cluster nodes.
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Dialect } from './dialects.ts'
import type { PhysicalNames, Tables } from './tables.ts'

/**
 * What a guard protects: `catalog` = products, views, categories and their assignments; `settings` = tabs of settings
 * under If-Match; `orders` = designs of orders; `print_orders` = creating and ordering the print jobs of an order; `fonts` = the
 * files of the fonts folder; the others a table each.
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
  | 'fonts'

/**
 * Call it first in a transaction. A second writer waits, or on a cluster fails at COMMIT and is retried.
 */
export async function guard(
  { t, dialect, guards }: { t: PhysicalNames; dialect: Dialect; guards: Set<GuardName> },
  trx: Kysely<Tables>,
  name: GuardName,
): Promise<void> {
  const option_name = `svc_guard_${name}`
  // An update without a row locks the gap for all who find none, and their inserts would be deadlocks.
  if ((guards.has(name) || !dialect.locksRows) && (await touch(t, trx, option_name))) return
  const option_value = randomUUID()
  // Without a look at other rows: it would fix what this transaction sees before it has waited for others.
  const insert = trx.insertInto(t.options).values({ option_name, option_value, autoload: 'no' })
  await (dialect.locksRows ? insert.onDuplicateKeyUpdate({ option_value }) : insert).execute()
  guards.add(name)
}

/** Writes a new value each time, because only real changes take part in a cluster's certification. */
async function touch(t: PhysicalNames, trx: Kysely<Tables>, name: string): Promise<boolean> {
  const result = await trx
    .updateTable(t.options)
    .set({ option_value: randomUUID() })
    .where('option_name', '=', name)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
