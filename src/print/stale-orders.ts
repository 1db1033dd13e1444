// Flags rows of the order index whose orders changed, in the transaction of the change: they are read again before the next list.
// Orders without a row are left to those who fill and follow the index.
import { randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'

/** A version that no row had before. */
export const newVersion = (): number => randomInt(2 ** 47)

/** @param refs orders as in `order_ref` of the jobs, such as `wc:17`; others are ignored */
export async function flagOrders(
  { t }: Pick<Database, 't'>,
  trx: Kysely<Tables>,
  refs: readonly string[],
): Promise<void> {
  const orders = refs.flatMap((ref) => {
    const [, source, id] = /^([a-z]{1,16}):(\d{1,15})$/.exec(ref) ?? []
    return source === undefined ? [] : [{ source: source === 'sc' ? 'shortcode' : source, id: Number(id) }]
  })
  for (const [source, found] of Map.groupBy(orders, (order) => order.source)) {
    await trx
      .updateTable(t.order_index)
      .set({ is_stale: 1, version: newVersion() })
      .where('source', '=', source)
      .where('order_id', 'in', [...new Set(found.map(({ id }) => id))])
      .execute()
  }
}
