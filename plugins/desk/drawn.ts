// How links and forms of the desk name orders and designs, and which rights a design needs.
import { productDesign } from '../../src/catalog/product-design.ts'
import { SvcError } from '../../src/core/errors.ts'
import type { NeededScope } from '../../src/core/scopes.ts'
import { orderTypes } from '../../src/orders/all-orders.ts'
import type { OrderType } from '../../src/orders/source.ts'
import type { Desk } from './desk.ts'

/** The type of orders that a text of a request names; undefined for anything else. */
export const typeIn = (text: string): OrderType | undefined => orderTypes.find((type) => type === text)

/** Parses an id of a request; undefined unless it is a positive integer. */
export const idIn = (text: string): number | undefined =>
  /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined

/** The order that the parameters of a link, or the fields of a form, name. @throws SvcError 404 if they name none */
export function orderIn(value: (name: string) => string): { type: OrderType; id: number } {
  const [type, id] = [typeIn(value('type')), idIn(value('id'))]
  if (!type || id === undefined) throw new SvcError('rest_no_route', { message: 'There is no such order.' })
  return { type, id }
}

/** The design that a picture or a check is about: of an order's item, or of a product. */
export interface Drawn {
  type: OrderType | 'product'
  id: number
  /** 0 for a product, and for an order as a whole or without items. */
  item: number
}

/** The error for a request that names no design. */
export const noDesign = () => new SvcError('rest_no_route', { message: 'There is no such design.' })

/** The design that the parameters of a link, or the fields of a form, name. @throws SvcError 404 if they name none */
export function drawnIn(value: (name: string) => string): Drawn {
  const type = value('type') === 'product' ? 'product' : typeIn(value('type'))
  const id = idIn(value('id'))
  if (!type || id === undefined) throw noDesign()
  return { type, id, item: idIn(value('item')) ?? 0 }
}

/** The design in the query of a link; `drawnIn` reads it. */
export const drawnQuery = ({ type, id, item }: { type: string; id: number; item: number }) =>
  `type=${encodeURIComponent(type)}&id=${id}&item=${item}`

/** The design as hidden fields of a form; `drawnIn` reads them. */
export const drawnFields = ({ type, id, item }: Drawn) => ({ type, id: String(id), item: String(item) })

/** The `client` of the renderer, among whom it takes turns: each order and each product. */
export const clientOf = ({ type, id }: Pick<Drawn, 'id'> & { type: string }) => `${type} ${id}`

/** The right that seeing the design needs. */
export const scopeOf = ({ type }: Drawn): NeededScope =>
  type === 'product' ? 'products:read' : 'orders:read'

/** The right that changing the design needs. */
export const scopeToChange = ({ type }: Pick<Drawn, 'type'>): NeededScope =>
  type === 'product' ? 'products:write' : 'orders:write'

/** The design as JSON text, read from the database. @throws SvcError 404, 500 if a stored value cannot be read */
export async function designOf({ context, orders }: Desk, { type, id, item }: Drawn): Promise<string> {
  if (type !== 'product') return (await orders.of(type).design(id, item || undefined)).customization
  const product = await productDesign(context.database, id)
  if (!product) throw new SvcError('svc_product_not_found', { message: `No product with the id ${id}.` })
  return product.design
}
