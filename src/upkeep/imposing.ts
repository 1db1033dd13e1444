// Orders on sheets, outside of a server: those that are named, or those of some days, in one PDF.
import type { Database } from '../db/connect.ts'
import { spotColors } from '../library/stored-colors.ts'
import { ordersOf } from '../orders/orders.ts'
import { partsOf } from '../orders/whole-order.ts'
import { designRenderer } from '../print/design-renderer.ts'
import { printReadySettings } from '../print/settings.ts'
import { bundleOf, type DesignPart } from '../renderer/design.ts'
import { sentenceOf } from '../renderer/refusal.ts'
import type { RendererOptions } from '../renderer/renderer-options.ts'
import { cmsOptions } from '../settings/cms.ts'
import { uploadLimits } from '../settings/master-profile.ts'
import { optionsStore } from '../settings/option-rows.ts'
import type { Storages } from '../storage/storages.ts'
import { onInstallation } from './installation.ts'
import type { InstallationSettings } from './options.ts'

export interface ImposingSettings extends InstallationSettings {
  siteUrl: string | undefined
  type: string
  /** Ids, or the first and last day of creation in UTC. */
  orders: number[] | { since: string; until: string | undefined }
  renderer: Pick<RendererOptions, 'sheet' | 'color' | 'profile' | 'condition'>
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

/** @throws Error with a sentence if the database cannot be used, an order is not there, or a design is refused */
export const impose = (settings: ImposingSettings): Promise<Imposed> =>
  onInstallation(settings, 'impose', (database, storages) => imposeOn(database, storages, settings))

/** Orders of some days: more are too many for one file. */
const maxOrders = 200

async function imposeOn(
  database: Database,
  storages: Storages,
  { siteUrl, uploads, type, orders: wanted, renderer: options, take }: ImposingSettings,
): Promise<Imposed> {
  const cms = cmsOptions(database)
  const store = optionsStore(database, () => {})
  const source = ordersOf(database, cms).of(type)
  const ids = Array.isArray(wanted) ? wanted : await idsOf(source, wanted)
  if (ids.length === 0) return { orders: [], sheets: 0, pieces: 0, warnings: [] }
  const parts: DesignPart[] = []
  for (const id of ids) parts.push(...(await partsOf(source, id)))
  const site = siteUrl ?? (await cms.getMany(['home'])).get('home') ?? 'http://127.0.0.1'
  const { download } = printReadySettings()
  const files = { database, storages, uploadsUrl: uploads?.url, siteUrl: site, download, warn: () => {} }
  const renderer = designRenderer(files, options)
  try {
    const { minDpi } = (await uploadLimits(database, store)()).picture
    const settings = {
      ...{
        format: 'svg-pdf' as const,
        dpi: 300,
        hideMarks: false,
        includeFonts: false,
        includePictures: false,
      },
      ...{ summary: false, minDpi, isOnSheets: true, isBundle: true },
      spots: renderer.isForPress ? await spotColors(store) : [],
    }
    const { path, report } = await renderer.print(bundleOf(parts), settings, new AbortController().signal)
    await take(path)
    const sheets = report.sheets ?? []
    return {
      orders: ids,
      sheets: sheets.length,
      pieces: sheets.reduce((sum, { length }) => sum + length, 0),
      warnings: report.warnings.map(sentenceOf),
    }
  } finally {
    renderer.stop()
  }
}

async function idsOf(
  source: ReturnType<ReturnType<typeof ordersOf>['of']>,
  days: { since: string; until: string | undefined },
): Promise<number[]> {
  const query = { ...days, search: undefined, include: undefined, limit: maxOrders + 1, offset: 0 }
  const { orders } = await source.list(query)
  if (orders.length > maxOrders)
    throw new Error(`More than ${maxOrders} orders are too many for one file; name a shorter time.`)
  // The oldest first, as they came in.
  return orders.map(({ id }) => id).reverse()
}
