// A product as a design that can be drawn: all its views.
import type { FoundProduct } from '../../src/catalog/products.ts'
import { SvcError, unreadableValue } from '../../src/core/errors.ts'
import type { Database } from '../../src/db/connect.ts'

/** @throws SvcError 404, 500 if a stored value cannot be read */
export function productDesign({ t }: Database, found: FoundProduct | undefined, id: number): string {
  if (!found) throw new SvcError('svc_product_not_found', { message: `No product with the id ${id}.` })
  const views = (found.resource.views ?? []).map(({ id: row, title, elements, options }) => {
    if (elements === null || options === null)
      throw unreadableValue({ table: t.views, row, column: elements === null ? 'elements' : 'options' })
    return `{"title":${JSON.stringify(title)},"elements":${elements},"options":${options}}`
  })
  return `[${views.join(',')}]`
}
