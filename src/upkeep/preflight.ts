// Preflights outside of a server, for `svc-api preflight`: of the items of an order, or of all products with views. The desk checks products
// in its server by `productNames` and `checkProduct`.
import { productDesign } from '../catalog/product-design.ts'
import { unreadableValue } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import { scannedRows } from '../db/scanned-rows.ts'
import { ordersOf } from '../orders/orders.ts'
import { exportSettingKeys, settingsOfExport } from '../print/export-request.ts'
import type { Preflight } from '../renderer/preflight-result.ts'
import { cmsOptions } from '../settings/cms.ts'
import { profileOutput } from '../settings/master-profile.ts'
import { type RendererSettings, withRenderer } from './with-renderer.ts'

/** What is checked: an order or one item of it, or every product. */
export type Subject = { order: number; type: string; item: number | undefined } | 'products'

/** The result of one design, with its product, or its order and item; the item is null if orders have no items. */
export type Checked = Preflight & { order?: number; item?: number | null; product?: number }

interface PreflightSettings extends RendererSettings {
  subject: Subject
  /** Called after each design with how many were checked. */
  onProgress: (count: number) => void
}

/** Preflights a design, which is JSON text. */
type CheckDesign = (design: string) => Promise<Preflight>

/** Checks the designs of the subject. @throws Error with a sentence if the database cannot be used, or there is no such order */
export const preflight = ({ subject, onProgress, ...settings }: PreflightSettings): Promise<Checked[]> =>
  withRenderer(settings, 'preflight', async ({ database, store, renderer, minDpi }) => {
    const [stored, output] = await Promise.all([store.getMany(exportSettingKeys), profileOutput(database)()])
    const { output_format: format, dpi, mirror = false } = settingsOfExport({}, stored, output)
    const form = { minDpi, format, dpi, mirror, client: 'command' }
    const check = (design: string) => renderer.preflight(design, form, new AbortController().signal)
    const checks =
      subject === 'products' ? checkProducts(database, check) : checkOrder(database, subject, check)
    const results: Checked[] = []
    for await (const checked of checks) {
      results.push(checked)
      onProgress(results.length)
    }
    return results
  })

async function* checkProducts(database: Database, check: CheckDesign): AsyncGenerator<Checked> {
  for await (const { id } of productNames(database)) {
    const checked = await checkProduct(database, id, check)
    if (checked) yield { product: id, ...checked }
  }
}

async function* checkOrder(
  database: Database,
  { order, type, item }: Exclude<Subject, string>,
  check: CheckDesign,
): AsyncGenerator<Checked> {
  const { values } = await ordersOf(database, cmsOptions(database)).of(type).get(order, { itemId: item })
  for (const { stored, json } of values) {
    if (json === undefined) throw unreadableValue(stored.location)
    yield { order, item: stored.itemId, ...(await check(json)) }
  }
}

/** Ids and titles of all products, oldest first. */
export async function* productNames(database: Database): AsyncGenerator<{ id: number; title: string }> {
  const { products } = database.t
  for await (const rows of scannedRows(database, { table: products, id: 'ID', columns: ['title'] }))
    for (const { id, title } of rows) yield { id, title: String(title ?? '') }
}

/** The preflight of a product; undefined if it has no views, and so is not printed. */
export async function checkProduct(
  database: Database,
  id: number,
  check: CheckDesign,
): Promise<Preflight | undefined> {
  const product = await productDesign(database, id)
  return product === undefined || product.viewIds.length === 0 ? undefined : check(product.design)
}
