// Escaped property names: where they are in a JSON text, and the text with names that need no decoding.
import { Pieces } from './pieces.ts'
import { randomName } from './random-name.ts'

const backslash = 92
const colon = 58

/** A string that may be a name and contains a backslash, up to the backslash. */
const escapedName = /[{,][ \t\n\r]*"[^"\\]*\\/g
/** Quotes that are closer together than this are passed faster by the regular expression. */
const dense = 32

/** Whether JSON has a property name with a backslash. Meaningless for other text. */
export function hasEscapedName(text: string): boolean {
  const first = text.indexOf('\\')
  let steps = 0
  // In JSON a backslash is always inside of a string.
  for (let at = first; at >= 0; at = text.indexOf('\\', at)) {
    if (++steps > 100 && at - first < steps * dense) return hasEscapedNameAfter(text, at)
    for (let end = text.indexOf('"', at); ; end = text.indexOf('"', end + 1)) {
      if (end < 0) return false
      steps++
      if (isEscaped(text, end)) continue
      at = end + 1
      break
    }
    if (text.charCodeAt(afterBlanks(text, at)) === colon) return true
  }
  return false
}

/** The same from a position outside of a name, by an expression that also finds items of arrays. */
function hasEscapedNameAfter(text: string, start: number): boolean {
  escapedName.lastIndex = start
  while (escapedName.test(text)) {
    const end = afterString(text, escapedName.lastIndex - 1)
    if (text.charCodeAt(afterBlanks(text, end)) === colon) return true
    escapedName.lastIndex = end - 1
  }
  return false
}

/** Whether the quote at this position, within or at the end of a string, follows an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === backslash) first--
  return (at - first) % 2 === 1
}

/** The position after the string that contains `from`; the end of the text if the string is not closed. */
function afterString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1))
    if (!isEscaped(text, end)) return end + 1
  return text.length
}

function afterBlanks(text: string, start: number): number {
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at)
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at
  }
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
