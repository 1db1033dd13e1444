// Compares large JSON without parsing it. Numbers are compared as doubles, because a client may send back fewer digits.
import { Names, Positions } from './names.ts'
import { afterString, afterValue, comma, isClosing, propertiesAt, quote, textOf } from './scan.ts'

/**
 * Whether two JSON texts, both as `rewritten` returns them, have the same value.
 * @param isOrdered whether properties must be in the same order
 */
export function isSameValue(a: Uint8Array, b: Uint8Array, isOrdered: boolean): boolean {
  let [i, j] = [0, 0]

  function sameParts(iEnd: number, jEnd: number): boolean {
    if (iEnd - i !== jEnd - j) return false
    for (; i < iEnd; i++, j++) if (a[i] !== b[j]) return false
    return true
  }

  const sameStrings = () => sameParts(afterString(a, i), afterString(b, j))

  /** If it returns true, both positions are after the value. */
  function sameValues(): boolean {
    const code = a[i]
    if (code === 123) return b[j] === 123 && sameObjects()
    if (code === 91) return b[j] === 91 && sameArrays()
    if (code === quote) return b[j] === quote && sameStrings()
    const [iEnd, jEnd] = [afterValue(a, i), afterValue(b, j)]
    const [iStart, jStart] = [i, j]
    if (sameParts(iEnd, jEnd)) return true
    ;[i, j] = [iEnd, jEnd]
    const [number, other] = [a.subarray(iStart, iEnd), b.subarray(jStart, jEnd)]
    return isNumber(number[0]) && isNumber(other[0]) && Number(textOf(number)) === Number(textOf(other))
  }

  /** Whether both continue or both end, after which the positions are. */
  function isEnd(): boolean | undefined {
    if (a[i] !== b[j]) return undefined
    const end = isClosing(a[i])
    i++
    j++
    return end
  }

  function sameArrays(): boolean {
    for (let isFirst = true; ; isFirst = false) {
      i++
      j++
      if (isFirst && (isClosing(a[i]) || isClosing(b[j]))) return isEnd() === true
      if (!sameValues() || a[i] !== b[j]) return false
      if (a[i] !== comma) return isEnd() === true
    }
  }

  function sameObjects(): boolean {
    for (let isFirst = true; ; isFirst = false) {
      i++
      j++
      if (isFirst && (isClosing(a[i]) || isClosing(b[j]))) return isEnd() === true
      const [iName, jName] = [i, j]
      if (!sameStrings()) {
        ;[i, j] = [iName, jName]
        return !isOrdered && sameRests()
      }
      // After the colons.
      i++
      j++
      if (!sameValues() || a[i] !== b[j]) return false
      if (a[i] !== comma) return isEnd() === true
    }
  }

  /** The same for the rest of two objects, in any order. */
  function sameRests(): boolean {
    const starts = new Positions()
    let bEnd = j
    for (const { name, end } of propertiesAt(b, j - 1)) {
      starts.push(name)
      bEnd = end
    }
    const names = new Names(b, starts)
    for (let at = 0; at < starts.length; at++) names.add(at)
    let count = 0
    let aEnd = i
    for (const { name, value, end } of propertiesAt(a, i - 1)) {
      const found = names.find(a, name)
      if (found < 0) return false
      ;[i, j] = [value, afterString(b, starts.at(found)) + 1]
      if (!sameValues()) return false
      count++
      aEnd = end
    }
    ;[i, j] = [aEnd + 1, bEnd + 1]
    return count === starts.length
  }

  return sameValues() && i === a.length && j === b.length
}

const isNumber = (code: number | undefined) => code === 45 || (code !== undefined && code >= 48 && code <= 57)
