// Products and views as designs: the JSON that the renderer draws, for previews and checks of products.
import { unreadableValue } from '../core/errors.ts'
import type { Found } from '../core/resource.ts'
import { mapInTurns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { type View, viewOf } from './view-rows.ts'
import { viewsRepository } from './views.ts'

const drawnFields = new Set(['id', 'title', 'elements', 'options'])

/**
 * The views of a product as the JSON text of a design, and their ids in the same order; undefined if there is no such product.
 * @throws SvcError 500 if a stored value cannot be read
 */
export async function productDesign(
  database: Database,
  productId: number,
): Promise<{ design: string; viewIds: number[] } | undefined> {
  const rows = await viewsRepository(database).listOf(productId, drawnFields)
  if (!rows) return undefined
  const views = await mapInTurns(rows, (row) => {
    const { resource } = viewOf(row)
    return { id: Number(resource.id), design: viewDesign(resource, database.t.views) }
  })
  return { design: `[${views.map(({ design }) => design).join(',')}]`, viewIds: views.map(({ id }) => id) }
}

/**
 * The JSON text of a design with one view, and the state tag of the view.
 * @param table physical name of the views, for the error
 * @throws SvcError 500 if a stored value cannot be read
 */
export const previewedView = ({ resource, state }: Found<View>, table: string) => ({
  design: `[${viewDesign(resource, table)}]`,
  state,
})

/** JSON text of a view in a design. @throws SvcError 500 if a stored value cannot be read */
function viewDesign(
  { id = 0, title = '', elements = '[]', options = '{}' }: Partial<View>,
  table: string,
): string {
  if (elements === null) throw unreadableValue({ table, row: id, column: 'elements' })
  if (options === null) throw unreadableValue({ table, row: id, column: 'options' })
  return `{"title":${JSON.stringify(title)},"elements":${elements},"options":${options}}`
}
