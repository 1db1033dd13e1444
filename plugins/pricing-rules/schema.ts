// Pricing rules as requests and responses carry them.
import type { Static } from '@sinclair/typebox'
import {
  Enum,
  fieldsQuery,
  Id,
  includeQuery,
  ObjectBlob,
  ReadOnly,
  StoredBlob,
  searchQuery,
  sliceQuery,
  TrimmedTitle,
} from '../../src/http/schema.ts'
import { Type } from '../../src/typebox.ts'

export const PricingRule = Type.Object({
  id: Id,
  name: Type.String({ description: 'Name of the rule.' }),
  data: StoredBlob('object', 'Conditions and price effects'),
})
export type PricingRule = Static<typeof PricingRule>

const Data = ObjectBlob(
  'Conditions and price effects: `property`, `target {views, elements}`, `type` (any or all) and `rules [{operator, value, price}]`; other properties are kept',
)

export const NewPricingRule = Type.Object({ name: TrimmedTitle, data: Data })
export type NewPricingRule = Static<typeof NewPricingRule>

export const PricingRulePatch = Type.Object({
  name: Type.Optional(TrimmedTitle),
  data: Type.Optional(Data),
  id: ReadOnly(),
})
export type PricingRulePatch = Partial<NewPricingRule>

const columns = ['id', 'name'] as const
const directions = ['', ' ASC', ' DESC', ' asc', ' desc'] as const
const orders = columns.flatMap((column) => directions.map((direction) => `${column}${direction}` as const))

export const PricingRuleListQuery = Type.Object({
  ...sliceQuery,
  ...searchQuery,
  ...fieldsQuery,
  ...includeQuery,
  order_by: Type.Optional(
    Enum(orders, { default: 'id', description: 'Property to sort by, with its direction.' }),
  ),
})
export type Order = (typeof orders)[number]

export const PricingRuleQuery = Type.Object(fieldsQuery)
