// The schema of a view, which the groups /views and /products return.

import { Type } from '@sinclair/typebox'
import { Id, StoredBlob, Whole } from './schema.ts'

export const View = Type.Object({
  id: Id,
  product_id: Whole(1, 'Id of its product.'),
  title: Type.String({ description: 'Title of the view.' }),
  thumbnail: Type.String({ description: 'URL of the thumbnail; "" if there is none.' }),
  elements: StoredBlob('array', 'Elements of the view, as the designer stored them'),
  options: StoredBlob('object', 'Options of the view, as the designer stored them'),
  order: Type.Integer({ description: 'Position among the views of the product, from 0.' }),
})
