// The schema of a view, which the groups /views and /products return.

import { unreadableValue } from '../core/errors.ts'
import type { Found } from '../core/resource.ts'
import { Type } from '../core/typebox.ts'
import type { Previewed } from './preview.ts'
import { Id, StoredBlob } from './schema.ts'

export const View = Type.Object({
  id: Id,
  product_id: Type.Integer({ ...Id, description: 'Id of its product.' }),
  title: Type.String({ description: 'Title of the view.' }),
  thumbnail: Type.String({ description: 'URL of the thumbnail; "" if there is none.' }),
  elements: StoredBlob('array', 'Elements of the view, as the designer stored them'),
  options: StoredBlob('object', 'Options of the view, as the designer stored them'),
  order: Type.Integer({ description: 'Position among the views of the product, from 0.' }),
})

interface StoredView {
  id: number
  title: string
  elements: string | null
  options: string | null
}

/** The design of one view, for its preview. @throws SvcError 500 if a stored value cannot be read */
export function previewedView({ resource, state }: Found<StoredView>, table: string): Previewed {
  const { id, title, elements, options } = resource
  if (elements === null) throw unreadableValue({ table, row: id, column: 'elements' })
  if (options === null) throw unreadableValue({ table, row: id, column: 'options' })
  return { design: `[{"title":${JSON.stringify(title)},"elements":${elements},"options":${options}}]`, state }
}
