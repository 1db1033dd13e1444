// Preflights of all products with views, one after the other.
import { productDesign } from '../catalog/product-design.ts'
import type { Database } from '../db/connect.ts'
import { scannedRows } from '../db/unreadable.ts'
import type { Preflight } from '../renderer/preflight-result.ts'

export type Check = (design: string) => Promise<Preflight>

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
