// Orders on sheets, outside of a server: those that are named, or those of some days, in one PDF.
import { spotColors } from '../library/stored-colors.ts'
import { type OrdersOfType, ordersOf } from '../orders/orders.ts'
import type { ListQuery } from '../orders/source.ts'
import { partsOf } from '../orders/whole-order.ts'
import { bundleOf, type DesignPart } from '../renderer/design.ts'
import { sentenceOf } from '../renderer/refusal.ts'
import { cmsOptions } from '../settings/cms.ts'
import { onRenderer, type RendererSettings } from './preflight.ts'

export interface ImposingSettings extends RendererSettings {
  type: string
  /** Ids, or the first and last day of creation in UTC. */
  orders: number[] | { since: string; until: string | undefined }
  /** Takes the PDF, a temporary file. */
  take: (path: string) => Promise<void>
}

export interface Imposed {
  orders: number[]
  sheets: number
  /** Pages on all sheets. */
  pieces: number
  warnings: string[]
}

/** Orders of some days: more are too many for one file. */
const maxOrders = 200

/** @throws Error with a sentence if the database cannot be used, an order is not there, or a design is refused */
export const impose = ({ type, orders: wanted, take, ...settings }: ImposingSettings): Promise<Imposed> =>
  onRenderer(settings, 'impose', async ({ database, store, renderer, minDpi }) => {
    const source = ordersOf(database, cmsOptions(database)).of(type)
    const ids = Array.isArray(wanted) ? wanted : await idsOf(source, wanted)
    if (ids.length === 0) return { orders: [], sheets: 0, pieces: 0, warnings: [] }
    const parts: DesignPart[] = []
    for (const id of ids) parts.push(...(await partsOf(source, id)))
    const print = {
      ...{ format: 'svg-pdf' as const, dpi: 300, hideMarks: false, includeFonts: false },
      ...{ includePictures: false, summary: false, minDpi, isOnSheets: true, isBundle: true },
      client: 'command',
      spots: renderer.isForPress ? await spotColors(store) : [],
    }
    const signal = new AbortController().signal
    const { path, sheets, pieces, warnings } = await renderer.print(bundleOf(parts), print, signal)
    await take(path)
    return { orders: ids, sheets, pieces, warnings: warnings.map(sentenceOf) }
  })

async function idsOf(source: OrdersOfType, days: Pick<ListQuery, 'since' | 'until'>): Promise<number[]> {
  const query = { ...days, search: undefined, include: undefined, limit: maxOrders + 1, offset: 0 }
  const { orders } = await source.list(query)
  if (orders.length > maxOrders)
    throw new Error(`More than ${maxOrders} orders are too many for one file; name a shorter time.`)
  // The oldest first, as they came in.
  return orders.map(({ id }) => id).reverse()
}
