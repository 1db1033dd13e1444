// Filters of streams in a PDF (PDF 32000-1 §7.4), in linear time, none of which gives more bytes than allowed.
import { constants, inflateSync } from 'node:zlib'
import { Undrawable } from './refusal.ts'

/** Of a page that would take too long. */
export const tooLarge = () => new Undrawable('limit', 'The content of the PDF is too large.')

const damaged = () => new Undrawable('picture', 'The content of the PDF is damaged.')

interface FilterOptions {
  maxLength: number
  /** Whether the codes of LZW become longer one code early, as by default. */
  isEarly: boolean
}

type Decode = (bytes: Buffer, options: FilterOptions) => Buffer

const filters = new Map<string, Decode>([
  ['FlateDecode', inflated],
  ['Fl', inflated],
  ['LZWDecode', lzwDecoded],
  ['LZW', lzwDecoded],
  ['ASCII85Decode', ascii85Decoded],
  ['A85', ascii85Decoded],
  ['ASCIIHexDecode', hexDecoded],
  ['AHx', hexDecoded],
])

/** Filters of one stream. */
const maxFilters = 4

/** @returns undefined if a filter is none of these. @throws Undrawable for damaged bytes, and beyond the limit */
export function filtered(
  bytes: Buffer,
  names: readonly string[],
  options: FilterOptions,
): Buffer | undefined {
  if (names.length > maxFilters) return undefined
  let result = bytes
  for (const name of names) {
    const decode = filters.get(name)
    if (!decode) return undefined
    result = decode(result, options)
  }
  if (result.length > options.maxLength) throw tooLarge()
  return result
}

function inflated(bytes: Buffer, { maxLength }: FilterOptions): Buffer {
  try {
    // Some programs omit the checksum at the end.
    return inflateSync(bytes, { maxOutputLength: maxLength, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw damaged()
  }
}

/** Codes of LZW that are no sequences. */
const [clear, end] = [256, 257]
const maxCodes = 4096

function lzwDecoded(bytes: Buffer, { maxLength, isEarly }: FilterOptions): Buffer {
  const early = isEarly ? 1 : 0
  // Each sequence is that of another code and one more byte.
  const [before, last, lengths] = [
    new Uint16Array(maxCodes),
    new Uint8Array(maxCodes),
    new Uint32Array(maxCodes),
  ]
  for (let code = 0; code < clear; code++) [last[code], lengths[code]] = [code, 1]
  let result = Buffer.alloc(Math.min(maxLength, 4 * bytes.length + 64))
  let length = 0
  let [count, width, previous] = [end + 1, 9, clear]
  let [bits, held] = [0, 0]
  /** @returns the first byte of the sequence */
  const write = (code: number): number => {
    const size = lengths[code] ?? 0
    if (length + size > maxLength) throw tooLarge()
    if (length + size > result.length)
      result = Buffer.concat([result], Math.min(maxLength, 2 * (length + size)))
    let rest = code
    for (let at = length + size - 1; at >= length; at--) {
      result[at] = last[rest] ?? 0
      rest = before[rest] ?? 0
    }
    length += size
    return result[length - size] ?? 0
  }
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xff_ffff
    held += 8
    if (held < width) continue
    held -= width
    const code = (bits >> held) & ((1 << width) - 1)
    if (code === end) break
    if (code === clear) {
      ;[count, width, previous] = [end + 1, 9, clear]
      continue
    }
    if (previous === clear) {
      if (code > clear) throw damaged()
      write(code)
    } else {
      const isNext = code === count
      if (code > count || (isNext && count === maxCodes)) throw damaged()
      if (count < maxCodes) {
        before[count] = previous
        lengths[count] = (lengths[previous] ?? 0) + 1
      }
      // The next code is the previous sequence, followed by its own first byte.
      const first = isNext ? firstOf(previous) : write(code)
      if (count < maxCodes) last[count++] = first
      if (isNext) write(code)
    }
    previous = code
    if (count + early >= 1 << width && width < 12) width++
  }
  return result.subarray(0, length)

  function firstOf(code: number): number {
    let first = code
    while ((lengths[first] ?? 0) > 1) first = before[first] ?? 0
    return last[first] ?? 0
  }
}

const [firstDigit, zeros, tilde] = [0x21, 0x7a, 0x7e]

function ascii85Decoded(bytes: Buffer): Buffer {
  const result = Buffer.alloc(4 * bytes.length + 4)
  let [length, value, digits] = [0, 0, 0]
  for (const byte of bytes) {
    if (byte === tilde) break
    if (byte === zeros && digits === 0) length += 4
    if (byte < firstDigit || byte >= firstDigit + 85) continue
    value = value * 85 + byte - firstDigit
    digits++
    if (digits < 5) continue
    length = result.writeUInt32BE(value % 2 ** 32, length)
    value = 0
    digits = 0
  }
  if (digits < 2) return result.subarray(0, length)
  for (let digit = digits; digit < 5; digit++) value = value * 85 + 84
  result.writeUInt32BE(value % 2 ** 32, length)
  return result.subarray(0, length + digits - 1)
}

function hexDecoded(bytes: Buffer): Buffer {
  const stop = bytes.indexOf('>')
  const digits = bytes.toString('latin1', 0, stop < 0 ? bytes.length : stop).replaceAll(/[^0-9a-fA-F]/g, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}
