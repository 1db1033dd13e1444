// Schemas of shortcode orders in requests and responses.
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

/** A shortcode order, in the list and as the data of GET, POST and PATCH. */
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
/** `views` in requests, whose form is checked. Responses have a `StoredBlob`: JSON as it is stored. */
const Views = Type.Unsafe<unknown[]>({
  ...ArrayBlob('Customized views, at least one', 'DesignView'),
  minItems: 1,
})

/** The body of POST. */
export const NewShortcodeOrder = Type.Object({
  customer_name: Type.Optional(CustomerName),
  customer_mail: Type.Optional(CustomerMail),
  views: Views,
})

/** The body of PATCH: what POST takes, all optional. */
export const ShortcodeOrderPatch = Type.Object({
  ...patchOf(NewShortcodeOrder).properties,
  created_date: ReadOnly(),
})

/** The property `include_data`. @param fallback its default */
const includeData = (fallback: boolean) => Flag(fallback, 'Adds the views.')

/** The query of the list, which leaves the views out unless they are asked for. */
export const ShortcodeOrderListQuery = Type.Object({
  ...pageQuery,
  ...fieldsQuery,
  ...includeQuery,
  include_data: includeData(false),
})

/** The query of GET, which adds the views unless they are declined. */
export const ShortcodeOrderQuery = Type.Object({ ...fieldsQuery, include_data: includeData(true) })
