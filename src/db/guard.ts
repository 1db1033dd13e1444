// A row that all writers under a rule change first, so that the rule holds across rows, processes and cluster nodes.
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

/** The guard with this name, as a function of transactions. */
export const guardOf =
  (database: Parameters<typeof guard>[0], name: GuardName) =>
  (trx: Kysely<Tables>): Promise<void> =>
    guard(database, trx, name)

/** Writes a new value each time, because only real changes take part in a cluster's certification. */
async function touch(t: PhysicalNames, trx: Kysely<Tables>, name: string): Promise<boolean> {
  const result = await trx
    .updateTable(t.options)
    .set({ option_value: randomUUID() })
    .where('option_name', '=', name)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Seconds of one wait, which ends before a statement may take too long, and how many waits there are. */
const lockWait = 3
const lockWaits = 20

/**
 * Runs `work` while no other process does so with this name. Where all tables have transactions a guard is enough; others
 * have no locks that last longer than a statement, so that the server holds one by name until `work` ends.
 * @throws SvcError 503 after a minute
 */
export async function alone<T>(
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
  const isTaken = async () => {
    const { rows } = await sql<{ taken: unknown }>`select get_lock(${lock}, ${lockWait}) as taken`.execute(
      trx,
    )
    return Number(rows[0]?.taken) === 1
  }
  for (let wait = 1; !(await isTaken()); wait++) if (wait === lockWaits) throw unavailable('busy')
  try {
    return await work()
  } finally {
    await sql`select release_lock(${lock})`.execute(trx)
  }
}
