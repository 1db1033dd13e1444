// Decodes streams of a PDF by their filters (PDF 32000-1 §7.4), in linear time, and refuses results beyond a limit.
import { constants, inflateSync } from 'node:zlib'
import { errorCode } from '../core/foreign.ts'
import { Undrawable } from './refusal.ts'

/** The refusal of a page that would take too long. */
export const tooLarge = () => new Undrawable('limit', 'The content of the PDF is too large.')

const damaged = () => new Undrawable('picture', 'The content of the PDF is damaged.')

interface FilterOptions {
  /** The most bytes of the result. */
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

/** The most filters of one stream. */
const maxFilters = 4

/**
 * Decodes bytes by one filter after the other.
 * @param names of the filters, in the order of the PDF
 * @returns undefined if a filter is not supported, or if there are too many
 * @throws Undrawable for damaged bytes, and beyond the limit
 */
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
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw damaged()
  }
}

/** Codes of LZW that are no sequences: one clears the table of sequences, the other ends the data. */
const [clear, end] = [256, 257]
/** The most codes, because they have at most 12 bits. */
const maxCodes = 4096

/** The sequences of bytes by their codes: that of the code `prefixes`, and one more byte. */
interface LzwSequences {
  prefixes: Uint16Array
  lastBytes: Uint8Array
  lengths: Uint32Array
}

/** The decoded bytes: the first `length` of the buffer. */
interface LzwOutput {
  buffer: Buffer
  length: number
  maxLength: number
}

/** PDF 32000-1 §7.4.4.2. */
function lzwDecoded(bytes: Buffer, { maxLength, isEarly }: FilterOptions): Buffer {
  const early = isEarly ? 1 : 0
  const sequences = singleBytes()
  const { prefixes, lastBytes, lengths } = sequences
  const buffer = Buffer.alloc(Math.min(maxLength, 4 * bytes.length + 64))
  const output: LzwOutput = { buffer, length: 0, maxLength }
  let [codeCount, width, previous] = [end + 1, 9, clear]
  let [bits, bitCount] = [0, 0]
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xff_ffff
    bitCount += 8
    if (bitCount < width) continue
    bitCount -= width
    const code = (bits >> bitCount) & ((1 << width) - 1)
    if (code === end) break
    if (code === clear) {
      ;[codeCount, width, previous] = [end + 1, 9, clear]
      continue
    }
    if (previous === clear) {
      if (code > clear) throw damaged()
      append(output, sequences, code)
    } else {
      const isNext = code === codeCount
      if (code > codeCount || (isNext && codeCount === maxCodes)) throw damaged()
      if (codeCount < maxCodes) {
        prefixes[codeCount] = previous
        lengths[codeCount] = (lengths[previous] ?? 0) + 1
      }
      // The next code is the previous sequence, followed by the first byte of the same sequence.
      const firstByte = isNext ? firstByteOf(sequences, previous) : append(output, sequences, code)
      if (codeCount < maxCodes) lastBytes[codeCount++] = firstByte
      if (isNext) append(output, sequences, code)
    }
    previous = code
    if (codeCount + early >= 1 << width && width < 12) width++
  }
  return output.buffer.subarray(0, output.length)
}

/** The sequences after a clear code: one byte each. */
function singleBytes(): LzwSequences {
  const prefixes = new Uint16Array(maxCodes)
  const [lastBytes, lengths] = [new Uint8Array(maxCodes), new Uint32Array(maxCodes)]
  for (let code = 0; code < clear; code++) [lastBytes[code], lengths[code]] = [code, 1]
  return { prefixes, lastBytes, lengths }
}

/** Appends the sequence of a code. @returns its first byte. @throws Undrawable beyond the limit */
function append(output: LzwOutput, { prefixes, lastBytes, lengths }: LzwSequences, code: number): number {
  const size = lengths[code] ?? 0
  const newLength = output.length + size
  if (newLength > output.maxLength) throw tooLarge()
  if (newLength > output.buffer.length)
    output.buffer = Buffer.concat([output.buffer], Math.min(output.maxLength, 2 * newLength))
  let current = code
  for (let index = newLength - 1; index >= output.length; index--) {
    output.buffer[index] = lastBytes[current] ?? 0
    current = prefixes[current] ?? 0
  }
  output.length = newLength
  return output.buffer[newLength - size] ?? 0
}

function firstByteOf({ prefixes, lastBytes, lengths }: LzwSequences, code: number): number {
  let current = code
  while ((lengths[current] ?? 0) > 1) current = prefixes[current] ?? 0
  return lastBytes[current] ?? 0
}

/** Characters of ASCII85: `!` is the digit 0, `z` stands for four bytes of zeros, `~` ends the data. */
const [firstDigit, zeros, tilde] = [0x21, 0x7a, 0x7e]

/** PDF 32000-1 §7.4.3. */
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

/** PDF 32000-1 §7.4.2. */
function hexDecoded(bytes: Buffer): Buffer {
  const stop = bytes.indexOf('>')
  const digits = bytes.toString('latin1', 0, stop < 0 ? bytes.length : stop).replaceAll(/[^0-9a-fA-F]/g, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}
