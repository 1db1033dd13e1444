// Whether a client sends what is stored, at any size. Numbers are compared as doubles: it may send back fewer digits.
import { isDeepStrictEqual } from 'node:util'
import { parseExact, sameJson } from '../json.ts'
import { JsonText } from '../json-text.ts'
import { compacted, isDeep, JsonArgument, type JsonBytes } from '../large-json/bytes.ts'
import { isSameValue } from '../large-json/same.ts'
import { textOf } from '../large-json/scan.ts'
import { largeFrom, offThread } from './off-thread.ts'

/** Whether the value is the JSON's, with properties in the same order. Large values are compared on the other thread. */
export async function isSameJson(value: unknown, text: string): Promise<boolean> {
  return isLarge(value, text) ? sameElsewhere(value, text, true) : sameJson(value, text)
}

/** The same with properties in any order. */
export async function isEqualJson(value: unknown, text: string): Promise<boolean> {
  if (isLarge(value, text)) return sameElsewhere(value, text, false)
  const sent = JSON.stringify(value)
  return sent === text || isDeepStrictEqual(JSON.parse(sent), JSON.parse(text))
}

const isLarge = (value: unknown, text: string) => text.length >= largeFrom || value instanceof JsonText

const sameElsewhere = (value: unknown, text: string, isOrdered: boolean) =>
  offThread<boolean>(
    import.meta.url,
    'sameBytes',
    JsonArgument.ofValue(value),
    new JsonArgument(text),
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
    : isDeepStrictEqual(JSON.parse(textOf(sent)), JSON.parse(textOf(stored)))
}
