// Finds out whether a JSON text has escaped property names, which V8 misreads (parse.ts): about as fast as text can be searched.
import { afterString, isEscaped, quote } from './strings.ts'

const colon = 58
const comma = 44

/** The beginning of every object with properties. In JSON it matches outside of strings only, or at the end of one. */
const firstName = /\{[ \t\n\r]*"/
/** A name or a later item of an array, up to its first backslash. In JSON it matches nowhere inside of strings. */
const escapedName = /[{,][ \t\n\r]*"[^"\\]*\\/g
/** Hops from quote to quote with fewer characters between them on average are slower than the regular expression. */
const minHop = 32
/** Hops to make before their average length is judged. */
const firstHops = 32

/**
 * Whether JSON has a property name with a backslash, as `{"a\u0062":1}` has and `{"a":"\n"}` has not. Meaningless for other text.
 * It hops from each backslash to the end of its string, and changes to a regular expression if the hops turn out to be short.
 */
export function hasEscapedName(text: string): boolean {
  const first = text.indexOf('\\')
  let hops = 0
  /** Counts a hop to this position. @returns whether the hops so far are too short on average */
  const hopsAreShort = (position: number) => ++hops > firstHops && position - first < hops * minHop
  // In JSON a backslash is always inside of a string.
  for (let backslash = first; backslash >= 0; ) {
    let end = text.indexOf('"', backslash)
    for (; isEscaped(text, end); end = text.indexOf('"', end + 1))
      if (hopsAreShort(end)) return searchEscapedName(text, beforeString(text, backslash))
    if (end < 0) return false
    if (isName(text, end + 1)) return true
    if (hopsAreShort(end)) return searchEscapedName(text, end)
    backslash = text.indexOf('\\', end + 1)
  }
  return false
}

/** The same by a regular expression, from a position outside of a string or at the closing quote of one. */
function searchEscapedName(text: string, start: number): boolean {
  // A list of strings has no names at all.
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

/** The position before the string that has its first backslash at `backslash`, and before the whitespace that precedes the string. */
function beforeString(text: string, backslash: number): number {
  let position = text.lastIndexOf('"', backslash) - 1
  while (isBlank(text.charCodeAt(position))) position--
  return Math.max(0, position)
}

/** Whether the string that ends before position `end` is a property name: a colon follows. */
export function isName(text: string, end: number): boolean {
  let position = end
  while (isBlank(text.charCodeAt(position))) position++
  return text.charCodeAt(position) === colon
}

const isBlank = (code: number) => code === 32 || code === 10 || code === 13 || code === 9
