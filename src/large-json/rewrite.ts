// Rewrites large JSON in slices: parsed as a whole, it would take many times its length in memory.
import { parseToWrite } from '../json/exact.ts'
import { fromJson } from '../json/parse.ts'
import { isWellFormed } from '../json/values.ts'
import { Positions } from './names.ts'
import { afterBlanks, afterString, afterValue, colon, comma, isOpening, quote, textOf } from './scan.ts'
import { Sink } from './sink.ts'

/** Bytes of adjacent items or properties that are parsed together. */
const usualLength = 256 * 1024

export interface Rewritten {
  /** The output of JSON.stringify, except that numbers keep their digits. */
  json: Uint8Array<SharedArrayBuffer>
  /** Number of items or properties; 0 if it is neither an array nor an object. */
  items: number
  /** False if a string or name contains a lone surrogate. */
  isWellFormed: boolean
}

/**
 * @param json UTF-8, nested a few hundred levels deep at most
 * @param check called with every parsed value, which may be a part of the whole
 * @param most bytes of the result, approximately
 * @throws SyntaxError as JSON.parse does, and what `check` throws; TooLong if the result is longer than `most`
 */
export function rewritten(
  json: Uint8Array,
  check: (value: unknown) => void = () => {},
  sliceLength = usualLength,
  most?: number,
): Rewritten {
  const sink = new Sink(json.length, most)
  let at = 0
  let items = 0
  let areWellFormed = true

  /** What JSON.stringify writes for this JSON, without its first and last characters. */
  function written(slice: string, cut = 1): string {
    const { value, write } = parseToWrite(slice)
    check(value)
    areWellFormed &&= isWellFormed(value)
    return write(value).slice(1, -cut)
  }

  const refuse = (): never => {
    throw new SyntaxError(`Unexpected character at position ${at}.`)
  }
  const skipBlanks = () => {
    at = afterBlanks(json, at)
  }

  /**
   * Passes a value. One that is too large to be parsed at once is written.
   * @param open writes what stands before it
   */
  function pass(open: () => void): boolean {
    const code = json[at]
    if (isOpening(code)) return passContainer(code === 123, open)
    const start = at
    at = afterValue(json, at)
    if (at === start || at > json.length) refuse()
    if (at - start < sliceLength) return false
    if (code === quote) {
      open()
      writeString(start, at)
      return true
    }
    return passNumber(json.subarray(start, at), open)
  }

  /** One with so many digits stays as it is. */
  function passNumber(digits: Uint8Array, open: () => void): boolean {
    if (digits.length < 400) return false
    const text = textOf(digits)
    // Refuses what is no number, or one out of range.
    check(fromJson(text))
    open()
    sink.bytes(digits)
    return true
  }

  function writeString(start: number, end: number): void {
    sink.text('"')
    for (let from = start + 1; from < end - 1; ) {
      const to = endOfPart(json, from, end - 1, sliceLength)
      sink.text(written(`"${textOf(json.subarray(from, to))}"`))
      from = to
    }
    sink.text('"')
  }

  function passContainer(isObject: boolean, open: () => void): boolean {
    const starts = new Positions()
    /** Where the part begins that is not written yet. */
    let from = -1
    /** Where its last item or property ends. */
    let last = 0
    let isOpen = false
    let count = 0
    const begin = () => {
      if (isOpen) sink.text(',')
      else {
        open()
        sink.text(isObject ? '{' : '[')
      }
      isOpen = true
    }
    const flush = () => {
      if (from < 0) return
      begin()
      const part = textOf(json.subarray(from, last))
      from = -1
      const place = sink.length
      if (isObject) {
        sink.text(written(`{${part}}`))
        sink.collect(place, starts)
      } else {
        const { value, write } = parseToWrite(`[${part}]`)
        check(value)
        areWellFormed &&= isWellFormed(value)
        count += (value as unknown[]).length
        sink.text(write(value).slice(1, -1))
      }
    }
    const close = isObject ? 125 : 93
    at++
    skipBlanks()
    if (json[at] === close) {
      at++
      return false
    }
    for (;;) {
      skipBlanks()
      const start = at
      if (from >= 0 && start - from >= sliceLength) flush()
      const nameEnd = isObject ? passName() : start
      const open = () => {
        flush()
        begin()
        if (!isObject) count++
        else {
          starts.push(sink.length)
          writeName(start, nameEnd)
        }
      }
      const value = at
      let isWritten = pass(open)
      if (!isWritten && nameEnd - start >= sliceLength) {
        open()
        sink.text(written(`[${textOf(json.subarray(value, at))}]`))
        isWritten = true
      }
      if (!isWritten && from < 0) from = start
      if (!isWritten) last = at
      skipBlanks()
      const code = json[at]
      if (code !== comma && code !== close) refuse()
      at++
      if (code === close) break
    }
    if (!isOpen) return false
    flush()
    items = isObject ? sink.order(starts) : count
    sink.text(isObject ? '}' : ']')
    return true
  }

  function writeName(start: number, end: number): void {
    if (end - start < sliceLength) sink.text(written(`{${textOf(json.subarray(start, end))}:0}`, 2))
    else {
      writeString(start, end)
      sink.text(':')
    }
  }

  /** @returns the end of the name, which the value follows */
  function passName(): number {
    if (json[at] !== quote) refuse()
    const end = afterString(json, at)
    at = afterBlanks(json, end)
    if (json[at] !== colon) refuse()
    at++
    skipBlanks()
    return end
  }

  skipBlanks()
  const isWritten = pass(() => {})
  skipBlanks()
  if (at < json.length) refuse()
  if (!isWritten) {
    const { value, write } = parseToWrite(textOf(json))
    check(value)
    areWellFormed &&= isWellFormed(value)
    sink.text(write(value))
    items = typeof value === 'object' && value !== null ? Object.keys(value).length : 0
  } else if (!isOpening(sink.written[0])) items = 0
  return { json: sink.written, items, isWellFormed: areWellFormed }
}

const backslash = 92

/** Where a part of a string can end, at least `length` bytes after `from`: not within a character or a surrogate pair. */
function endOfPart(json: Uint8Array, from: number, end: number, length: number): number {
  for (let at = from; at < end; ) {
    const start = at
    const isUnicode = json[at] === backslash && json[at + 1] === 117
    if (json[at] !== backslash) at++
    else at += isUnicode ? 6 : 2
    // The bytes of one character.
    while (((json[at] ?? 0) & 0xc0) === 0x80) at++
    if (at - from < length) continue
    if (!isUnicode || !isHigh(json, start) || !isEscape(json, at)) return Math.min(at, end)
  }
  return end
}

const isEscape = (json: Uint8Array, at: number) => json[at] === backslash && json[at + 1] === 117

/** Whether this escape is the first half of a surrogate pair: \ud8… to \udb…. */
function isHigh(json: Uint8Array, at: number): boolean {
  const [first = 0, second = 0] = [json[at + 2], json[at + 3]]
  return (
    (first | 32) === 100 && (second === 56 || second === 57 || (second | 32) === 97 || (second | 32) === 98)
  )
}
