// Rewrites large JSON in slices: parsed as a whole, it would take many times its length in memory.
import { isWellFormed, parseToWrite } from '../json.ts'
import { afterString } from '../json-text.ts'

/** Characters of adjacent items or properties that are parsed together. */
const usualLength = 256 * 1024
/** A string that is kept as written. */
const plain = /^"[^"\\\u0000-\u001f\ud800-\udfff]*"$/

export interface Rewritten {
  /** The output of JSON.stringify, except that numbers keep their digits; large pieces are UTF-8. */
  pieces: Piece[]
  /** Number of items or properties; 0 if it is neither an array nor an object. */
  items: number
  /** False if a string or name contains a lone surrogate. */
  isWellFormed: boolean
}

type Piece = string | Uint8Array

const quote = 34
const comma = 44
const colon = 58
const isOpening = (code: number) => (code | 32) === 123
const isBlank = (code: number) => code === 32 || code === 10 || code === 13 || code === 9

/**
 * @param text JSON that is nested a few hundred levels deep at most
 * @param check called with every parsed value, which may be a part of the whole
 * @throws SyntaxError as JSON.parse does, and what `check` throws
 */
export function rewritten(
  text: string,
  check: (value: unknown) => void,
  sliceLength = usualLength,
): Rewritten {
  let at = 0
  let areWellFormed = true

  function parsed(slice: string) {
    const { value, write } = parseToWrite(slice)
    check(value)
    areWellFormed &&= isWellFormed(value)
    return { value, write }
  }

  const refuse = (): never => {
    throw new SyntaxError(`Unexpected character at position ${at}.`)
  }
  const skipBlanks = () => {
    while (isBlank(text.charCodeAt(at))) at++
  }

  /** Skips a value; returns the rewritten pieces of one that is too large to be parsed at once. */
  function passed(): Container | undefined {
    const code = text.charCodeAt(at)
    if (isOpening(code)) return passedContainer(code === 123)
    const start = at
    if (code === quote) {
      at = afterString(text, at)
      const string = at - start < sliceLength ? '' : text.slice(start, at)
      if (plain.test(string)) return { pieces: [string], items: 0 }
    } else while (at < text.length && !isEnd(text.charCodeAt(at))) at++
    if (at === start) refuse()
    return undefined
  }

  function passedContainer(isObject: boolean): Container | undefined {
    const written = isObject ? writtenProperties(parsed) : writtenItems(parsed)
    const close = text.charCodeAt(at) + 2
    at++
    /** Start of the part that is not written yet, and the last comma. */
    let from = at
    let last = at - 1
    skipBlanks()
    if (text.charCodeAt(at) === close) {
      at++
      return undefined
    }
    for (;;) {
      skipBlanks()
      const name = isObject ? passedName() : ''
      const inner = passed()
      skipBlanks()
      const code = text.charCodeAt(at)
      if (code !== comma && code !== close) refuse()
      if (inner) {
        if (from < last) written.add(text.slice(from, last))
        written.addPieces(name, inner.pieces)
        from = at + 1
      } else if (at - from >= sliceLength) {
        written.add(text.slice(from, at))
        from = at + 1
      }
      last = at
      at++
      if (code === close) break
    }
    if (written.isEmpty()) return undefined
    if (from < last) written.add(text.slice(from, last))
    return written.whole()
  }

  /** The name of a property as written. */
  function passedName(): string {
    if (text.charCodeAt(at) !== quote) refuse()
    const start = at
    at = afterString(text, at)
    const name = text.slice(start, at)
    skipBlanks()
    if (text.charCodeAt(at) !== colon) refuse()
    at++
    skipBlanks()
    return name
  }

  skipBlanks()
  const container = passed()
  skipBlanks()
  if (at < text.length) refuse()
  if (container) return { ...container, isWellFormed: areWellFormed }
  const { value, write } = parsed(text)
  const items = typeof value === 'object' && value !== null ? Object.keys(value).length : 0
  return { pieces: [write(value)], items, isWellFormed: areWellFormed }
}

