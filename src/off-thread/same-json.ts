// Whether a client sends what is stored, at any size. Numbers are compared as doubles: it may send back fewer digits.
import { isDeepStrictEqual } from 'node:util'
import { parseExact } from '../json/exact.ts'
import { fromJson } from '../json/parse.ts'
import { sameJson } from '../json/values.ts'
import { JsonText, type StoredJson } from '../json-text.ts'
import { compacted, isDeep, JsonArgument, type JsonBytes } from '../large-json/bytes.ts'
import { isSameValue } from '../large-json/same.ts'
import { textOf } from '../large-json/scan.ts'
import { largeFrom, offThread } from './off-thread.ts'

/** Whether the value is the JSON's, with properties in the same order. Large values are compared on the other thread. */
export async function isSameJson(value: unknown, json: StoredJson): Promise<boolean> {
  return mayBeHere(value, json) ? sameJson(value, json) : sameElsewhere(value, json, true)
}

/** The same with properties in any order. */
export async function isEqualJson(value: unknown, text: string | Uint8Array): Promise<boolean> {
  if (!mayBeHere(value, text)) return sameElsewhere(value, text, false)
  const sent = JSON.stringify(value)
  return sent === text || isDeepStrictEqual(fromJson(sent), fromJson(text))
}

const mayBeHere = (value: unknown, json: StoredJson | Uint8Array): json is string =>
  typeof json === 'string' && json.length < largeFrom && !(value instanceof JsonText)

const sameElsewhere = (value: unknown, json: StoredJson | Uint8Array, isOrdered: boolean) =>
  offThread<boolean>(
    import.meta.url,
    'sameBytes',
    JsonArgument.ofValue(value),
    new JsonArgument(json),
    isOrdered,
  )

/** Runs on the other thread. */
export function sameBytes(
  { json: sent }: JsonBytes,
  { json: stored }: JsonBytes,
  isOrdered: boolean,
): boolean {
  if (Buffer.compare(sent, stored) === 0) return true
  if (!isDeep(stored)) return isSameValue(sent, compacted(stored), isOrdered)
  return isOrdered
    ? sameJson(parseExact(textOf(sent)), textOf(stored))
    : isDeepStrictEqual(fromJson(textOf(sent)), fromJson(textOf(stored)))
}
