// Preflights outside of a server: of the items of an order, or of all products with views.
import { productDesign } from '../catalog/product-design.ts'
import { unreadableValue } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import { scannedRows } from '../db/unreadable.ts'
import { ordersOf } from '../orders/orders.ts'
import { designRenderer } from '../print/design-renderer.ts'
import { exportOptions, exportSettings } from '../print/export-request.ts'
import { printReadySettings } from '../print/options.ts'
import type { Preflight } from '../renderer/preflight-result.ts'
import type { Renderer } from '../renderer/renderer.ts'
import type { RendererOptions } from '../renderer/renderer-options.ts'
import { cmsOptions } from '../settings/cms.ts'
import { profileOutput, uploadLimits } from '../settings/master-profile.ts'
import { type OptionsStore, optionsStore } from '../settings/option-rows.ts'
import { onInstallation } from './installation.ts'
import type { InstallationSettings } from './options.ts'

export interface RendererSettings extends InstallationSettings {
  siteUrl: string | undefined
  renderer?: RendererOptions
}

interface Drawing {
  database: Database
  store: OptionsStore
  renderer: Renderer
  /** Pictures with a lower resolution cause a warning; undefined if the shop sets no limit. */
  minDpi: number | undefined
}

/** Runs work with a renderer that reads the files of the installation. */
export const onRenderer = <T>(
  settings: RendererSettings,
  operation: string,
  work: (drawing: Drawing) => Promise<T>,
): Promise<T> =>
  onInstallation(settings, operation, async (database, files) => {
    const store = optionsStore(database, () => {})
    const home = (await cmsOptions(database).getMany(['home'])).get('home')
    const places = {
      uploadsUrl: settings.uploads?.url,
      siteUrl: settings.siteUrl ?? home ?? 'http://127.0.0.1',
      download: printReadySettings().download,
    }
    const services = { database, storages: files, ...places, warn: () => {} }
    const renderer = designRenderer(services, settings.renderer ?? {})
    try {
      const { minDpi } = (await uploadLimits(database, store)()).picture
      return await work({ database, store, renderer, minDpi })
    } finally {
      renderer.stop()
    }
  })

/** What is looked at: an order, or every product. */
export type Subject = { order: number; type: string; item: number | undefined } | 'products'

export type Checked = Preflight & { order?: number; item?: number | null; product?: number }

interface PreflightSettings extends RendererSettings {
  subject: Subject
  /** Called with each result. */
  found: (checked: Checked) => void
}

type Check = (design: string) => Promise<Preflight>

/** @throws Error with a sentence if the database cannot be used, or the order is not there */
export const preflight = ({ subject, found, ...settings }: PreflightSettings): Promise<void> =>
  onRenderer(settings, 'preflight', async ({ database, store, renderer, minDpi }) => {
    const [stored, output] = await Promise.all([store.getMany(exportSettings), profileOutput(database)()])
    const { output_format: format, dpi, mirror = false } = exportOptions({}, stored, output)
    const form = { minDpi, format, dpi, mirror, client: 'command' }
    const check = (design: string) => renderer.preflight(design, form, new AbortController().signal)
    if (subject !== 'products') return checkOrder(database, subject, check, found)
    for await (const { id } of productNames(database)) {
      const checked = await checkProduct(database, id, check)
      if (checked) found({ product: id, ...checked })
    }
  })

async function checkOrder(
  database: Database,
  { order, type, item }: Exclude<Subject, string>,
  check: Check,
  found: PreflightSettings['found'],
): Promise<void> {
  const { items } = await ordersOf(database, cmsOptions(database)).of(type).get(order, { itemId: item })
  for (const { found: data, json } of items) {
    if (json === undefined) throw unreadableValue(data.location)
    found({ order, item: data.itemId ?? null, ...(await check(String(json))) })
  }
}

/** All products, oldest first. */
export async function* productNames(database: Database): AsyncGenerator<{ id: number; title: string }> {
  const { products } = database.t
  for await (const rows of scannedRows(database, { table: products, id: 'ID', columns: ['title'] }))
    for (const { id, title } of rows) yield { id, title: String(title ?? '') }
}

/** What a print of the product would be like; undefined of a product without views, which is not printed. */
export async function checkProduct(
  database: Database,
  id: number,
  check: Check,
): Promise<Preflight | undefined> {
  const design = await productDesign(database, id)
  return design === undefined || design === '[]' ? undefined : check(design)
}
