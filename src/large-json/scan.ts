// JSON text as UTF-8 bytes: where its strings, properties and items are, found without decoding or parsing it.

import { fromJson } from '../json/parse.ts'
import type { Extent } from '../json-text.ts'

export const quote = 34
export const comma = 44
export const colon = 58
const backslash = 92

export const isOpening = (code: number | undefined): boolean => code === 123 || code === 91
export const isClosing = (code: number | undefined): boolean => code === 125 || code === 93
export const isBlank = (code: number | undefined): boolean =>
  code === 32 || code === 10 || code === 13 || code === 9
export const isObjectText = (json: Uint8Array): boolean => json[afterBlanks(json, 0)] === 123

export function afterBlanks(json: Uint8Array, start: number): number {
  let at = start
  while (isBlank(json[at])) at++
  return at
}

/** The text without the whitespace around it. */
export function trimmed(json: Uint8Array): Uint8Array {
  let end = json.length
  while (end > 0 && isBlank(json[end - 1])) end--
  return json.subarray(afterBlanks(json, 0), end)
}

/** The position after the string that begins at `start`; beyond the end if it is not closed. */
export function afterString(json: Uint8Array, start: number): number {
  let at = start + 1
  for (; at < json.length; at++) {
    const code = json[at]
    if (code === quote) return at + 1
    if (code === backslash) at++
  }
  return json.length + 1
}

/** The position of the comma or bracket that ends the value which begins at `start`, or of whitespace before it. */
export function afterValue(json: Uint8Array, start: number): number {
  const code = json[start]
  if (code === quote) return afterString(json, start)
  let at = start
  if (!isOpening(code)) {
    while (at < json.length && !isEnd(json[at])) at++
    return at
  }
  for (let depth = 0; at < json.length; at++) {
    const code = json[at]
    if (code === quote) at = afterString(json, at) - 1
    else if (isOpening(code)) depth++
    else if (isClosing(code) && --depth === 0) return at + 1
  }
  return json.length + 1
}

const isEnd = (code: number | undefined) => code === comma || isClosing(code) || isBlank(code)

/** Depth and size; meaningless for other text. */
export function extentOf(json: Uint8Array): Extent {
  let depth = 0
  let deepest = 0
  let values = 1
  for (let at = 0; at < json.length; at++) {
    const code = json[at]
    if (code === quote) at = afterString(json, at) - 1
    else if (isOpening(code)) {
      values++
      if (++depth > deepest) deepest = depth
    } else if (isClosing(code)) depth--
    else if (code === comma) values++
  }
  return { depth: deepest, values }
}

/** The items of the array that begins at the start of compact JSON. */
export function* itemsOf<Json extends Uint8Array>(json: Json): Generator<Json> {
  for (let at = 1; at < json.length && !isClosing(json[at]); ) {
    const end = afterValue(json, at)
    yield json.subarray(at, end) as Json
    at = end + 1
  }
}

/** The values of the object that begins at the start of compact JSON. */
export function* valuesOf(json: Uint8Array): Generator<Uint8Array> {
  for (const { value, end } of propertiesAt(json)) yield json.subarray(value, end)
}

/** Positions of a property in the text: of its name with the quotes, and of its value. */
export interface Place {
  name: number
  value: number
  end: number
}

/** The properties of the object that begins at `start`, in compact JSON. */
export function* propertiesAt(json: Uint8Array, start = 0): Generator<Place> {
  for (let name = start + 1; json[name] === quote; ) {
    const value = afterString(json, name) + 1
    const end = afterValue(json, value)
    yield { name, value, end }
    name = end + 1
  }
}

/** The value of the property in compact JSON; undefined if it is no object or has no such property. */
export function propertyOf<Json extends Uint8Array>(json: Json, name: string): Json | undefined {
  if (json[0] !== 123) return undefined
  const written = Buffer.from(JSON.stringify(name))
  for (const place of propertiesAt(json))
    if (written.equals(json.subarray(place.name, place.value - 1)))
      return json.subarray(place.value, place.end) as Json
  return undefined
}

/**
 * The names of an object's properties in their order, each with its JSON text, which is not parsed; undefined
 * if it is not an object.
 * @throws SyntaxError if the part of the text that is read is not JSON
 */
export function propertiesOf(json: Uint8Array): [name: string, value: Uint8Array][] | undefined {
  let at = afterBlanks(json, 0)
  if (json[at] !== 123) return undefined
  const found: [string, Uint8Array][] = []
  at = afterBlanks(json, at + 1)
  while (json[at] !== 125 || found.length > 0) {
    if (json[at] !== quote) throw new SyntaxError('A property has no name.')
    const nameEnd = afterString(json, at)
    const name = String(fromJson(textOf(json.subarray(at, nameEnd))))
    at = afterBlanks(json, nameEnd)
    if (json[at] !== colon) throw new SyntaxError('A property has no value.')
    const value = afterBlanks(json, at + 1)
    const end = afterValue(json, value)
    found.push([name, json.subarray(value, end)])
    at = afterBlanks(json, end)
    if (json[at] === 125) break
    if (json[at] !== comma) throw new SyntaxError('The object is not closed.')
    at = afterBlanks(json, at + 1)
  }
  if (afterBlanks(json, at + 1) < json.length) throw new SyntaxError('Text follows the object.')
  return found
}

export const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString()
