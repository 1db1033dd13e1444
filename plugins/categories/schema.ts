// Product categories as requests and responses carry them.

import { Type } from '@sinclair/typebox'
import { Flag, fieldsQuery, Id, includeQuery, ReadOnly, TrimmedTitle } from '../../src/http/schema.ts'

export const Category = Type.Object({
  id: Id,
  title: Type.String({ description: 'Title; unique, ignoring case.' }),
  products: Type.Optional(
    Type.Array(Id, { description: 'Ids of the assigned products, ascending; with include_products.' }),
  ),
})

export const NewCategory = Type.Object({ title: TrimmedTitle })

export const CategoryPatch = Type.Object({
  title: Type.Optional(TrimmedTitle),
  products: Type.Optional(Type.Array(Id, { description: 'The whole assignment, as a set.' })),
  id: ReadOnly(),
})

const includeProducts = (fallback: boolean) => Flag(fallback, 'Adds the ids of its products.')

export const CategoryListQuery = Type.Object({
  ...fieldsQuery,
  ...includeQuery,
  include_products: includeProducts(false),
})

export const CategoryQuery = Type.Object({ ...fieldsQuery, include_products: includeProducts(true) })
