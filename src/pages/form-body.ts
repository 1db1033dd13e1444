// Bodies of forms: application/x-www-form-urlencoded, strictly UTF-8 and with a bounded number of fields.
import { SvcError } from '../core/errors.ts'

/** Values by field name, in the order in which they were sent. */
export type Form = ReadonlyMap<string, readonly string[]>

/** More fields than any page has, with their digests. */
const maxFields = 5000

/**
 * Linear in the length of the body.
 * @throws SvcError 400 for what is not UTF-8, is wrongly escaped or has too many fields
 */
export function readForm(body: Uint8Array): Form {
  const form = new Map<string, string[]>()
  const text = decoded(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  if (text === '') return form
  const pairs = text.split('&', maxFields + 1)
  if (pairs.length > maxFields) throw unreadable(`has more than ${maxFields} fields`)
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
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

/** The last value of a field; empty if it was not sent. */
export const valueIn = (form: Form, name: string): string => form.get(name)?.at(-1) ?? ''
