// Whether bytes are JSON, and how many items it has, told without parsing it: only names of the outermost object are kept.

import { fromJson } from '../json/parse.ts'
import { Names, Positions } from './names.ts'
import { afterBlanks, colon, comma, isOpening, quote, textOf } from './scan.ts'

const backslash = 92

/**
 * The number of items or properties of JSON that JSON.parse accepts; 0 if it is neither an array nor an object. Undefined
 * if it is no JSON, or deeper than `maxDepth`.
 * @param json UTF-8
 */
export function countedItems(json: Uint8Array, maxDepth: number): number | undefined {
  const isObject = new Uint8Array(maxDepth)
  const names = new Positions()
  let depth = 0
  let items = 0
  let at = afterBlanks(json, 0)

  /** Passes the name of a property, if one must stand here. @returns whether a value may follow */
  function beginItem(): boolean {
    const start = at
    if (isObject[depth - 1]) at = afterName(json, at)
    if (depth > 1) return at >= 0
    if (isObject[0]) names.push(start)
    else items++
    return at >= 0
  }

  for (;;) {
    const code = json[at]
    if (isOpening(code)) {
      if (depth === maxDepth) return undefined
      isObject[depth++] = code === 123 ? 1 : 0
      at = afterBlanks(json, at + 1)
      // The brackets of a pair differ by two.
      if (json[at] !== (code ?? 0) + 2) {
        if (!beginItem()) return undefined
        continue
      }
      at++
      depth--
    } else {
      at = afterScalar(json, at)
      if (at < 0) return undefined
    }
    for (; ; at++, depth--) {
      at = afterBlanks(json, at)
      if (depth === 0) return at === json.length ? items + distinct(json, names) : undefined
      if (json[at] === comma) break
      if (json[at] !== (isObject[depth - 1] ? 125 : 93)) return undefined
    }
    at = afterBlanks(json, at + 1)
    if (!beginItem()) return undefined
  }
}

/** Where the property's value begins; -1 if there is none. */
function afterName(json: Uint8Array, start: number): number {
  if (json[start] !== quote) return -1
  const end = afterString(json, start)
  if (end < 0) return -1
  const at = afterBlanks(json, end)
  return json[at] === colon ? afterBlanks(json, at + 1) : -1
}

/** The position after the string, number or literal that begins at `start`; -1 if there is none. */
function afterScalar(json: Uint8Array, start: number): number {
  switch (json[start]) {
    case quote:
      return afterString(json, start)
    case 116: // t
      return afterWord(json, start, 'true')
    case 102: // f
      return afterWord(json, start, 'false')
    case 110: // n
      return afterWord(json, start, 'null')
    default:
      return afterNumber(json, start)
  }
}

function afterWord(json: Uint8Array, start: number, word: string): number {
  for (let at = 0; at < word.length; at++) if (json[start + at] !== word.charCodeAt(at)) return -1
  return start + word.length
}

function afterString(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const code = json[at] ?? 0
    if (code === quote) return at + 1
    if (code < 32) return -1
    if (code !== backslash) continue
    const escaped = json[++at] ?? 0
    if (escaped === 117) {
      for (const end = at + 4; at < end; at++) if (!isHex(json[at + 1])) return -1
    } else if (!escapes.has(escaped)) return -1
  }
  return -1
}

const escapes = new Set(Buffer.from('"\\/bfnrt'))

const isDigit = (code: number | undefined) => code !== undefined && code >= 48 && code <= 57

const isHex = (code: number | undefined) =>
  isDigit(code) || (code !== undefined && (code | 32) >= 97 && (code | 32) <= 102)

function afterNumber(json: Uint8Array, start: number): number {
  let at = json[start] === 45 ? start + 1 : start
  const first = at
  at = afterDigits(json, at)
  if (at < 0 || (json[first] === 48 && at > first + 1)) return -1
  if (json[at] === 46) at = afterDigits(json, at + 1)
  if (at < 0 || ((json[at] ?? 0) | 32) !== 101) return at
  const sign = json[at + 1]
  return afterDigits(json, sign === 43 || sign === 45 ? at + 2 : at + 1)
}

/** -1 if there are none. */
function afterDigits(json: Uint8Array, start: number): number {
  let at = start
  while (isDigit(json[at])) at++
  return at > start ? at : -1
}

/** How many different names begin at these positions. */
function distinct(json: Uint8Array, starts: Positions): number {
  const names = new Names(json, starts)
  let count = 0
  let hasEscapes = false
  for (let index = 0; index < starts.length; index++) {
    const start = starts.at(index)
    hasEscapes ||= json.subarray(start, afterString(json, start)).includes(backslash)
    if (names.add(index) === index) count++
  }
  return hasEscapes ? new Set(decoded(json, starts)).size : count
}

/** Escapes may stand for the same characters. */
function* decoded(json: Uint8Array, starts: Positions): Generator<string> {
  for (let index = 0; index < starts.length; index++) {
    const start = starts.at(index)
    yield String(fromJson(textOf(json.subarray(start, afterString(json, start)))))
  }
}
