// The views of a product as a design, which the renderer reads.

import { mapInTurns } from '../core/turns.ts'
import { viewDesign } from '../core/view-design.ts'
import type { Database } from '../db/connect.ts'
import { viewOf } from './view-rows.ts'
import { viewsRepository } from './views.ts'

const printed = new Set(['id', 'title', 'elements', 'options'])

/** JSON text; undefined when there is no such product. @throws SvcError 500 if a stored value cannot be read */
export async function productDesign(database: Database, productId: number): Promise<string | undefined> {
  const rows = await viewsRepository(database).listOf(productId, printed)
  const designs =
    rows && (await mapInTurns(rows, (row) => viewDesign(viewOf(row).resource, database.t.views)))
  return designs && `[${designs.join(',')}]`
}
