// JSON text that is counted and searched without being parsed.
import { fromJson } from './parse.ts'
import { afterString, quote } from './strings.ts'

/** Levels of nested arrays and objects that a request may have: as many as PHP reads. */
export const maxDepth = 512

/** Most values of a request body or a stored text. `[[],[],…` takes twenty times the time and memory of other JSON with the same length. */
export const maxValues = 500_000

/** Depth and size of a JSON text, counted without parsing it; meaningless for other text. */
export interface Extent {
  /** Levels of nested arrays and objects. */
  depth: number
  /**
   * Number of values, without property names; counts one too many for each empty array or object. What takes more time
   * to parse and merge exactly counts as several: `slowValues` more for a number with an exponent or with 16 or more digits in
   * a row, and for a property after the first `fastProperties` of its object; `newNameValues` more for a name that is new to the
   * text, `newEscapedNameValues` if it is escaped, and `escapedNameValues` for an escaped one that is known.
   */
  values: number
}

/** Weights: times of parsing and merging, as multiples of one value of `[1,1,…]`. */
const slowValues = 5
const newNameValues = 7
/** V8 keeps larger objects as hash tables. */
const fastProperties = 1000
const escapedNameValues = 8
/** A name that only escapes can write is read under another one, and its object is built again with the real name. */
const newEscapedNameValues = 22
const longDigits = 16
const zero = 48
const nine = 57

const unlimited: Extent = { depth: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY }

/**
 * One pass over the text.
 * @param most limits beyond which need not be counted; they are checked at each name, array and object
 */
export function extentOf(text: string, most: Extent = unlimited): Extent {
  let depth = 0
  let deepest = 0
  let values = 1
  /** The number of commas so far in each open array and object. */
  const commas: number[] = []
  const names = new NameSet(text)
  let digits = 0
  let nextBackslash = text.indexOf('\\')
  let isEscaped = false
  let start = 0
  let end = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // Large exponents are written as that many digits.
    if (digits > 0 && (code | 32) === 101) values += slowValues
    digits = code >= zero && code <= nine ? digits + 1 : 0
    if (digits === longDigits) values += slowValues
    switch (code) {
      case quote:
        start = at + 1
        end = afterString(text, start)
        at = end - 1
        isEscaped = nextBackslash >= 0 && nextBackslash < at
        if (isEscaped) nextBackslash = text.indexOf('\\', at)
        break
      case 58: // :
        if (names.isNew(start, end)) values += isEscaped ? newEscapedNameValues : newNameValues
        else if (isEscaped) values += escapedNameValues
        else if ((commas[depth - 1] ?? 0) >= fastProperties) values += slowValues
        if (values > most.values) return { depth: deepest, values }
        break
      case 91: // [
      case 123: // {
        values++
        commas[depth] = 0
        if (++depth > deepest) deepest = depth
        if (depth > most.depth || values > most.values) return { depth: deepest, values }
        break
      case 93: // ]
      case 125: // }
        depth--
        break
      case 44: // ,
        values++
        commas[depth - 1] = (commas[depth - 1] ?? 0) + 1
    }
  }
  return { depth: deepest, values }
}

/** Whether a JSON text may be parsed where other requests wait: it has the depth and the values of a body at most. */
export function isWithinLimits(text: string): boolean {
  const { depth, values } = extentOf(text, { depth: maxDepth, values: maxValues })
  return depth <= maxDepth && values <= maxValues
}

/** Random, so that a client cannot choose names that collide. */
const factor = Number(crypto.getRandomValues(new Uint32Array(1))) | 1

/** The names of one text. Takes one bit for each character of the text, and may take a new name for a known one. */
class NameSet {
  #text: string
  #bits: Uint32Array

  constructor(text: string) {
    this.#text = text
    this.#bits = new Uint32Array((text.length >>> 5) + 1)
  }

  /** Whether the name from `start` to `end` is here for the first time. */
  isNew(start: number, end: number): boolean {
    let hash = end - start
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ this.#text.charCodeAt(at), factor)
    // A multiplication carries only upwards.
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    hash ^= hash >>> 16
    const word = (hash >>> 5) % this.#bits.length
    const bit = 1 << (hash & 31)
    const bits = this.#bits[word] ?? 0
    this.#bits[word] = bits | bit
    return (bits & bit) === 0
  }
}

/** Number of items of the array, or properties of the object, in this JSON text; 0 for other values. One pass, without parsing. */
export function itemsOf(text: string): number {
  let depth = 0
  let commas = 0
  let isEmpty = true
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = afterString(text, at + 1) - 1
    // The characters { and [, } and ] differ in one bit.
    if ((code | 32) === 123) depth++
    else if ((code | 32) === 125) depth--
    else if (code === 44 && depth === 1) commas++
    else if (code > 32 && depth === 0) return 0
    if (isEmpty && code > 32 && (depth > 1 || (depth === 1 && (code | 32) !== 123))) isEmpty = false
  }
  return isEmpty ? 0 : commas + 1
}

/** Whether the object in this JSON text has one of these properties. One pass; parses only names. */
export function hasProperty(text: string, names: readonly string[]): boolean {
  let depth = 0
  let isName = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = afterString(text, at + 1)
      if (isName && depth === 1 && names.includes(String(fromJson(text.slice(at, end))))) return true
      isName = false
      at = end - 1
    } else if ((code | 32) === 123) {
      depth++
      isName = depth === 1
    } else if ((code | 32) === 125) depth--
    else if (code === 44) isName = true
  }
  return false
}
