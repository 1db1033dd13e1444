// Shortcode orders as requests and responses carry them.
import { Type } from '@sinclair/typebox'
import {
  ArrayBlob,
  Flag,
  fieldsQuery,
  Id,
  includeQuery,
  pageQuery,
  patchOf,
  ReadOnly,
  StoredBlob,
  TextOrNull,
} from '../../src/http/schema.ts'

export const ShortcodeOrder = Type.Object({
  id: Id,
  customer_name: Type.String({ description: 'Name of the customer; may be empty.' }),
  customer_mail: Type.String({ description: 'E-mail address of the customer; may be empty.' }),
  created_date: TextOrNull('ISO 8601 in UTC.'),
  views: Type.Optional(StoredBlob('array', 'Customized views, as the designer wrote them', 'DesignView')),
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
const Views = Type.Unsafe<unknown[]>({
  ...ArrayBlob('Customized views, at least one', 'DesignView'),
  minItems: 1,
})

export const NewShortcodeOrder = Type.Object({
  customer_name: Type.Optional(CustomerName),
  customer_mail: Type.Optional(CustomerMail),
  views: Views,
})

export const ShortcodeOrderPatch = Type.Object({
  ...patchOf(NewShortcodeOrder).properties,
  created_date: ReadOnly(),
})

const includeData = (fallback: boolean) => Flag(fallback, 'Adds the views.')

export const ShortcodeOrderListQuery = Type.Object({
  ...pageQuery,
  ...fieldsQuery,
  ...includeQuery,
  include_data: includeData(false),
})

export const ShortcodeOrderQuery = Type.Object({ ...fieldsQuery, include_data: includeData(true) })
