// Schemas of product categories in requests and responses.
import { Type } from '@sinclair/typebox'
import { Flag, fieldsQuery, Id, includeQuery, ReadOnly, TrimmedTitle } from '../../src/http/schema.ts'

/** A category, in the list and as the data of GET, POST and PATCH. */
export const Category = Type.Object({
  id: Id,
  title: Type.String({ description: 'Title; unique, ignoring case.' }),
  products: Type.Optional(
    Type.Array(Id, { description: 'Ids of the assigned products, ascending; with include_products.' }),
  ),
})

/** The body of POST. */
export const NewCategory = Type.Object({ title: TrimmedTitle })

/** The body of PATCH, which also assigns products; a new category has none. */
export const CategoryPatch = Type.Object({
  title: Type.Optional(TrimmedTitle),
  products: Type.Optional(Type.Array(Id, { description: 'The whole assignment, as a set.' })),
  id: ReadOnly(),
})

/** The property `include_products`. @param fallback its default */
const includeProducts = (fallback: boolean) => Flag(fallback, 'Adds the ids of its products.')

/** The query of the list, which leaves the products out unless they are asked for. */
export const CategoryListQuery = Type.Object({
  ...fieldsQuery,
  ...includeQuery,
  include_products: includeProducts(false),
})

/** The query of GET, which adds the products unless they are declined. */
export const CategoryQuery = Type.Object({ ...fieldsQuery, include_products: includeProducts(true) })
