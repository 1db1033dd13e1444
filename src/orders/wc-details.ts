// What the shop knows of an order in addition to its designs: addresses, quantities, prices, the customer's note.
import type { Database } from '../db/connect.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { orderAddresses } from './addresses.ts'
import { hasOrderTables } from './order-storage.ts'
import type { Address } from './recipient.ts'
import type { OrderDetails } from './source.ts'
import { foreignTables } from './tables.ts'

export function wcDetails(database: Database, cms: CmsOptions) {
  const { db, f } = foreignTables(database)
  const addressesOf = orderAddresses(database, cms)

  async function itemsOf(orderId: number) {
    const rows = await db
      .selectFrom(`${f.items} as i`)
      .leftJoin(`${f.itemMeta} as m`, (join) =>
        join.onRef('m.order_item_id', '=', 'i.order_item_id').on('m.meta_key', 'in', ['_qty', '_line_total']),
      )
      .select([
        'i.order_item_id as id',
        'i.order_item_name as name',
        'm.meta_key as key',
        'm.meta_value as value',
      ])
      .where('i.order_id', '=', orderId)
      .where('i.order_item_type', '=', 'line_item')
      .orderBy('i.order_item_id')
      .orderBy('m.meta_id', 'desc')
      .execute()
    return [...Map.groupBy(rows, ({ id }) => id)].map(([id, [first, ...others]]) => {
      const meta = new Map([first, ...others].map((row) => [row?.key, row?.value ?? '']))
      return {
        id,
        name: first?.name ?? '',
        quantity: meta.get('_qty') ?? '',
        total: meta.get('_line_total') ?? '',
      }
    })
  }

  /** Total and note, from the shop's own tables or from posts. */
  async function headOf(orderId: number): Promise<{ currency: string; total: string; note: string }> {
    if (await hasOrderTables(cms)) {
      const row = await db
        .selectFrom(f.orders)
        .select(['currency', 'total_amount', 'customer_note'])
        .where('id', '=', orderId)
        .executeTakeFirst()
      const { currency, total_amount: total, customer_note: note } = row ?? {}
      return { currency: currency ?? '', total: String(total ?? ''), note: note ?? '' }
    }
    const post = await db
      .selectFrom(f.posts)
      .select('post_excerpt')
      .where('ID', '=', orderId)
      .executeTakeFirst()
    const rows = await db
      .selectFrom(f.postMeta)
      .select(['meta_key', 'meta_value'])
      .where('post_id', '=', orderId)
      .where('meta_key', 'in', ['_order_currency', '_order_total'])
      .orderBy('meta_id', 'desc')
      .execute()
    const meta = new Map(rows.map((row) => [row.meta_key, row.meta_value ?? '']))
    return {
      currency: meta.get('_order_currency') ?? '',
      total: meta.get('_order_total') ?? '',
      note: post?.post_excerpt ?? '',
    }
  }

  return async (orderId: number): Promise<OrderDetails> => {
    const [{ shipping, billing }, items, { currency, total, note }] = await Promise.all([
      addressesOf(orderId),
      itemsOf(orderId),
      headOf(orderId),
    ])
    return {
      shipping: linesOf(shipping),
      billing: linesOf(billing),
      phone: (shipping.phone || billing.phone) ?? '',
      items: items.map((item) => ({ ...item, total: priced(item.total, currency) })),
      total: priced(total, currency),
      note,
    }
  }
}

const linesOf = (address: Address): string[] => {
  const { first_name, last_name, company, address_1, address_2, postcode, city, state, country } = address
  const lines = [
    [first_name, last_name],
    [company],
    [address_1],
    [address_2],
    [postcode, city],
    [state, country],
  ]
  return lines.map((parts) => parts.filter(Boolean).join(' ')).filter((line) => line !== '')
}

/** The shop stores eight digits after the point. */
function priced(amount: string, currency: string): string {
  if (amount.trim() === '' || !Number.isFinite(Number(amount))) return ''
  return `${Number(amount).toFixed(2)} ${currency}`.trim()
}
