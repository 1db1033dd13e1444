// The response headers in the OpenAPI document.
import type { Operation } from '../../src/http/operations.ts'
import type { Json } from './schemas.ts'

const text = (description: string): Json => ({ description, schema: { type: 'string' } })
const number = (description: string): Json => ({ description, schema: { type: 'integer' } })

/** Header Objects of all response headers, as components. */
export const sharedHeaders = {
  'X-Request-Id': text('Id of this request, which the log has, too.'),
  ETag: text('Version of the resource, for `If-Match` and `If-None-Match`.'),
  Location: text('URL of what was created.'),
  Link: text('URLs of the next and the previous page.'),
  'X-WP-Total': number('Items in the whole list.'),
  'X-WP-TotalPages': number('Pages of the list.'),
  'Preference-Applied': text('The preferences of `Prefer` that were followed.'),
  'Idempotency-Replayed': text('`true` on a repeated response of an earlier request.'),
  'Retry-After': number('Seconds to wait before the next try.'),
}

type Name = keyof typeof sharedHeaders

/** References to the headers of a response. @param code its status; that of the success by default */
export function headersOf({ status, headers, response, query }: Operation, code: number = status): Json {
  const names: Name[] = ['X-Request-Id']
  const takes = (name: string) => Object.hasOwn(headers.properties, name)
  if (code === 409 || code === 502 || code === 503) names.push('Retry-After')
  if (code < 400 && (takes('if-none-match') || takes('if-match'))) names.push('ETag')
  if (code === 201) names.push('Location')
  if (code < 300) {
    if (takes('prefer')) names.push('Preference-Applied')
    if (takes('idempotency-key')) names.push('Idempotency-Replayed')
    if (response.properties?.data?.type === 'array') names.push('X-WP-Total')
    if (query?.properties.page) names.push('X-WP-TotalPages', 'Link')
  }
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
