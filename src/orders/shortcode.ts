// Shortcode orders as an order source: one row each, with the design in a column.
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { contains } from '../db/fold.ts'
import { isoTime } from '../db/time.ts'
import { hasPrintFile } from './print-files.ts'
import { generations, type ListQuery, type OrderSource } from './source.ts'
import { idsOf } from './tables.ts'

/** The literal key that stands for the column `print_order`. */
const printOrder = '_svc_print_order'

type Which = Pick<ListQuery, 'include' | 'since' | 'until' | 'hasPrintFile'>

export function shortcodeSource(database: Database): OrderSource {
  const { db, t, dialect, columns } = database
  const isPrinted = hasPrintFile(database, 'shortcode', sql.ref(`${t.orders}.ID`))
  const created = dialect.epoch('created_date')
  const withDesign = ({ include, since, until, hasPrintFile: hasFile }: Which) =>
    db
      .selectFrom(t.orders)
      .where('views', 'not in', ['', 'null', '[]'])
      .$if(include !== undefined, (query) => query.where('ID', 'in', idsOf(include)))
      .$if(since !== undefined, (query) => query.where(created, '>=', secondsOf(since ?? '')))
      .$if(until !== undefined, (query) => query.where(created, '<', secondsOf(until ?? '') + 86_400))
      .$if(hasFile === true, (query) => query.where(isPrinted))
      .$if(hasFile === false, (query) => query.where(sql<SqlBool>`not ${isPrinted}`))

  return {
    async read(orderId, literal, executor = db) {
      const row = await executor
        .selectFrom(t.orders)
        .select('views')
        .$if(literal === printOrder, (query) => query.select('print_order'))
        .where('ID', '=', orderId)
        .executeTakeFirst()
      if (!row) return undefined
      const data = (key: string, column: 'views' | 'print_order') => {
        const location = { table: t.orders, row: orderId, column }
        return [{ itemId: null, key, value: row[column] ?? '', location }]
      }
      return {
        itemIds: [],
        designs: data(generations[0], 'views'),
        literal: literal === printOrder ? data(printOrder, 'print_order') : [],
      }
    },

    async write(trx, { orderId, order }) {
      const views = columns.json('orders', 'views', 'order', order)
      await trx.updateTable(t.orders).set({ views }).where('ID', '=', orderId).execute()
      return undefined
    },

    async remove(trx, orderId) {
      await trx.deleteFrom(t.orders).where('ID', '=', orderId).execute()
    },

    async list({ search, limit, offset, ...which }) {
      const query = withDesign(which)
        .select(['ID as id', 'customer_name', 'customer_mail'])
        .select(created.as('created'))
        .orderBy('ID', 'desc')
      const rows = await (search === undefined ? query.limit(limit).offset(offset) : query).execute()
      const orders = rows.map(({ id, customer_name, customer_mail, created }) => ({
        id,
        created_date: isoTime(created),
        customer_name: customer_name ?? '',
        customer_mail: customer_mail ?? '',
      }))
      if (search === undefined) return { orders, total: () => count(which) }
      const found = orders.filter((order) =>
        [order.customer_name, order.customer_mail, String(order.id)].some((value) => contains(value, search)),
      )
      return { orders: found.slice(offset, offset + limit), total: async () => found.length }
    },
  }

  async function count(which: Which): Promise<number> {
    const { number } = await withDesign(which)
      .select(({ fn }) => fn.countAll().as('number'))
      .executeTakeFirstOrThrow()
    return Number(number)
  }
}

/** Unix seconds of the beginning of a day in UTC. */
const secondsOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000
