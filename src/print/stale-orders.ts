// Flags rows of the order index as stale when their orders change, in the transaction of the change: the next list reads the orders
// again. An order without a row is added by the functions that fill and follow the index.
import { randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'

/** A random version for a row, so that a reader notices that the row changed while it read the order. */
export const newVersion = (): number => randomInt(2 ** 47)

/** Flags the orders. @param refs orders as in `order_ref` of the jobs, such as `wc:17`; other texts are ignored */
export async function flagOrders(
  { t }: Pick<Database, 't'>,
  trx: Kysely<Tables>,
  refs: readonly string[],
): Promise<void> {
  const orders = refs.flatMap((ref) => {
    const [, source, id] = /^([a-z]{1,16}):(\d{1,15})$/.exec(ref) ?? []
    return source === undefined ? [] : [{ source: source === 'sc' ? 'shortcode' : source, id: Number(id) }]
  })
  for (const [source, ordersOfSource] of Map.groupBy(orders, (order) => order.source)) {
    await trx
      .updateTable(t.order_index)
      .set({ is_stale: 1, version: newVersion() })
      .where('source', '=', source)
      .where('order_id', 'in', [...new Set(ordersOfSource.map(({ id }) => id))])
      .execute()
  }
}
