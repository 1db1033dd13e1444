// Preflights outside of a server: of the items of an order, or of all products with views.

import { productDesign } from '../catalog/product-design.ts'
import { unreadableValue } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import { scannedRows } from '../db/unreadable.ts'
import { ordersOf } from '../orders/orders.ts'
import { designRenderer } from '../print/design-renderer.ts'
import { printReadySettings } from '../print/settings.ts'
import type { Preflight } from '../renderer/preflight-result.ts'
import { cmsOptions } from '../settings/cms.ts'
import { optionsStore } from '../settings/option-rows.ts'
import { uploadLimits } from '../settings/upload-limits.ts'
import type { Storages } from '../storage/storages.ts'
import { type InstallationSettings, onInstallation } from './installation.ts'

/** What is looked at: an order, or every product. */
export type Subject = { order: number; type: string; item: number | undefined } | 'products'

export type Checked = Preflight & { order?: number; item?: number | null; product?: number }

interface PreflightSettings extends InstallationSettings {
  siteUrl: string | undefined
  subject: Subject
  /** Called with each result. */
  found: (checked: Checked) => void
}

/** @throws Error with a sentence if the database cannot be used, or the order is not there */
export const preflight = (settings: PreflightSettings): Promise<void> =>
  onInstallation(settings, 'preflight', (database, storages) => checkAll(database, storages, settings))

async function checkAll(
  database: Database,
  storages: Storages,
  { siteUrl, uploads, subject, found }: PreflightSettings,
): Promise<void> {
  const cms = cmsOptions(database)
  const store = optionsStore(database, () => {})
  const site = siteUrl ?? (await cms.getMany(['home'])).get('home') ?? 'http://127.0.0.1'
  const { download } = printReadySettings()
  const files = { database, storages, uploadsUrl: uploads?.url, siteUrl: site, download, warn: () => {} }
  const renderer = designRenderer(files, {})
  const { minDpi } = (await uploadLimits(database, store)()).picture
  const check = (design: string) => renderer.preflight(design, minDpi, new AbortController().signal)
  if (subject === 'products') {
    for await (const products of scannedRows(database, {
      table: database.t.products,
      id: 'ID',
      columns: ['title'],
    })) {
      for (const { id } of products) {
        // A product without views is not printed.
        const design = await productDesign(database, id)
        if (design !== undefined && design !== '[]') found({ product: id, ...(await check(design)) })
      }
    }
    return
  }
  const { order, type, item } = subject
  const { items } = await ordersOf(database, cms).of(type).get(order, { itemId: item })
  for (const { found: place, json } of items) {
    if (json === undefined) throw unreadableValue(place.place)
    found({ order, item: place.itemId ?? null, ...(await check(String(json))) })
  }
}
