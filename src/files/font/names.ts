// Cleans the names in a font: programs that are given the file as source code must find none, and pages that show a name no markup.
import { FileRejected } from '../rejected.ts'

/** What begins code for PHP, ASP, a server-side include or a browser, wherever in a file it stands. */
const code = /<[?%]|<!--|<script/i
const longestCode = '<script'.length
const lineBreaks = /[\t\n\r]+/g
/** Bytes of names that are read; records may overlap, so that a small table could take long. */
const maxRead = 1 << 20
const maxStorage = 0xffff
const recordSize = 12
/** Platforms whose names are in UTF-16. */
const widePlatforms = new Set([0, 3])

/**
 * The `name` table without control characters and angle brackets in its strings, and without bytes that belong to none of them;
 * undefined if it already is. Wide characters whose bytes spell the beginning of code are removed, too.
 * @throws FileRejected for names that cannot be cleaned
 */
export function cleanNames(table: Buffer): Buffer | undefined {
  const { records, languages } = stringsOf(table)
  const isClean = [...records, ...languages].every(({ bytes, clean }) => bytes.equals(clean))
  if (isClean && !containsCode(table)) return undefined
  const rebuilt = build(table.readUInt16BE(0), records, languages)
  // Numbers in the records can spell it, too.
  if (containsCode(rebuilt)) throw new FileRejected('The names in the font contain program code.')
  return rebuilt
}

export const containsCode = (bytes: Buffer): boolean => code.test(bytes.toString('latin1'))

interface NameString {
  /** Platform, encoding, language and name; none for a language tag. */
  head: Buffer
  bytes: Buffer
  clean: Buffer
}

const none = Buffer.alloc(0)
const missing: NameString = { head: none, bytes: none, clean: none }

/** The strings within the table; what lies outside is left out. */
function stringsOf(table: Buffer): { records: NameString[]; languages: NameString[] } {
  const count = table.readUInt16BE(2)
  const storage = table.subarray(table.readUInt16BE(4))
  const seen = new Map<string, NameString>()
  let read = 0
  const stringAt = (at: number, isWide: boolean): NameString[] => {
    const [length, offset] = [table.readUInt16BE(at), table.readUInt16BE(at + 2)]
    if (offset + length > storage.length) return []
    const key = `${offset} ${length} ${isWide}`
    const known = seen.get(key)
    if (known) return [known]
    read += length
    if (read > maxRead) throw tooLarge()
    const bytes = storage.subarray(offset, offset + length)
    const found = { head: none, bytes, clean: isWide ? cleanWide(bytes) : cleanNarrow(bytes) }
    seen.set(key, found)
    return [found]
  }
  const records = Array.from({ length: count }, (_, index) => 6 + recordSize * index).flatMap((at) =>
    stringAt(at + 8, widePlatforms.has(table.readUInt16BE(at))).map((found) => ({
      ...found,
      head: table.subarray(at, at + 8),
    })),
  )
  const end = 6 + recordSize * count
  const languageCount = table.readUInt16BE(0) === 1 ? table.readUInt16BE(end) : 0
  // Records refer to language tags by their number.
  const languages = Array.from(
    { length: languageCount },
    (_, index) => stringAt(end + 2 + 4 * index, true)[0] ?? missing,
  )
  return { records, languages }
}

/** UTF-16. */
function cleanWide(bytes: Buffer): Buffer {
  const text = Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le')
  const clean = text.replace(lineBreaks, ' ').replace(/[\p{Cc}\p{Cs}<>\ufffe\uffff]/gu, '')
  return withoutCode(Buffer.from(clean, 'utf16le').swap16())
}

/** A single-byte encoding, or one whose bytes below 0x40 are ASCII wherever they stand. */
function cleanNarrow(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replace(lineBreaks, ' ')
  return Buffer.from(text.replace(/[\0-\x1f\x7f<>]/g, ''), 'latin1')
}

/** Removes each wide character that completes the beginning of code. */
function withoutCode(wide: Buffer): Buffer {
  if (!containsCode(wide)) return wide
  const kept = Buffer.alloc(wide.length)
  let length = 0
  for (let at = 0; at < wide.length; at += 2) {
    wide.copy(kept, length, at, at + 2)
    if (!containsCode(kept.subarray(Math.max(0, length - longestCode), length + 2))) length += 2
  }
  return kept.subarray(0, length)
}

function build(version: number, records: NameString[], languages: NameString[]): Buffer {
  const size = 6 + recordSize * records.length + (version === 1 ? 2 + 4 * languages.length : 0)
  const storage: Buffer[] = []
  const offsets = new Map<string, number>()
  let length = 0
  const place = (clean: Buffer): Buffer => {
    const key = clean.toString('latin1')
    const entry = Buffer.alloc(4)
    const known = offsets.get(key)
    const offset = known ?? length
    if (known === undefined) {
      offsets.set(key, offset)
      // The end of one string and the beginning of the next one could spell code together.
      const padded = Buffer.concat([clean, Buffer.alloc(2)])
      storage.push(padded)
      length += padded.length
    }
    if (offset + clean.length > maxStorage) throw tooLarge()
    entry.writeUInt16BE(clean.length, 0)
    entry.writeUInt16BE(offset, 2)
    return entry
  }
  const header = Buffer.alloc(6)
  for (const [index, value] of [version, records.length, size].entries())
    header.writeUInt16BE(value, 2 * index)
  const entries = records.map(({ head, clean }) => Buffer.concat([head, place(clean)]))
  const tags = Buffer.alloc(version === 1 ? 2 : 0)
  if (version === 1) tags.writeUInt16BE(languages.length)
  return Buffer.concat([header, ...entries, tags, ...languages.map(({ clean }) => place(clean)), ...storage])
}

const tooLarge = () => new FileRejected('The names in the font are too large.')
