// Places the pages of orders on press sheets in one PDF, outside of a server, for `svc-api impose`: of orders that are named, or of
// all orders of some days.

import { SvcError } from '../core/errors.ts'
import { fileNameOf } from '../core/print-name.ts'
import { secondsOfDays } from '../core/time-in.ts'
import { spotColors } from '../library/spot-colors.ts'
import { type FileNames, fileNames, storedFileName } from '../orders/file-names.ts'
import { type OrdersOfType, ordersOf } from '../orders/orders.ts'
import { itemKey, type PrintState, printStatesOf } from '../orders/print-states.ts'
import { isPrintable, storedPrintableStatuses } from '../orders/printable.ts'
import type { ListedOrder, ListQuery, OrderType } from '../orders/source.ts'
import { partsOf } from '../orders/whole-order.ts'
import { type ExportOverrides, exportSettingKeys, settingsOfExport } from '../print/export-request.ts'
import { bundleOf, type DesignPart } from '../renderer/design.ts'
import { type Finding, sentenceOf } from '../renderer/refusal.ts'
import { cmsOptions } from '../settings/cms.ts'
import { profileOutput } from '../settings/master-profile.ts'
import { shopTimeZone } from '../settings/time-zone.ts'
import { type RendererSettings, withRenderer } from './with-renderer.ts'

/** Which orders are printed, how, and where the PDF is stored. */
export interface ImposingSettings extends RendererSettings {
  /** Type of the orders, such as `wc`. */
  type: string
  /** Ids, or the first and last day of creation in the time zone of the shop. */
  orders: number[] | { since: string; until: string | undefined }
  /** States of the orders of days, instead of the printable ones; `any` takes all, and items that are printed or have a problem. Named orders are printed in any state. */
  statuses?: readonly string[] | undefined
  /** Whether a design of a day that cannot be read ends the work; otherwise the other orders are printed. */
  isStrict?: boolean
  /** Replaces what the print profile and the settings say. */
  overrides?: Pick<ExportOverrides, 'mirror' | 'outlines'>
  /**
   * Stores the PDF, and returns its path. Not called if there is nothing to print.
   * @param temporaryFile path of the drawn PDF, which it must move
   * @param name a file name without extension
   */
  store: (temporaryFile: string, name: string) => Promise<string>
}

/** What was printed, and what was not. */
export interface Imposed {
  /** The printed orders, and those of which no copy is left to print. */
  orders: number[]
  /** The path that `store` returned; undefined if there was nothing to print. */
  file: string | undefined
  /** How many orders were left out because of their state, by state. */
  leftOut: Record<string, number>
  /** How many items of days were left out because they are printed already, or have a problem. */
  marked: { printed: number; problem: number }
  /** Orders of days whose designs cannot be read. */
  unreadable: { order: number; message: string }[]
  sheets: number
  /** Pages on all sheets. */
  pieces: number
  warnings: string[]
}

/** Orders of some days that are printed, and those in any state: more are too many for one file. */
const [maxOrders, maxListed] = [200, 2000]

/** Draws and stores the PDF. @throws Error with a sentence if the database cannot be used, an order is missing, or a design is refused */
export const impose = ({
  type,
  store: storeFile,
  overrides = {},
  ...settings
}: ImposingSettings): Promise<Imposed> =>
  withRenderer(settings, 'impose', async ({ database, store, renderer, minDpi }) => {
    const cms = cmsOptions(database)
    const orders = ordersOf(database, cms)
    const source = orders.of(type)
    const printable = await storedPrintableStatuses(store)
    const selection = Array.isArray(settings.orders)
      ? settings.orders
      : secondsOfDays(settings.orders, await shopTimeZone(cms))
    const states = printStatesOf(database)
    const { parts, findings, ...imposed } = await partsOfAll(
      source,
      { ...settings, orders: selection },
      { printable, states },
    )
    if (parts.length === 0) {
      const warnings = findings.map(sentenceOf)
      return { ...imposed, file: undefined, sheets: 0, pieces: 0, warnings }
    }
    const [stored, profile] = await Promise.all([store.getMany(exportSettingKeys), profileOutput(database)()])
    const { mirror = false, outlines = false } = settingsOfExport(overrides, stored, profile)
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
    const file = await storeFile(path, await nameOf(names, source.type, imposed.orders))
    return { ...imposed, file, sheets, pieces, warnings: [...findings, ...warnings].map(sentenceOf) }
  })

