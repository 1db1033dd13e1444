// Schemas of pricing rules in requests and responses.
import { Type } from '@sinclair/typebox'
import {
  Enum,
  fieldsQuery,
  Id,
  includeQuery,
  ObjectBlob,
  StoredBlob,
  searchQuery,
  sliceQuery,
  TrimmedTitle,
} from '../../src/http/schema.ts'

/** A pricing rule, in the list and as the data of GET, POST and PATCH. */
export const PricingRule = Type.Object({
  id: Id,
  name: Type.String({ description: 'Name of the rule.' }),
  data: StoredBlob('object', 'Conditions and price effects'),
})

/** `data` in requests, whose form is checked. Responses have a `StoredBlob`: JSON as it is stored. */
const Data = ObjectBlob(
  'Conditions and price effects: `property`, `target {views, elements}`, `type` (any or all) and `rules [{operator, value, price}]`; other properties are kept',
)

/** The body of POST; PATCH takes the same properties, all optional. */
export const NewPricingRule = Type.Object({ name: TrimmedTitle, data: Data })

/** Values of `order_by`: a property, and a direction after a space. */
const columns = ['id', 'name'] as const
const directions = ['', ' ASC', ' DESC', ' asc', ' desc'] as const
const orders = columns.flatMap((column) => directions.map((direction) => `${column}${direction}` as const))

/** The query of the list. */
export const PricingRuleListQuery = Type.Object({
  ...sliceQuery,
  ...searchQuery,
  ...fieldsQuery,
  ...includeQuery,
  order_by: Type.Optional(
    Enum(orders, { default: 'id', description: 'Property to sort by, with its direction.' }),
  ),
})