const isEnd = (code: number) => code === comma || code === 93 || code === 125

type Parse = (slice: string) => { value: unknown; write(part: unknown): string }

/** A written array or object. */
interface Container {
  pieces: Piece[]
  items: number
}

interface Written {
  /** Items or properties as written, with commas between them. */
  add(slice: string): void
  /** One rewritten item or property. */
  addPieces(name: string, pieces: Piece[]): void
  isEmpty(): boolean
  whole(): Container
}

/** Bytes take less memory than a string with wide characters. */
const packed = (text: string): Piece => (text.length < 4096 ? text : Buffer.from(text))

function writtenItems(parse: Parse): Written {
  const pieces: Piece[] = []
  let items = 0
  const begin = () => pieces.push(pieces.length === 0 ? '[' : ',')
  return {
    add(slice) {
      const { value, write } = parse(`[${slice}]`)
      items += (value as unknown[]).length
      begin()
      pieces.push(packed(write(value).slice(1, -1)))
    },
    addPieces(_name, inner) {
      items++
      begin()
      for (const piece of inner) pieces.push(piece)
    },
    isEmpty: () => items === 0,
    whole: () => ({ pieces: [...pieces, ']'], items }),
  }
}

/** As JSON.parse does: of equal names the last value counts, at the position of the first, and integer names come first. */
function writtenProperties(parse: Parse): Written {
  const values: Record<string, Piece | Piece[]> = Object.create(null)
  return {
    add(slice) {
      const { value, write } = parse(`{${slice}}`)
      for (const [name, part] of Object.entries(value as object)) values[name] = packed(write(part))
    },
    addPieces(source, inner) {
      const { value } = parse(`{${source}:0}`)
      for (const name of Object.keys(value as object)) values[name] = inner
    },
    isEmpty: () => Object.keys(values).length === 0,
    whole() {
      const pieces: Piece[] = []
      const entries = Object.entries(values)
      for (const [name, part] of entries) {
        pieces.push(`${pieces.length === 0 ? '{' : ','}${JSON.stringify(name)}:`)
        if (Array.isArray(part)) for (const piece of part) pieces.push(piece)
        else pieces.push(part)
      }
      pieces.push('}')
      return { pieces, items: entries.length }
    },
  }
}

/**
 * The names of an object's properties in their order, each with its JSON text, which is not parsed; undefined
 * if it is not an object.
 * @throws SyntaxError if the part of the text that is read is not JSON
 */
export function propertiesOf(text: string): [name: string, value: string][] | undefined {
  const start = text.search(/[^ \n\r\t]/)
  if (text.charAt(start) !== '{') return undefined
  const found: [string, string][] = []
  let depth = 0
  let from = start + 1
  let at = start
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = afterString(text, at) - 1
    else if (isOpening(code)) depth++
    else if (isOpening(code - 2) && --depth === 0) break
    else if (code === comma && depth === 1) {
      found.push(propertyOf(text.slice(from, at)))
      from = at + 1
    }
  }
  const rest = text.slice(from, at)
  if (found.length > 0 || rest.trim() !== '') found.push(propertyOf(rest))
  if (text.charAt(at) !== '}' || text.slice(at + 1).trim() !== '')
    throw new SyntaxError('The object is not closed.')
  return found
}

function propertyOf(source: string): [name: string, value: string] {
  const start = source.search(/[^ \n\r\t]/)
  const end = source.charCodeAt(start) === quote ? afterString(source, start) : 0
  const [blanks = '', sign] = /^[ \n\r\t]*(:)?/.exec(source.slice(end, end + 1000)) ?? []
  if (sign === undefined) throw new SyntaxError('A property has no name.')
  return [JSON.parse(source.slice(start, end)), source.slice(end + blanks.length)]
}
