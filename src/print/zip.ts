// Reads untrusted ZIP archives (PKWARE's APPNOTE.TXT): ambiguous, hidden or too large content is refused before it is inflated.
import { pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { errorCode } from '../core/foreign.ts'

/** Reads bytes of the archive by position. */
export interface ZipSource {
  size: number
  /** Exactly `length` bytes. */
  read(position: number, length: number): Promise<Buffer>
}

export interface ZipLimits {
  /** Maximum number of entries, folders included. */
  entries: number
  /** Maximum bytes of all contents together, as their headers declare them. */
  bytes: number
  /** Maximum bytes of content for each compressed byte of an entry; entries of up to a MiB are exempt. */
  ratio: number
}

/** An entry as the central directory describes it. */
export interface ZipEntry {
  name: string
  /** Compression: 0 = stored, 8 = deflated. */
  method: number
  /** General purpose bit flag. */
  flags: number
  crc: number
  compressedSize: number
  /** Bytes of the content. */
  size: number
  /** Position of the local header. */
  offset: number
  /** Position of the next entry or of the directory, which the content must not exceed. */
  end: number
}

/** The archive is refused; the message is one sentence without names of entries. */
export class ZipRefused extends Error {
  override readonly name = 'ZipRefused'
}

/** Bytes of the fixed part of the end record, of a central header and of a local header. */
const endLength = 22
const centralLength = 46
const localLength = 30
const maxComment = 0xffff
/** Header ID of the ZIP64 extra field. */
const zip64Extra = 0x0001
/** Entries up to this size may be compressed at any ratio. */
const uncheckedSize = 1024 * 1024
/** Bytes that are read at once. */
const chunkLength = 64 * 1024
/** Flags: encrypted, patched data, strongly encrypted, masked headers. */
const refusedFlags = 0x1 | 0x20 | 0x40 | 0x2000
/** Flag: sizes and checksum follow the content. */
const hasDescriptor = 0x8

/**
 * The entries in the order of the central directory.
 * @throws ZipRefused
 */
export async function zipEntries(source: ZipSource, limits: ZipLimits): Promise<ZipEntry[]> {
  const { count, start, length } = await endOf(source)
  if (count > limits.entries) refuse(`it has more than ${limits.entries} entries`)
  if (length > limits.entries * 1024) refuse('its directory is too long')
  const directory = await source.read(start, length)
  const entries: ZipEntry[] = []
  let at = 0
  for (let i = 0; i < count; i++) {
    if (at + centralLength > length || directory.readUInt32LE(at) !== 0x02014b50)
      refuse('its directory is damaged')
    const lengths = [28, 30, 32].map((field) => directory.readUInt16LE(at + field))
    const next = lengths.reduce((sum, length) => sum + length, at + centralLength)
    if (next > length) refuse('its directory is damaged')
    entries.push(centralEntry(directory.subarray(at, next)))
    at = next
  }
  if (at !== length) refuse('its directory is damaged')
  checkSizes(entries, start, limits)
  return entries
}

/**
 * The content of an entry, whose local header, length and checksum must agree with the directory.
 * @throws ZipRefused, also in the middle of the content
 */
export async function* zipContent(source: ZipSource, entry: ZipEntry): AsyncGenerator<Buffer> {
  const start = await dataStart(source, entry)
  const inflate = entry.method === 8 ? createInflateRaw() : undefined
  let size = 0
  let crc = 0
  try {
    for await (const chunk of inflate
      ? inflatedBytes(source, start, entry, inflate)
      : archivedBytes(source, start, entry)) {
      size += chunk.length
      if (size > entry.size) refuse('an entry is longer than its header says')
      crc = crc32(chunk, crc)
      yield chunk
    }
    // Other data could be hidden after the end of a compressed stream.
    if (inflate && inflate.bytesWritten !== entry.compressedSize)
      refuse('an entry contains more than its content')
  } finally {
    inflate?.destroy()
  }
  if (size !== entry.size) refuse('an entry is shorter than its header says')
  if (crc !== entry.crc) refuse('the checksum of an entry is wrong')
}

/** The end record, which must be the last thing in the file and follow the directory at once. */
async function endOf(source: ZipSource) {
  const length = Math.min(source.size, endLength + maxComment)
  const tail = await source.read(source.size - length, length)
  for (let at = length - endLength; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== 0x06054b50) continue
    if (at + endLength + tail.readUInt16LE(at + 20) !== length) continue
    const [disk, first, here, count] = [4, 6, 8, 10].map((field) => tail.readUInt16LE(at + field))
    const [size, start] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)]
    const hasLocator = at >= 20 && tail.readUInt32LE(at - 20) === 0x07064b50
    if (hasLocator || count === 0xffff || size === 0xffffffff || start === 0xffffffff)
      refuse('it is a ZIP64 archive')
    if (disk !== 0 || first !== 0 || here !== count) refuse('it is one part of several')
    if (start + size !== source.size - length + at) refuse('its directory is not where its end says')
    return { count: count ?? 0, start, length: size }
  }
  return refuse('its end is missing')
}

