// Orders on sheets, outside of a server: those that are named, or those of some days, in one PDF.

import { SvcError } from '../core/errors.ts'
import { fileNameOf } from '../core/print-name.ts'
import { secondsOfDays } from '../core/time-in.ts'
import { spotColors } from '../library/stored-colors.ts'
import { type FileNames, fileNames, storedFileName } from '../orders/file-names.ts'
import { type OrdersOfType, ordersOf } from '../orders/orders.ts'
import { isPrintable, storedPrintableStatuses } from '../orders/printable.ts'
import type { ListQuery, OrderType } from '../orders/source.ts'
import { partsOf } from '../orders/whole-order.ts'
import { type ExportOverrides, exportOptions, exportSettings } from '../print/export-request.ts'
import { bundleOf, type DesignPart } from '../renderer/design.ts'
import { type Finding, sentenceOf } from '../renderer/refusal.ts'
import { cmsOptions } from '../settings/cms.ts'
import { profileOutput } from '../settings/master-profile.ts'
import { shopTimeZone } from '../settings/time-zone.ts'
import { onRenderer, type RendererSettings } from './preflight.ts'

export interface ImposingSettings extends RendererSettings {
  type: string
  /** Ids, or the first and last day of creation in the time zone of the shop. */
  orders: number[] | { since: string; until: string | undefined }
  /** States of the orders of days, instead of the printable ones; `any` takes all. Named orders are printed in any state. */
  statuses?: readonly string[] | undefined
  /** Whether a design of a day that cannot be read ends the work; otherwise the other orders are printed. */
  isStrict?: boolean
  /** Instead of what the print profile and the settings say. */
  chosen?: Pick<ExportOverrides, 'mirror' | 'outlines'>
  /** Takes the PDF, a temporary file, and the name for it without extension. */
  take: (path: string, name: string) => Promise<void>
}

export interface Imposed {
  orders: number[]
  /** How many orders were left out for their state, by state. */
  leftOut: Record<string, number>
  /** Orders of days whose designs cannot be read. */
  unreadable: { order: number; message: string }[]
  sheets: number
  /** Pages on all sheets. */
  pieces: number
  warnings: string[]
}

/** Orders of some days: more are too many for one file. */
const maxOrders = 200

/** @throws Error with a sentence if the database cannot be used, an order is not there, or a design is refused */
export const impose = ({ type, take, chosen = {}, ...settings }: ImposingSettings): Promise<Imposed> =>
  onRenderer(settings, 'impose', async ({ database, store, renderer, minDpi }) => {
    const cms = cmsOptions(database)
    const orders = ordersOf(database, cms)
    const source = orders.of(type)
    const printable = await storedPrintableStatuses(store)
    const wanted = Array.isArray(settings.orders)
      ? settings.orders
      : secondsOfDays(settings.orders, await shopTimeZone(cms))
    const { parts, findings, ...imposed } = await partsOfAll(
      source,
      { ...settings, orders: wanted },
      printable,
    )
    if (parts.length === 0) return { ...imposed, sheets: 0, pieces: 0, warnings: findings.map(sentenceOf) }
    const [stored, profile] = await Promise.all([store.getMany(exportSettings), profileOutput(database)()])
    const { mirror = false, outlines = false } = exportOptions(chosen, stored, profile)
    const print = {
      client: 'command',
      format: 'svg-pdf' as const,
      dpi: 300,
      cropMarks: true,
      mirror,
      outlines,
      includeFonts: false,
      includePictures: false,
      summary: false,
      minDpi,
      isOnSheets: true,
      isBundle: true,
      spots: renderer.isForPress ? await spotColors(store) : [],
    }
    const signal = new AbortController().signal
    const { path, sheets, pieces, warnings } = await renderer.print(bundleOf(parts), print, signal)
    const names = fileNames(orders, cms, () => storedFileName(store))
    await take(path, await nameOf(names, source.type, imposed.orders))
    return { ...imposed, sheets, pieces, warnings: [...findings, ...warnings].map(sentenceOf) }
  })

/** Of one order its name by the template; of several the numbers of the first and the last. */
async function nameOf({ template, textsOf }: FileNames, type: OrderType, orders: readonly number[]) {
  const files = [orders[0], orders.at(-1)].map((id) => ({
    order: { type, orderId: String(id), itemId: 0 },
    jobId: 0,
  }))
  const [first = {}, last = {}] = files.map(await textsOf(files))
  if (orders.length > 1)
    return `sheets-${fileNameOf('{number}-to-{order}', { ...first, order: last.number ?? '' })}`
  return fileNameOf(await template(), { ...first, job: '' }) || fileNameOf('sheets-{number}', first)
}

type Days = Pick<ListQuery, 'since' | 'until'>
type Wanted = Pick<ImposingSettings, 'statuses' | 'isStrict'> & { orders: number[] | Days }

/** The parts of all orders. Of days, orders in other states and those that cannot be read are left out. */
async function partsOfAll(
  source: OrdersOfType,
  { orders, statuses, isStrict = false }: Wanted,
  printable: readonly string[],
) {
  const isNamed = Array.isArray(orders)
  const printed: number[] = []
  const parts: DesignPart[] = []
  const findings: Finding[] = []
  const leftOut: Record<string, number> = {}
  const unreadable: Imposed['unreadable'] = []
  const isWanted = (status: string) =>
    isNamed ||
    (statuses
      ? statuses.includes('any') || statuses.includes(status)
      : isPrintable(source.type, status, printable))
  for (const id of isNamed ? orders : await idsOf(source, orders)) {
    try {
      const order = await partsOf(source, id, printable)
      if (!isWanted(order.status)) {
        leftOut[order.status] = (leftOut[order.status] ?? 0) + 1
        continue
      }
      printed.push(id)
      parts.push(...order.parts)
      findings.push(...order.findings.map((finding) => ({ ...finding, view: `Order ${id}` })))
    } catch (error) {
      if (isNamed || isStrict || !(error instanceof SvcError)) throw error
      unreadable.push({ order: id, message: error.message })
    }
  }
  return { orders: printed, parts, findings, leftOut, unreadable }
}

async function idsOf(source: OrdersOfType, days: Days): Promise<number[]> {
  const query = { ...days, search: undefined, include: undefined, limit: maxOrders + 1, offset: 0 }
  const { orders } = await source.list(query)
  if (orders.length > maxOrders)
    throw new Error(`More than ${maxOrders} orders are too many for one file; name a shorter time.`)
  // The oldest first, as they came in.
  return orders.map(({ id }) => id).reverse()
}
