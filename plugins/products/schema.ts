// Schemas of products, and of the views of a product, in requests and responses. Single views are in `views/schema.ts`.
import { type Static, Type } from '@sinclair/typebox'
import { previewQuery } from '../../src/http/preview.ts'
import {
  Enum,
  Flag,
  fieldsQuery,
  Id,
  includeQuery,
  mergeQuery,
  ObjectBlob,
  pageQuery,
  ReadOnly,
  StoredBlob,
  searchQuery,
  Thumbnail,
  Title,
  View,
  Whole,
  writableView,
} from '../../src/http/schema.ts'
import { dpiRange, outputFormats } from '../../src/print/export-request.ts'

const ProductType = Enum(['catalog', 'template'], {
  description: 'A catalog product is for sale; a template is a source of views for new products.',
})

/** The id of another resource in a request. */
const IdOf = (what: string) => Whole(1, `Id of ${what}.`)
const CategoryIds = Type.Array(Id, { maxItems: 10_000, description: 'Ids of its categories, as a set.' })

/** A product, in the list and as the data of GET, POST and PATCH. */
export const Product = Type.Object({
  id: Id,
  title: Type.String({ description: 'Title of the product.' }),
  type: ProductType,
  thumbnail: Type.String({ description: 'URL of the thumbnail; "" when there is none.' }),
  options: StoredBlob('object', 'Options of the product, as the designer wrote them'),
  user_id: Type.Integer({ description: 'CMS user who created it; 0 for products of this API.' }),
  categories: Type.Array(Id, { description: 'Ids of its categories, ascending.' }),
  views: Type.Optional(Type.Array(View, { description: 'Its views in order, with include_views.' })),
})

/** The properties that POST and PATCH share. @param options description of `options` */
const writable = (options: string) => ({
  title: Type.Optional(Title),
  type: Type.Optional(ProductType),
  thumbnail: Type.Optional(Thumbnail),
  options: Type.Optional(ObjectBlob(options)),
  categories: Type.Optional(CategoryIds),
})

/** The body of POST, in one of three forms: a new product, a copy, or one from a template. The last two may override copied fields. */
export const NewProduct = Type.Object(
  {
    ...writable('Options of the product'),
    duplicate_product_id: Type.Optional(IdOf('the product to copy')),
    template_id: Type.Optional(IdOf('the template that gives title, thumbnail, options and views')),
  },
  { 'x-elsewhere': { views: 'POST /products/{id}/views, one at a time' } },
)

/** The body of PATCH. */
export const ProductPatch = Type.Object({
  ...writable('Merged into the stored options, null removes a property. With merge=false it replaces them'),
  sorted_views: Type.Optional(
    Type.Array(Type.Object({ id: Id }, { additionalProperties: false }), {
      maxItems: 10_000,
      description: 'Every view of the product once, in the new order.',
    }),
  ),
  id: ReadOnly(),
  user_id: ReadOnly(),
  views: ReadOnly(),
})
/** A validated body of PATCH. */
export type ProductPatch = Static<typeof ProductPatch>

/** The parameter of all requests whose response has a product. */
const viewsQuery = { include_views: Flag(false, 'Adds the views.') }

/** The query of `GET /products/{id}`. */
export const ProductQuery = Type.Object({ ...fieldsQuery, ...viewsQuery })
/** The query of POST. */
export const WriteQuery = Type.Object(viewsQuery)
/** The query of `GET /products/{id}/preview`. */
export const ProductPreviewQuery = Type.Object(previewQuery)
/** The query of `GET /products/{id}/preflight`. */
export const ProductPreflightQuery = Type.Object({
  output_format: Type.Optional(Enum(outputFormats, { description: 'Defaults to the export settings.' })),
  dpi: Type.Optional(Type.Integer({ ...dpiRange, description: 'Dots per inch of pictures.' })),
})

/** The query of PATCH. */
export const ProductPatchQuery = Type.Object({ ...viewsQuery, ...mergeQuery })

/** The query of the list. */
export const ProductListQuery = Type.Object({
  ...pageQuery,
  ...searchQuery,
  ...fieldsQuery,
  ...includeQuery,
  ...viewsQuery,
  category_id: Type.Optional(IdOf('a category: only its products')),
  type: Type.Optional(
    Enum(['catalog', 'template', 'all'], { default: 'catalog', description: 'Only this type, or all.' }),
  ),
  order_by: Type.Optional(Enum(['id', 'title'], { default: 'id', description: 'Property to sort by.' })),
  order: Type.Optional(Enum(['asc', 'desc'], { default: 'desc', description: 'Ascending or descending.' })),
})

/** The body of `POST /products/{id}/views`. */
export const NewView = Type.Object({
  title: Title,
  ...writableView({ elements: 'Elements of the view', options: 'Options of the view' }),
  order: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Position from 0; the views behind it move back. Appended when absent.',
    }),
  ),
})

/** The query of `GET /products/{id}/views`, which lists all views, unless it asks for a page. */
export const ViewListQuery = Type.Object({
  ...fieldsQuery,
  ...includeQuery,
  page: Type.Optional(Whole(1, 'Page, from 1; all views without it.')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Items per page.' })),
})
