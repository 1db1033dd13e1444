// How orders and designs are named in links, in forms and in words.
import { productDesign } from '../../src/catalog/product-design.ts'
import { SvcError } from '../../src/core/errors.ts'
import type { NeededScope } from '../../src/core/scopes.ts'
import { orderTypes } from '../../src/orders/all-orders.ts'
import type { OrderType } from '../../src/orders/source.ts'
import { html } from '../../src/pages/html.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import type { Desk } from './desk.ts'

export type PrintState = 'none' | 'waiting' | 'failed' | 'ready'

export const stateNames: Record<PrintState, string> = {
  none: 'No print file',
  waiting: 'Waiting',
  failed: 'Failed',
  ready: 'Ready',
}

export function stateOf(job: JobView | undefined): PrintState {
  if (!job) return 'none'
  if (job.status === 'completed') return 'ready'
  return job.status === 'failed' ? 'failed' : 'waiting'
}

/** The state in words and in color. */
export const stateMark = (state: PrintState, name = stateNames[state]) =>
  html`<span class="state ${state}">${name}</span>`

/** The same of a job, which may be running. */
export function jobMark(job: JobView | undefined) {
  const state = stateOf(job)
  return stateMark(state, state === 'waiting' && job?.isHeld ? 'Running' : undefined)
}

export const typeIn = (text: string): OrderType | undefined => orderTypes.find((type) => type === text)

export const idIn = (text: string): number | undefined =>
  /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined

/** The order that the parameters of a link, or the fields of a form, name. @throws SvcError 404 if they name none */
export function orderIn(value: (name: string) => string): { type: OrderType; id: number } {
  const [type, id] = [typeIn(value('type')), idIn(value('id'))]
  if (!type || id === undefined) throw new SvcError('rest_no_route', { message: 'There is no such order.' })
  return { type, id }
}

export const orderLink = ({ type, id }: { type: string; id: number | string }) =>
  `order?type=${encodeURIComponent(type)}&id=${encodeURIComponent(id)}`

/** The design that a picture or a check is about: of an order's item, or of a product. */
export interface Drawn {
  type: OrderType | 'product'
  id: number
  /** 0 if the order has no items. */
  item: number
}

export const noDesign = () => new SvcError('rest_no_route', { message: 'There is no such design.' })

/** The design that the parameters of a link, or the fields of a form, name. @throws SvcError 404 if they name none */
export function drawnIn(value: (name: string) => string): Drawn {
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
