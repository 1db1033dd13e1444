// How links and forms of the desk identify orders and designs, and which rights a design needs.
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

/** Identifies a design, of which a picture is drawn or the print is checked: that of an order's item, or of a product. */
export interface DesignRef {
  type: OrderType | 'product'
  id: number
  /** 0 for a product, and for an order as a whole or without items. */
  item: number
}

/** The error for a request that names no design. */
export const noDesign = () => new SvcError('rest_no_route', { message: 'There is no such design.' })

/** The design that the parameters of a link, or the fields of a form, name. @throws SvcError 404 if they name none */
export function designRefIn(value: (name: string) => string): DesignRef {
  const type = value('type') === 'product' ? 'product' : typeIn(value('type'))
  const id = idIn(value('id'))
  if (!type || id === undefined) throw noDesign()
  return { type, id, item: idIn(value('item')) ?? 0 }
}

/** The design in the query of a link; `designRefIn` reads it. */
export const designQuery = ({ type, id, item }: { type: string; id: number; item: number }) =>
  `type=${encodeURIComponent(type)}&id=${id}&item=${item}`

/** The design as hidden fields of a form; `designRefIn` reads them. */
export const designFields = ({ type, id, item }: DesignRef) => ({ type, id: String(id), item: String(item) })

/** The `client` of the renderer, whose jobs take turns with those of other clients: each order and each product is one. */
export const rendererClient = ({ type, id }: Pick<DesignRef, 'id'> & { type: string }) => `${type} ${id}`

/** The right that seeing the design needs. */
export const scopeOf = ({ type }: DesignRef): NeededScope =>
  type === 'product' ? 'products:read' : 'orders:read'

/** The right that changing the design needs. */
export const scopeToChange = ({ type }: Pick<DesignRef, 'type'>): NeededScope =>
  type === 'product' ? 'products:write' : 'orders:write'

/** The design as JSON text, read from the database. @throws SvcError 404, 500 if a stored value cannot be read */
export async function designOf({ context, orders }: Desk, { type, id, item }: DesignRef): Promise<string> {
  if (type !== 'product') return (await orders.of(type).design(id, item || undefined)).customization
  const product = await productDesign(context.database, id)
  if (!product) throw new SvcError('svc_product_not_found', { message: `No product with the id ${id}.` })
  return product.design
}
