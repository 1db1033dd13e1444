// Shortcode orders as an order source: one row each, with the design in a column.
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { countOf } from '../db/repository.ts'
import { isoTime } from '../db/time.ts'
import { generations, hasPrintFile, type ListConditions, type OrderSource, pageOf } from './source.ts'
import { idsOf } from './tables.ts'

/** The literal key that stands for the column `print_order`. */
const printOrder = '_svc_print_order'

export function shortcodeSource(database: Database): OrderSource {
  const { db, t, dialect, columns } = database
  const isPrinted = hasPrintFile(database, 'shortcode', sql.ref(`${t.orders}.ID`))
  const created = dialect.epoch('created_date')
  const withDesign = ({ include, since, until, hasPrintFile: hasFile }: ListConditions) =>
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

    list: (query) =>
      pageOf(
        query,
        async (slice) => {
          const rows = await withDesign(query)
            .select(['ID as id', 'customer_name', 'customer_mail'])
            .select(created.as('created'))
            .orderBy('ID', 'desc')
            .$if(slice !== undefined, (q) => q.limit(query.limit).offset(query.offset))
            .execute()
          return rows.map(({ id, customer_name, customer_mail, created }) => ({
            id,
            created_date: isoTime(created),
            customer_name: customer_name ?? '',
            customer_mail: customer_mail ?? '',
          }))
        },
        () => countOf(withDesign(query)),
      ),
  }
}

/** Unix seconds of the beginning of a day in UTC. */
const secondsOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000
