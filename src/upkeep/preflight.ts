// Preflights outside of a server: of the items of an order, or of all products with views.

import { unreadableValue } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import { ordersOf } from '../orders/orders.ts'
import { designRenderer } from '../print/design-renderer.ts'
import { printReadySettings } from '../print/settings.ts'
import type { Preflight } from '../renderer/preflight-result.ts'
import type { RendererOptions } from '../renderer/renderer-options.ts'
import { cmsOptions } from '../settings/cms.ts'
import { uploadLimits } from '../settings/master-profile.ts'
import { optionsStore } from '../settings/option-rows.ts'
import type { Storages } from '../storage/storages.ts'
import { onInstallation } from './installation.ts'
import type { InstallationSettings } from './options.ts'
import { type Check, checkProduct, productNames } from './product-preflights.ts'

/** What is looked at: an order, or every product. */
export type Subject = { order: number; type: string; item: number | undefined } | 'products'

export type Checked = Preflight & { order?: number; item?: number | null; product?: number }

interface PreflightSettings extends InstallationSettings {
  siteUrl: string | undefined
  subject: Subject
  /** Of a press, whose inks are checked as well. */
  renderer?: Pick<RendererOptions, 'color' | 'profile' | 'maxInk'>
  /** Called with each result. */
  found: (checked: Checked) => void
}

/** @throws Error with a sentence if the database cannot be used, or the order is not there */
export const preflight = (settings: PreflightSettings): Promise<void> =>
  onInstallation(settings, 'preflight', (database, storages) => checkAll(database, storages, settings))

async function checkAll(
  database: Database,
  storages: Storages,
  { siteUrl, uploads, subject, found, renderer: options = {} }: PreflightSettings,
): Promise<void> {
  const cms = cmsOptions(database)
  const store = optionsStore(database, () => {})
  const site = siteUrl ?? (await cms.getMany(['home'])).get('home') ?? 'http://127.0.0.1'
  const { download } = printReadySettings()
  const files = { database, storages, uploadsUrl: uploads?.url, siteUrl: site, download, warn: () => {} }
  const renderer = designRenderer(files, options)
  const { minDpi } = (await uploadLimits(database, store)()).picture
  const check = (design: string) => renderer.preflight(design, minDpi, new AbortController().signal)
  try {
    if (subject === 'products') await checkProducts(database, check, found)
    else await checkOrder(database, subject, check, found)
  } finally {
    renderer.stop()
  }
}

async function checkProducts(
  database: Database,
  check: Check,
  found: PreflightSettings['found'],
): Promise<void> {
  for await (const { id } of productNames(database)) {
    const checked = await checkProduct(database, id, check)
    if (checked) found({ product: id, ...checked })
  }
}

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
