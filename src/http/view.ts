// A view as it goes over the wire; the groups /views and /products both answer with it.
import { Type } from '@sinclair/typebox'
import { Id, StoredBlob } from './schema.ts'

export const View = Type.Object({
  id: Id,
  product_id: Id,
  title: Type.String(),
  thumbnail: Type.String({ description: 'Address of the thumbnail; "" when there is none.' }),
  elements: StoredBlob('array', 'Elements of the view, as the designer wrote them'),
  options: StoredBlob('object', 'Options of the view, as the designer wrote them'),
  order: Type.Integer({ description: 'Position among the views of the product, from 0.' }),
})
