// Leaves out of a stored object what a merge patch replaces, so that it need not be rewritten in memory.

import { fromJson } from '../json/parse.ts'
import { afterBlanks, afterString, afterValue, isClosing, propertyOf, quote, textOf } from './scan.ts'

const backslash = 92

/**
 * The stored JSON, in which one property has a short value instead of its own: the property that takes more than half of
 * the text, if the patch replaces its value by one that surely differs. A merge has the same result, and the patch equals
 * neither of them.
 * @param stored valid JSON, with or without whitespace
 * @param patch as `rewritten` returns it
 */
export function withoutReplaced(stored: Uint8Array, patch: Uint8Array): Uint8Array {
  const start = afterBlanks(stored, 0)
  if (stored[start] !== 123) return stored
  for (let name = afterBlanks(stored, start + 1); stored[name] === quote; ) {
    const nameEnd = afterString(stored, name)
    const value = afterBlanks(stored, afterBlanks(stored, nameEnd) + 1)
    const end = afterValue(stored, value)
    if ((end - value) * 2 > stored.length) {
      const sent = propertyOf(patch, String(fromJson(textOf(stored.subarray(name, nameEnd)))))
      if (!sent || !surelyDiffer(sent, 0, stored, value)) return stored
      // It must not equal the value of the patch either.
      const other = Buffer.from(sent[0] === 110 ? '0' : 'null')
      return Buffer.concat([stored.subarray(0, value), other, stored.subarray(end)])
    }
    name = afterBlanks(stored, afterBlanks(stored, end) + 1)
  }
  return stored
}

/** Levels of arrays whose items are compared; each is another pass. */
const maxLevels = 4
/** Bytes of a number that is compared. */
const longestNumber = 400

/**
 * Whether these values differ, without rewriting them; false if that is not clear, as for two objects.
 * @param i where the first begins, which is as `rewritten` returns it
 */
function surelyDiffer(a: Uint8Array, i: number, b: Uint8Array, j: number, level = 0): boolean {
  const kind = kindOf(a[i])
  if (kind !== kindOf(b[j])) return true
  if (kind === quote) return stringsDiffer(a, i, b, j)
  if (kind === 91) return level < maxLevels && arraysDiffer(a, i, b, j, level)
  return kind === 48 && numbersDiffer(a.subarray(i, afterValue(a, i)), b.subarray(j, afterValue(b, j)))
}

/** The first byte of a value; 48 for all numbers. */
const kindOf = (code = 0) => (code === 45 || (code >= 48 && code <= 57) ? 48 : code)

function numbersDiffer(a: Uint8Array, b: Uint8Array): boolean {
  return a.length < longestNumber && b.length < longestNumber && Number(textOf(a)) !== Number(textOf(b))
}

function stringsDiffer(a: Uint8Array, i: number, b: Uint8Array, j: number): boolean {
  for (let at = 1; i + at < a.length; at++) {
    const [code, other] = [a[i + at], b[j + at]]
    // What the first escapes cannot be written without. The second may escape what the first does not.
    if (code !== other) return other !== backslash
    if (code === quote) return false
    if (code !== backslash) continue
    at++
    if (a[i + at] !== b[j + at] || a[i + at] === 117) return false
  }
  return false
}

function arraysDiffer(a: Uint8Array, i: number, b: Uint8Array, j: number, level: number): boolean {
  let [at, other] = [i + 1, afterBlanks(b, j + 1)]
  for (;;) {
    const isOver = isClosing(a[at])
    if (isOver !== isClosing(b[other])) return true
    if (isOver) return false
    if (surelyDiffer(a, at, b, other, level + 1)) return true
    at = afterValue(a, at)
    other = afterBlanks(b, afterValue(b, other))
    if (a[at] !== b[other]) return true
    if (isClosing(a[at])) return false
    at++
    other = afterBlanks(b, other + 1)
  }
}
