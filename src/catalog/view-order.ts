// The order of a product's views: after every write of ours it has neither gaps nor duplicates.
import { type Kysely, sql } from 'kysely'
import { invalidParams } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import type { Row, Tables } from '../db/tables.ts'

/** A view with its stored order; other writers may leave gaps or use one number twice. */
type Position = Pick<Row<'views'>, 'ID' | 'view_order'>

export function viewOrder({ db, t }: Pick<Database, 'db' | 't'>) {
  /** The product's views in their order, ties by id. */
  async function positions(productId: number, executor: Kysely<Tables> = db): Promise<Position[]> {
    return executor
      .selectFrom(t.views)
      .select(['ID', 'view_order'])
      .where('product_id', '=', productId)
      .orderBy('view_order')
      .orderBy('ID')
      .execute()
  }

  /** Numbers the views from 0, in one statement that touches only those that move. */
  async function arrange(trx: Kysely<Tables>, views: Position[]): Promise<void> {
    const moved = views.map((row, order) => ({ ...row, order })).filter((row) => row.view_order !== row.order)
    if (moved.length === 0) return
    await trx
      .updateTable(t.views)
      .set((eb) => {
        const [first, ...others] = moved as [(typeof moved)[0], ...typeof moved]
        let cases = eb.case().when('ID', '=', first.ID).then(first.order)
        for (const row of others) cases = cases.when('ID', '=', row.ID).then(row.order)
        return { view_order: cases.else(eb.ref('view_order')).end() }
      })
      .where(
        'ID',
        'in',
        moved.map((row) => row.ID),
      )
      .execute()
  }

  return {
    positions,
    arrange,

    /** Position of the row `v` among the views of its product, as SQL; the same order as that of `positions`. */
    position: () =>
      // Without a condition on the order, the engine need not plan its use at each execution.
      sql<number>`(select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from ${sql.table(t.views)} as o where o.product_id = v.product_id)`,

    /**
     * Puts the views of a product into this order. Call it under the catalog guard.
     * @throws SvcError 400 unless `ids` names each of them once
     */
    async sort(trx: Kysely<Tables>, productId: number, ids: number[]): Promise<void> {
      const known = new Map((await positions(productId, trx)).map((row) => [row.ID, row]))
      const rows = ids.flatMap((id) => known.get(id) ?? [])
      if (ids.length !== known.size || new Set(rows).size !== known.size) {
        throw invalidParams({
          sorted_views: `must name each view of the product once: ${[...known.keys()].join(', ')}`,
        })
      }
      await arrange(trx, rows)
    },
  }
}
