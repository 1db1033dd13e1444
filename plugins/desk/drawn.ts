// The design that a picture or a check of a page is about: of an order's item, or of a product.

import type { FastifyRequest } from 'fastify'
import { productDesign } from '../../src/catalog/product-design.ts'
import { SvcError } from '../../src/core/errors.ts'
import type { NeededScope } from '../../src/core/scopes.ts'
import type { OrderType } from '../../src/orders/source.ts'
import { queryValue } from '../../src/pages/scope.ts'
import type { Desk } from './desk.ts'
import { idIn, typeIn } from './names.ts'

export interface Drawn {
  type: OrderType | 'product'
  id: number
  /** 0 if the order has no items. */
  item: number
}

export const noDesign = () => new SvcError('rest_no_route', { message: 'There is no such design.' })

/** What a link names. @throws SvcError 404 for a link that names nothing */
export const drawnIn = (request: FastifyRequest): Drawn => drawnInFields((name) => queryValue(request, name))

/** What the fields of a form name. @throws SvcError 404 if they name nothing */
export function drawnInFields(value: (name: string) => string): Drawn {
  const type = value('type') === 'product' ? 'product' : typeIn(value('type'))
  const id = idIn(value('id'))
  if (!type || id === undefined) throw noDesign()
  return { type, id, item: idIn(value('item')) ?? 0 }
}

export const drawnQuery = ({ type, id, item }: { type: string; id: number; item: number }) =>
  `type=${encodeURIComponent(type)}&id=${id}&item=${item}`

/** The same as hidden fields of a form. */
export const drawnFields = ({ type, id, item }: Drawn) => ({ type, id: String(id), item: String(item) })

/** The right to see it. */
export const scopeOf = ({ type }: Drawn): NeededScope =>
  type === 'product' ? 'products:read' : 'orders:read'

/** The right to change it. */
export const scopeToChange = ({ type }: Pick<Drawn, 'type'>): NeededScope =>
  type === 'product' ? 'products:write' : 'orders:write'

/** JSON text. @throws SvcError 404, 500 if a stored value cannot be read */
export async function designOf({ context, orders }: Desk, { type, id, item }: Drawn): Promise<string> {
  if (type !== 'product') return (await orders.of(type).design(id, item || undefined)).customization
  const design = await productDesign(context.database, id)
  if (design === undefined)
    throw new SvcError('svc_product_not_found', { message: `No product with the id ${id}.` })
  return design
}
