// Schemas of design categories in requests and responses.
import { Type } from '@sinclair/typebox'
import {
  ArrayBlob,
  Flag,
  fieldsQuery,
  Id,
  includeQuery,
  ObjectBlob,
  pageQuery,
  patchOf,
  ReadOnly,
  StoredBlob,
  searchQuery,
  Thumbnail,
  TrimmedTitle,
  Whole,
} from '../../src/http/schema.ts'

/** The id of a parent, in requests and responses. */
const ParentId = Whole(0, 'Id of the category above, 0 for a root.')

/** The position in requests, which must fit into the column. */
const Order = Type.Integer({
  minimum: -2_147_483_648,
  maximum: 2_147_483_647,
  description: 'Position among its siblings, ascending; equal positions are ordered by title.',
})

/** Stored JSON in responses. Requests have `ObjectBlob` and `ArrayBlob` instead, whose form is checked. */
const Options = StoredBlob('object', 'Options of the category, as the designer wrote them')
const Designs = StoredBlob('array', 'Designs in order, as the designer wrote them')

/** The properties that items of the list and `category_data` share. */
const common = {
  id: Id,
  title: Type.String({ description: 'Title of the category.' }),
  thumbnail: Type.String({ description: 'URL of the thumbnail; "" when there is none.' }),
  parent_id: ParentId,
  order: Type.Integer({ description: 'Position among its siblings, ascending.' }),
  options: Options,
}

/** An item of the list: numbers instead of the designs. */
export const DesignCategory = Type.Object({
  ...common,
  designs_count: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Number of its designs; null where they cannot be read.',
  }),
  children_count: Type.Integer({ description: 'Number of its direct children.' }),
})

/** The response to `GET /design-categories/{id}`, to POST and to PATCH: the data of the category, and its designs. */
export const DesignCategoryWithDesigns = Type.Object({
  id: Id,
  category_data: Type.Object(
    {
      ...common,
      parameters: StoredBlob('object', 'The options again, under the name that legacy clients read'),
    },
    { description: 'The category without its designs.' },
  ),
  designs: Designs,
})

/**
 * The types of all properties that a PATCH may contain, because clients send back what they read: those of the list, and those of
 * GET of one category. `routes.patch` checks sent values by them; those marked `ReadOnly` in `DesignCategoryPatch` must be the
 * current ones.
 */
export const DesignCategoryFields = Type.Object({
  ...DesignCategory.properties,
  ...DesignCategoryWithDesigns.properties,
  parameters: Options,
})

/** The designs in the body of a POST or PATCH. */
const DesignList = ArrayBlob(
  'Designs in order, each `{title, image, thumbnail?, parameters?}` or a graphic block `{title, elements, thumbnail?, parameters?, width?, height?}`; other properties are kept',
)

/** The body of POST. */
export const NewDesignCategory = Type.Object({
  title: TrimmedTitle,
  options: Type.Optional(ObjectBlob('Options of the category; replaced whole')),
  thumbnail: Type.Optional(Thumbnail),
  designs: Type.Optional(DesignList),
  parent_id: Type.Optional(ParentId),
  order: Type.Optional(Order),
})

/** The body of PATCH: what POST takes, all optional, and the properties of responses that cannot be changed. */
export const DesignCategoryPatch = Type.Object({
  ...patchOf(NewDesignCategory).properties,
  parameters: ReadOnly(),
  designs_count: ReadOnly(),
  children_count: ReadOnly(),
  category_data: ReadOnly(),
})

/** The query of the list. */
export const DesignCategoryListQuery = Type.Object({
  ...fieldsQuery,
  ...includeQuery,
  ...searchQuery,
  page: pageQuery.page,
  limit: Type.Optional(
    Type.Unsafe<number>({
      type: 'integer',
      anyOf: [{ minimum: 1, maximum: 100 }, { const: -1 }],
      default: 20,
      description: '1 to 100, or -1 for all.',
    }),
  ),
  only_roots: Flag(false, 'Only categories without a parent.'),
  parent_id: Type.Optional(ParentId),
})
