// Shortcode orders as requests and responses carry them.
import type { Static } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import {
  ArrayBlob,
  fieldsQuery,
  Id,
  includeQuery,
  pageQuery,
  ReadOnly,
  StoredBlob,
} from '../../src/http/schema.ts'

export const ShortcodeOrder = Type.Object({
  id: Id,
  customer_name: Type.String({ description: 'Name of the customer; may be empty.' }),
  customer_mail: Type.String({ description: 'E-mail address of the customer; may be empty.' }),
  created_date: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601 in UTC.' }),
  views: Type.Optional(StoredBlob('array', 'Customized views, as the designer wrote them')),
})

const CustomerName = Type.String({
  maxLength: 300,
  description: 'At most 300 characters; plain text, never markup.',
})
const CustomerMail = Type.String({
  maxLength: 100,
  pattern: '^(?:[^\\s@<>"(),:;\\\\]+@(?:[^\\s@<>"(),:;\\\\.]+\\.)+[^\\s@<>"(),:;\\\\.]+)?$',
  'x-message': 'must be an e-mail address of at most 100 characters, or empty',
  description: 'An e-mail address, at most 100 characters; "" where none is known.',
})
const Views = Type.Unsafe<unknown[]>({ ...ArrayBlob('Customized views, at least one'), minItems: 1 })

export const NewShortcodeOrder = Type.Object({
  customer_name: Type.Optional(CustomerName),
  customer_mail: Type.Optional(CustomerMail),
  views: Views,
})

export const ShortcodeOrderPatch = Type.Object({
  customer_name: Type.Optional(CustomerName),
  customer_mail: Type.Optional(CustomerMail),
  views: Type.Optional(Views),
  id: ReadOnly(),
  created_date: ReadOnly(),
})
export type ShortcodeOrderPatch = Omit<Static<typeof ShortcodeOrderPatch>, 'id' | 'created_date'>

const includeData = (fallback: boolean) =>
  Type.Optional(Type.Boolean({ default: fallback, description: 'Adds the views.' }))

export const ShortcodeOrderListQuery = Type.Object({
  ...pageQuery,
  ...fieldsQuery,
  ...includeQuery,
  include_data: includeData(false),
})

export const ShortcodeOrderQuery = Type.Object({ ...fieldsQuery, include_data: includeData(true) })
