// The schema of a view, which the groups /views and /products return.

import { Type } from '@sinclair/typebox'
import type { Found } from '../core/resource.ts'
import { viewDesign } from '../core/view-design.ts'
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

/** The design of one view, for its preview. @throws SvcError 500 if a stored value cannot be read */
export const previewedView = (
  { resource, state }: Found<Parameters<typeof viewDesign>[0]>,
  table: string,
): Previewed => ({
  design: `[${viewDesign(resource, table)}]`,
  state,
})
