// Where a JSON text has escaped property names, about as fast as text can be searched.
import { afterString, isEscaped, quote } from './strings.ts'

const colon = 58
const comma = 44

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
    if (isName(text, end + 1)) return true
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
    if (isName(text, end)) return true
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

/** Whether the string that ends at this position is a name. */
export function isName(text: string, end: number): boolean {
  let at = end
  while (isBlank(text.charCodeAt(at))) at++
  return text.charCodeAt(at) === colon
}

const isBlank = (code: number) => code === 32 || code === 10 || code === 13 || code === 9
