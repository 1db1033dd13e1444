// Escaped property names: where they are in a JSON text, and the text with names that need no decoding.
import { Pieces } from './pieces.ts'
import { afterString, isEscaped, quote } from './strings.ts'

const colon = 58
const comma = 44

/** A name that nobody else uses. Not by node:crypto, because the client runs in browsers, too. */
export const randomName = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** What every object with properties begins with. In JSON it matches outside of strings only, or at the end of one. */
const firstName = /\{[ \t\n\r]*"/
/** A name or a later item of an array, up to its first backslash. In JSON it matches nowhere inside of strings. */
const escapedName = /[{,][ \t\n\r]*"[^"\\]*\\/g
/** Where quotes are closer together than this, the regular expression is faster than hops from one to the next. */
const dense = 32

/** Whether JSON has a property name with a backslash. Meaningless for other text. */
export function hasEscapedName(text: string): boolean {
  const first = text.indexOf('\\')
  let steps = 0
  // In JSON a backslash is always inside of a string.
  for (let at = first; at >= 0; at = text.indexOf('\\', at)) {
    let end = text.indexOf('"', at)
    for (; isEscaped(text, end); end = text.indexOf('"', end + 1))
      if (++steps > 32 && end - first < steps * dense) return hasEscapedNameFrom(text, beforeString(text, at))
    if (end < 0) return false
    if (text.charCodeAt(afterBlanks(text, end + 1)) === colon) return true
    if (++steps > 32 && end - first < steps * dense) return hasEscapedNameFrom(text, end)
    at = end + 1
  }
  return false
}

/** The same from a position outside of a string, or at the end of one. */
function hasEscapedNameFrom(text: string, start: number): boolean {
  // A list of texts has no names at all.
  if (!firstName.test(text)) return false
  escapedName.lastIndex = start
  while (escapedName.test(text)) {
    let end = afterString(text, escapedName.lastIndex - 1)
    if (text.charCodeAt(afterBlanks(text, end)) === colon) return true
    // Short items that follow each other are passed faster without the expression.
    for (let next = end; text.charCodeAt(next) === comma && text.charCodeAt(next + 1) === quote; ) {
      end = next
      next = afterString(text, end + 2)
    }
    escapedName.lastIndex = end - 1
  }
  return false
}

/** The position before the string whose first backslash this is, and before the whitespace around its opening quote. */
function beforeString(text: string, backslashAt: number): number {
  let at = text.lastIndexOf('"', backslashAt) - 1
  while (isBlank(text.charCodeAt(at))) at--
  return Math.max(0, at)
}

const isBlank = (code: number) => code === 32 || code === 10 || code === 13 || code === 9

function afterBlanks(text: string, start: number): number {
  let at = start
  while (isBlank(text.charCodeAt(at))) at++
  return at
}

/** A text whose names have no escapes. */
export interface LiteralNames {
  text: string
  /** What stands in place of names that only escapes can write; undefined if there are none. */
  placeholders: Map<string, string> | undefined
}

/**
 * Writes names as they read. Everything else stays, so that the text is JSON exactly if it was.
 * @param decode of a string of JSON, in its quotes
 * @throws what `decode` throws
 */
export function withLiteralNames(text: string, decode: (source: string) => string): LiteralNames {
  const pieces = new Pieces()
  const known = new Map<string, string>()
  const placeholders = new Map<string, string>()
  const placeholderOf = new Map<string, string>()
  let mark: string | undefined
  const literal = (name: string) => {
    if (!needsEscapes.test(name)) return name
    mark ??= randomName()
    const placeholder = placeholderOf.get(name) ?? `${mark} ${placeholderOf.size}`
    placeholderOf.set(name, placeholder)
    placeholders.set(placeholder, name)
    return placeholder
  }
  let copied = 0
  let next = text.indexOf('\\')
  for (let start = text.indexOf('"'); start >= 0 && next >= 0; ) {
    const end = afterString(text, start + 1)
    if (next < end) {
      const isName = next > start && text.charCodeAt(afterBlanks(text, end)) === colon
      if (isName) {
        const source = text.slice(start, end)
        const name = known.get(source) ?? literal(decode(source))
        known.set(source, name)
        pieces.add(text.slice(copied, start + 1), name)
        copied = end - 1
      }
      next = text.indexOf('\\', end)
    }
    start = text.indexOf('"', end)
  }
  pieces.add(text.slice(copied))
  return { text: pieces.text, placeholders: placeholders.size > 0 ? placeholders : undefined }
}

/** Characters that JSON has only as escapes. */
const needsEscapes = /["\\\x00-\x1f]/