function centralEntry(record: Buffer): ZipEntry {
  const [flags, method] = [record.readUInt16LE(8), record.readUInt16LE(10)]
  const [crc, compressedSize, size] = [
    record.readUInt32LE(16),
    record.readUInt32LE(20),
    record.readUInt32LE(24),
  ]
  const [nameLength, extraLength] = [record.readUInt16LE(28), record.readUInt16LE(30)]
  const offset = record.readUInt32LE(42)
  const nameEnd = centralLength + nameLength
  checkHeader(flags, method, record.subarray(nameEnd, nameEnd + extraLength))
  if ([compressedSize, size, offset].includes(0xffffffff)) refuse('it is a ZIP64 archive')
  if (record.readUInt16LE(34) !== 0) refuse('it is one part of several')
  if (method === 0 && compressedSize !== size) refuse('a header contradicts itself')
  // As bytes, so that the local header can be compared; only endings in ASCII are of interest.
  const name = record.toString('latin1', centralLength, nameEnd)
  // `checkSizes` sets the end, when all entries are known.
  return { name, method, flags, crc, compressedSize, size, offset, end: 0 }
}

function checkHeader(flags: number, method: number, extra: Buffer): void {
  if (flags & refusedFlags) refuse('it is encrypted')
  if (method !== 0 && method !== 8) refuse('it is compressed in an unusual way')
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === zip64Extra) refuse('it is a ZIP64 archive')
  }
}

/** Refuses entries that are too large or overlap, and sets the `end` of each. @param end position of the directory */
function checkSizes(entries: ZipEntry[], end: number, { bytes, ratio }: ZipLimits): void {
  if (entries.reduce((sum, { size }) => sum + size, 0) > bytes) refuse(`it contains more than ${bytes} bytes`)
  const isBomb = ({ size, compressedSize }: ZipEntry) => size > uncheckedSize && size > compressedSize * ratio
  if (entries.some(isBomb)) refuse('an entry is compressed more than pictures are')
  // Entries that share bytes would multiply the content of a small file.
  const inOrder = entries.toSorted((a, b) => a.offset - b.offset)
  inOrder.forEach((entry, i) => {
    entry.end = inOrder[i + 1]?.offset ?? end
    if (entry.offset + localLength + entry.name.length + entry.compressedSize > entry.end) {
      refuse('its entries overlap')
    }
  })
}

/** Where the content begins, after a local header that agrees with the directory. */
async function dataStart(source: ZipSource, entry: ZipEntry): Promise<number> {
  const header = await source.read(entry.offset, localLength)
  const [nameLength, extraLength] = [header.readUInt16LE(26), header.readUInt16LE(28)]
  const names = await source.read(entry.offset + localLength, nameLength + extraLength)
  const [flags, method] = [header.readUInt16LE(6), header.readUInt16LE(8)]
  checkHeader(flags, method, names.subarray(nameLength))
  const sizes = [14, 18, 22].map((field) => header.readUInt32LE(field))
  const expected = [entry.crc, entry.compressedSize, entry.size]
  // In an archive written as a stream, the sizes follow the content and are zero here.
  const agrees = sizes.every(
    (value, i) => value === expected[i] || ((flags & hasDescriptor) !== 0 && value === 0),
  )
  const isSame =
    header.readUInt32LE(0) === 0x04034b50 &&
    flags === entry.flags &&
    method === entry.method &&
    names.toString('latin1', 0, nameLength) === entry.name
  if (!agrees || !isSame) refuse('a header contradicts the directory')
  const start = entry.offset + localLength + nameLength + extraLength
  if (start + entry.compressedSize > entry.end) refuse('its entries overlap')
  return start
}

/** The bytes of an entry as the archive contains them, compressed or not. */
async function* archivedBytes(
  source: ZipSource,
  start: number,
  { compressedSize }: ZipEntry,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < compressedSize; at += chunkLength) {
    yield await source.read(start + at, Math.min(chunkLength, compressedSize - at))
  }
}

/** @throws ZipRefused if the bytes cannot be inflated */
async function* inflatedBytes(
  source: ZipSource,
  start: number,
  entry: ZipEntry,
  inflate: ReturnType<typeof createInflateRaw>,
): AsyncGenerator<Buffer> {
  // Errors reach the loop that reads `inflate`.
  pipeline(archivedBytes(source, start, entry), inflate, () => {})
  try {
    yield* inflate
  } catch (error) {
    if (errorCode(error)?.startsWith('Z_')) refuse('an entry is damaged')
    throw error
  }
}

function refuse(reason: string): never {
  throw new ZipRefused(`The ZIP file cannot be unpacked: ${reason}.`)
}