/** The name of the PDF: of one order by the template; of several the numbers of the first and the last. */
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
type OrderSelection = Pick<ImposingSettings, 'statuses' | 'isStrict'> & { orders: number[] | Days }

/**
 * The design parts of the orders, and what was left out. Of named orders, nothing is: an order that cannot be read ends the work. Of
 * orders of days, those in other states or that cannot be read, and items that are printed or have a problem.
 */
async function partsOfAll(
  source: OrdersOfType,
  { orders, statuses, isStrict = false }: OrderSelection,
  { printable, states }: { printable: readonly string[]; states: ReturnType<typeof printStatesOf> },
) {
  const isNamed = Array.isArray(orders)
  const printedOrders: number[] = []
  const parts: DesignPart[] = []
  const findings: Finding[] = []
  const leftOut: Record<string, number> = {}
  const unreadable: Imposed['unreadable'] = []
  const isSelectedState = (status: string) =>
    isNamed ||
    (statuses
      ? statuses.includes('any') || statuses.includes(status)
      : isPrintable(source.type, status, printable))
  const leaveOut = (status: string) => {
    leftOut[status] = (leftOut[status] ?? 0) + 1
  }
  const listed = isNamed ? [] : await ordersOfDays(source, orders)
  for (const { status } of listed) if (!isSelectedState(status)) leaveOut(status)
  const ids = isNamed ? orders : listed.filter(({ status }) => isSelectedState(status)).map(({ id }) => id)
  if (!isNamed && ids.length > maxOrders) throw tooMany(maxOrders)
  const { type } = source
  const takesAll = isNamed || statuses?.includes('any') === true
  const printStates = takesAll
    ? new Map<string, PrintState>()
    : await states.of(ids.map((id) => ({ type, id })))
  const marked = { printed: 0, problem: 0 }
  /** Whether an item is to be printed; counts it in `marked` otherwise. */
  const isOpen = (id: number, itemId: number | null) => {
    const state = printStates.get(itemKey({ type, id, item: itemId ?? 0 }))?.state
    if (state !== 'printed' && state !== 'problem') return true
    marked[state]++
    return false
  }
  for (const id of ids) {
    try {
      const order = await partsOf(source, id, printable)
      // The state may have changed since the list was read.
      if (!isSelectedState(order.status)) {
        leaveOut(order.status)
        continue
      }
      const open = order.parts.filter(({ itemId }) => isOpen(id, itemId))
      if (order.parts.length > 0 && open.length === 0) continue
      printedOrders.push(id)
      parts.push(...open)
      findings.push(...order.findings.map((finding) => ({ ...finding, view: order.name })))
    } catch (error) {
      if (isNamed || !(error instanceof SvcError)) throw error
      if (isStrict) throw new Error(`Order ${id}: ${error.message}`, { cause: error })
      unreadable.push({ order: id, message: error.message })
    }
  }
  return { orders: printedOrders, parts, findings, leftOut, marked, unreadable }
}

/** The orders of some days, the oldest first. @throws Error if there are too many */
async function ordersOfDays(source: OrdersOfType, days: Days): Promise<ListedOrder[]> {
  const query = { ...days, search: undefined, include: undefined, limit: maxListed + 1, offset: 0 }
  const { orders } = await source.list(query)
  if (orders.length > maxListed) throw tooMany(maxListed)
  return orders.reverse()
}

const tooMany = (orders: number) =>
  new Error(`More than ${orders} orders are too many for one file; name a shorter time.`)
