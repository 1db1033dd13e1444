// Schemas of requests for single views. The view in responses is in `src/http/schema.ts`, because products contain it as well.
import { type Static, Type } from '@sinclair/typebox'
import { viewPreviewQuery } from '../../src/http/preview.ts'
import { mergeQuery, ReadOnly, Title, Whole, writableView } from '../../src/http/schema.ts'

/** The query of PATCH. */
export const ViewPatchQuery = Type.Object(mergeQuery)

/** The query of `GET /views/{id}/preview`. */
export const ViewPreviewQuery = Type.Object(viewPreviewQuery)

/** The body of PATCH. */
export const ViewPatch = Type.Object({
  title: Type.Optional(Title),
  ...writableView({
    elements: 'Replaces all elements',
    options: 'Merged into the stored options, null removes a property. With merge=false it replaces them',
  }),
  product_id: Type.Optional(Whole(1, 'Moves the view to this product.')),
  id: ReadOnly(),
  order: ReadOnly(),
})
/** A validated body of PATCH. */
export type ViewPatch = Static<typeof ViewPatch>

/** The body of `POST /views/{id}/duplicate`. */
export const ViewCopy = Type.Object({ title: Type.Optional(Title) })
