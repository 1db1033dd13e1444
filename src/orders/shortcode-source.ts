// The order source of the shortcode form: rows of `svc_orders`, each with one design.
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { countOf } from '../db/repository.ts'
import { isoTime } from '../db/time.ts'
import { pageOf } from './order-search.ts'
import { designKeys, type ListConditions, type OrderSource } from './source.ts'
import { digestInput, digestsOf, hasPrintFile, idsOf } from './source-statements.ts'

/** The state of all shortcode orders, because their rows have none. */
const shortcodeStatus = 'active'

/** The key by which clients request the column `print_order`. */
const printOrder = '_svc_print_order'

/** The order source of one database. */
export function shortcodeSource(database: Database): OrderSource {
  const { db, t, dialect, encoder } = database
  const isPrinted = hasPrintFile(database, 'shortcode', sql.ref(`${t.orders}.ID`))
  const created = dialect.epoch('created_date')
  const withDesign = ({ include, since, until, hasPrintFile: hasFile, statuses }: ListConditions) =>
    db
      .selectFrom(t.orders)
      .where('views', 'not in', ['', 'null', '[]'])
      .$if(statuses !== undefined && !statuses.includes(shortcodeStatus), (query) =>
        query.where(sql<SqlBool>`1 = 0`),
      )
      .$if(include !== undefined, (query) => query.where('ID', 'in', idsOf(include)))
      .$if(since !== undefined, (query) => query.where(created, '>=', since ?? 0))
      .$if(until !== undefined, (query) => query.where(created, '<', until ?? 0))
      .$if(hasFile === true, (query) => query.where(isPrinted))
      .$if(hasFile === false, (query) => query.where(sql<SqlBool>`not ${isPrinted}`))

  return {
    async facts(orderId) {
      const row = await db.selectFrom(t.orders).select('ID').where('ID', '=', orderId).executeTakeFirst()
      return row && { status: shortcodeStatus }
    },

    async read(orderId, readOnlyKey, executor = db) {
      const row = await executor
        .selectFrom(t.orders)
        .select('views')
        .$if(readOnlyKey === printOrder, (query) => query.select('print_order'))
        .where('ID', '=', orderId)
        .executeTakeFirst()
      if (!row) return undefined
      const data = (key: string, column: 'views' | 'print_order') => {
        const location = { table: t.orders, row: orderId, column }
        return [{ itemId: null, key, value: row[column] ?? '', location }]
      }
      return {
        itemIds: [],
        designs: data(designKeys[0], 'views'),
        readOnlyValues: readOnlyKey === printOrder ? data(printOrder, 'print_order') : [],
      }
    },

    async write(trx, { orderId, order }) {
      const views = encoder.json('orders', 'views', 'order', order)
      await trx.updateTable(t.orders).set({ views }).where('ID', '=', orderId).execute()
      return undefined
    },

    async remove(trx, orderId) {
      await trx.deleteFrom(t.orders).where('ID', '=', orderId).execute()
    },

    async designs(orderIds) {
      if (orderIds.length === 0) return new Map()
      const rows = await db.selectFrom(t.orders).select(['ID', 'views']).where('ID', 'in', orderIds).execute()
      return new Map(
        rows.map(({ ID, views }) => {
          const location = { table: t.orders, row: ID, column: 'views' }
          return [ID, [{ itemId: null, key: designKeys[0], value: views ?? '', location }]]
        }),
      )
    },

    async designDigests(orderIds) {
      if (orderIds.length === 0) return new Map()
      const rows = await db
        .selectFrom(t.orders)
        .select('ID')
        .select(digestInput(database, 'views').as('value'))
        .where('ID', 'in', orderIds)
        .execute()
      return digestsOf(rows.map(({ ID, value }) => ({ key: `${ID}:0`, value })))
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
            status: shortcodeStatus,
            customer_name: customer_name ?? '',
            customer_mail: customer_mail ?? '',
          }))
        },
        () => countOf(withDesign(query)),
      ),
  }
}
