// Reads what the shop stores about an order in addition to its designs: addresses, quantities, prices, the customer's note.
import type { Database } from '../db/connect.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { shopRows } from './shop-rows.ts'
import { shopText } from './shop-text.ts'
import type { OrderDetails } from './source.ts'
import { shortText } from './source-statements.ts'
import { type Address, foreignTables, orderStorage } from './tables.ts'

/** Returns a function that reads the details of an order for its page on the desk. */
export function wcDetails(database: Database, cms: CmsOptions) {
  const { db, f } = foreignTables(database)
  const { addresses, lineItems, postMeta } = shopRows(database, cms)

  /** Total and note, from the shop's own tables or from posts. */
  async function totalAndNote(orderId: number) {
    if ((await orderStorage(cms)).isInTables) {
      return db
        .selectFrom(f.orders)
        .select(['currency', 'total_amount as total', shortText('customer_note').as('note')])
        .where('id', '=', orderId)
        .executeTakeFirst()
    }
    const post = await db
      .selectFrom(f.posts)
      .select(shortText('post_excerpt').as('note'))
      .where('ID', '=', orderId)
      .executeTakeFirst()
    const metaOf = await postMeta([orderId], ['_order_currency', '_order_total'])
    return { ...post, currency: metaOf(orderId, '_order_currency'), total: metaOf(orderId, '_order_total') }
  }

  return async (orderId: number): Promise<OrderDetails> => {
    const [{ shipping, billing }, items, head] = await Promise.all([
      addresses(orderId),
      lineItems([orderId], ['_qty', '_line_total']),
      totalAndNote(orderId),
    ])
    const currency = head?.currency ?? ''
    return {
      shipping: linesOf(shipping),
      billing: linesOf(billing),
      phone: (shipping.phone || billing.phone) ?? '',
      items: [...items].map(([id, { name, meta }]) => ({
        id,
        name: shopText(name),
        quantity: meta.get('_qty') ?? '',
        total: amountWithCurrency(meta.get('_line_total') ?? '', currency),
      })),
      total: amountWithCurrency(String(head?.total ?? ''), currency),
      note: head?.note ?? '',
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

/** An amount with two digits after the point, of which the shop stores eight, and its currency; '' if there is none. */
function amountWithCurrency(amount: string, currency: string): string {
  if (amount.trim() === '' || !Number.isFinite(Number(amount))) return ''
  return `${Number(amount).toFixed(2)} ${currency}`.trim()
}
