// Counts and searches JSON text without parsing it, so that too large bodies and stored texts are refused before they cost time.
import { fromJson } from './parse.ts'
import { afterString, quote } from './strings.ts'

/** Levels of nested arrays and objects that a request may have: as many as PHP's json_decode reads by default. */
export const maxDepth = 512

/** Maximum of `Extent.values` for a request body or a stored text: parsing and merging it takes 0.2 s at most (see `weights`). */
export const maxValues = 500_000

/** Depth and size of a JSON text, counted without parsing it; meaningless for other text. */
export interface Extent {
  /** Levels of nested arrays and objects. */
  depth: number
  /**
   * Number of values by the time that parsing (`parseExact`) and merging (`mergePatch`) them takes. An array, an object and
   * each of their items counts 1, an empty one 2; a slow part counts so many more as `weights` says.
   */
  values: number
}

/**
 * What slow parts of a JSON text count in addition, so that no value counted takes longer than 0.4 µs. Measured on Node 24 with
 * 200,000 parts of each kind, parsed by `parseExact` and merged by `mergePatch`, in µs per counted value: distinct strings 0.26,
 * long numbers 0.14, new names 0.08 (0.25 in one object), escaped names 0.02, new escaped names 0.21 (0.32 in one object).
 */
const weights = {
  /** A number with an exponent, which V8 parses up to five times as slowly as an integer; or one with `longDigits` digits in a row, which `parseExact` may replace. */
  slowNumber: 5,
  /** A property after the first `fastProperties` of its object, which V8 keeps as a hash table. */
  propertyOfLargeObject: 5,
  /** A name that did not occur in the text before: V8 gives the object a new hidden class. */
  newName: 7,
  /** An escaped name that occurred before; `fromJson` looks its decoded form up. */
  escapedName: 8,
  /** An escaped name that is new: `fromJson` reads its object under a placeholder and builds it again with the real name. */
  newEscapedName: 22,
}
/** Properties of an object up to which V8 does not use a hash table. */
const fastProperties = 1000
const longDigits = 16
const zero = 48
const nine = 57

const unlimited: Extent = { depth: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY }

/**
 * Measures a JSON text in one pass.
 * @param most limits at which counting stops; they are checked at each name, array and object, so that the result exceeds them a little
 */
export function extentOf(text: string, most: Extent = unlimited): Extent {
  let depth = 0
  let deepest = 0
  let values = 1
  /** The number of commas so far in each open array and object. */
  const commas: number[] = []
  const names = new NameSet(text)
  /** The number of digits directly before the position. */
  let digits = 0
  let nextBackslash = text.indexOf('\\')
  // The last string: its content lies from `start` to `end`. It turns out to be a name when a colon follows.
  let isEscaped = false
  let start = 0
  let end = 0
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position)
    // The exponent: 101 is `e`, and `E` differs from it in the bit of 32.
    if (digits > 0 && (code | 32) === 101) values += weights.slowNumber
    digits = code >= zero && code <= nine ? digits + 1 : 0
    if (digits === longDigits) values += weights.slowNumber
    switch (code) {
      case quote:
        start = position + 1
        end = afterString(text, start)
        position = end - 1
        isEscaped = nextBackslash >= 0 && nextBackslash < position
        if (isEscaped) nextBackslash = text.indexOf('\\', position)
        break
      case 58: // :
        if (names.isNew(start, end)) values += isEscaped ? weights.newEscapedName : weights.newName
        else if (isEscaped) values += weights.escapedName
        else if ((commas[depth - 1] ?? 0) >= fastProperties) values += weights.propertyOfLargeObject
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

/** Whether a JSON text is within the limits of a request body, so that parsing it does not delay other requests noticeably. */
export function isWithinLimits(text: string): boolean {
  const { depth, values } = extentOf(text, { depth: maxDepth, values: maxValues })
  return depth <= maxDepth && values <= maxValues
}

/** An odd factor of the hash; random, so that a client cannot choose names that collide. */
const factor = Number(crypto.getRandomValues(new Uint32Array(1))) | 1

/**
 * The names of one text, as a Bloom filter of one hash: a name sets one bit, and its bit tells later whether it was there. It has
 * a bit for each character of the text, so that few names share one; such a name is taken for an old one.
 */
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
    for (let position = start; position < end; position++)
      hash = Math.imul(hash ^ this.#text.charCodeAt(position), factor)
    // The finalizer of MurmurHash3 spreads all bits: a multiplication alone carries only upwards.
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

/** The number of items of the array, or of properties of the object, that a JSON text is; 0 for other values. Counts the commas of the outermost level. */
export function itemsOf(text: string): number {
  let depth = 0
  let commas = 0
  let isEmpty = true
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code === quote) position = afterString(text, position + 1) - 1
    // The characters { and [, } and ] differ in one bit.
    if ((code | 32) === 123) depth++
    else if ((code | 32) === 125) depth--
    else if (code === 44 && depth === 1) commas++
    else if (code > 32 && depth === 0) return 0
    const isContent = code > 32 && (depth > 1 || (depth === 1 && (code | 32) !== 123))
    if (isContent) isEmpty = false
  }
  return isEmpty ? 0 : commas + 1
}

/** Whether the object that a JSON text is has one of these properties itself, not in its parts. One pass; parses only names. */
export function hasProperty(text: string, names: readonly string[]): boolean {
  let depth = 0
  let isName = false
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code === quote) {
      const end = afterString(text, position + 1)
      if (isName && depth === 1 && names.includes(String(fromJson(text.slice(position, end))))) return true
      isName = false
      position = end - 1
    } else if ((code | 32) === 123) {
      depth++
      isName = depth === 1
    } else if ((code | 32) === 125) depth--
    else if (code === 44) isName = true
  }
  return false
}
