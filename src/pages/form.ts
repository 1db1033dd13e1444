// Reads what a browser sends to pages: the fields of a posted form, and the parameters of a query.
import type { FastifyRequest } from 'fastify'
import { SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'

/** Values by field name, in the order in which they were sent. */
export type Form = ReadonlyMap<string, readonly string[]>

/** More fields than any form of the pages has. */
const maxFields = 5000

/**
 * Reads the body of a form, `application/x-www-form-urlencoded` as the URL standard defines it. Linear in the length of the body.
 * @throws SvcError 400 if it is not UTF-8, is wrongly escaped or has too many fields
 */
export function readForm(body: Uint8Array): Form {
  const form = new Map<string, string[]>()
  const text = decoded(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  if (text === '') return form
  const pairs = text.split('&', maxFields + 1)
  if (pairs.length > maxFields) throw unreadable(`has more than ${maxFields} fields`)
  for (const pair of pairs) {
    const separator = pair.indexOf('=')
    const [name, value] = separator < 0 ? [pair, ''] : [pair.slice(0, separator), pair.slice(separator + 1)]
    const key = unescaped(name)
    const values = form.get(key)
    if (values) values.push(unescaped(value))
    else form.set(key, [unescaped(value)])
  }
  return form
}

const unescaped = (text: string) => decoded(() => decodeURIComponent(text.replaceAll('+', ' ')))

function decoded(decode: () => string): string {
  try {
    return decode()
  } catch {
    throw unreadable('is not UTF-8, or is wrongly escaped')
  }
}

const unreadable = (problem: string) =>
  new SvcError('rest_invalid_param', { message: `The form ${problem}.` })

/** The fields of the form that was posted to a scope of `preparePages`; none if the body was empty. */
export const formOf = ({ body }: FastifyRequest): Form => (body instanceof Map ? body : new Map())

/** The last value of a field; '' if it was not sent. */
export const valueIn = (form: Form, name: string): string => form.get(name)?.at(-1) ?? ''

/** The last value of a query parameter; '' if it was not sent. */
export function queryValue({ query }: FastifyRequest, name: string): string {
  const value: unknown = [membersOf(query)[name]].flat().at(-1)
  return typeof value === 'string' ? value : ''
}

/** The number, from 1, of the page of a list that the query asks for in `page`. */
export const listPageOf = (request: FastifyRequest): number => listPageIn(queryValue(request, 'page'))

/** The number of a page of a list that a text contains; 1 if it contains none. */
export const listPageIn = (text: string): number => Number(/^[1-9]\d{0,5}$/.exec(text)?.[0] ?? 1)
