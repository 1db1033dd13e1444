// Cleans the names in a font (OpenType `name` and `post`): a server that runs the file must find no code in it, and a page that
// shows a name no markup.
import { FileRejected } from '../rejected.ts'

/** The beginning of code for PHP, ASP, a server-side include or a browser, which run it wherever in a file it stands. */
const codeStart = /<[?%]|<!--|<script/gi
/** Bytes of a name record: platform, encoding, language, name id, length, offset. */
const recordSize = 12
/** Whether names are in UTF-16: those of Unicode, and of Windows in its encodings of symbols and Unicode (OpenType `name`). */
const isWide = (platform: number, encoding: number) =>
  platform === 0 || (platform === 3 && [0, 1, 10].includes(encoding))
/** The name id of the PostScript name. Programs write it into PostScript and PDF, so it must not contain their delimiters. */
const postscriptName = 6

const containsCode = (bytes: Buffer): boolean => bytes.toString('latin1').search(codeStart) >= 0

/**
 * The `name` table with spaces in place of control characters and angle brackets in its strings, of delimiters of PostScript in
 * its PostScript names, and of `<` wherever bytes spell the beginning of code. All offsets stay valid, as no length changes.
 * @throws FileRejected for names that cannot be cleaned
 */
export function withCleanNames(table: Buffer): Buffer {
  const clean = cleanOnce(table)
  // Cleaning one string may damage another that overlaps it, and numbers in the records can spell code, too.
  if (!cleanOnce(clean).equals(clean) || containsCode(clean))
    throw new FileRejected('The names in the font contain program code.')
  return clean
}

/** A copy of the table in which each string is cleaned once, in the order of the records. */
function cleanOnce(table: Buffer): Buffer {
  const clean = Buffer.from(table)
  const count = table.readUInt16BE(2)
  const storage = clean.subarray(table.readUInt16BE(4))
  const recordsEnd = 6 + recordSize * count
  /** Cleans the string whose length and offset stand at `place` in the table. */
  const cleanString = (place: number, { wide, forbidden }: { wide: boolean; forbidden: RegExp }) => {
    const [length, offset] = [table.readUInt16BE(place), table.readUInt16BE(place + 2)]
    const text = storage.subarray(offset, offset + length)
    // A last odd byte is no character of UTF-16.
    const whole = wide ? text.subarray(0, text.length & ~1) : text
    const cleaned = wide ? cleanUtf16(whole, forbidden) : cleanBytes(whole, forbidden)
    cleaned.copy(whole)
  }
  for (let record = 6; record < recordsEnd; record += recordSize) {
    const wide = isWide(table.readUInt16BE(record), table.readUInt16BE(record + 2))
    const forbidden = table.readUInt16BE(record + 6) === postscriptName ? delimiters : angleBrackets
    cleanString(record + 8, { wide, forbidden })
  }
  // Version 1 of the table has records of language tags, in UTF-16.
  const tags = table.readUInt16BE(0) === 1 ? table.readUInt16BE(recordsEnd) : 0
  for (let tag = 0; tag < tags; tag++)
    cleanString(recordsEnd + 2 + 4 * tag, { wide: true, forbidden: angleBrackets })
  const text = storage.toString('latin1').replace(codeStart, (start) => ` ${start.slice(1)}`)
  storage.write(text, 'latin1')
  return clean
}

const angleBrackets = /[<>]/g
/** Delimiters of PostScript and PDF, and the characters that start an escape in a name. */
const delimiters = /[<>()[\]{}/%#\\]/g

/** UTF-16 text with spaces in place of control characters and `forbidden` ones. */
function cleanUtf16(bytes: Buffer, forbidden: RegExp): Buffer {
  const text = Buffer.from(bytes).swap16().toString('utf16le')
  const clean = text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ').replace(forbidden, ' ')
  return Buffer.from(clean, 'utf16le').swap16()
}

/** The same for text in a single-byte encoding, or in one whose bytes below 0x40, `<` and `>` among them, are always ASCII characters. */
function cleanBytes(bytes: Buffer, forbidden: RegExp): Buffer {
  return Buffer.from(
    bytes
      .toString('latin1')
      .replace(/[\0-\x1f\x7f]/g, ' ')
      .replace(forbidden, ' '),
    'latin1',
  )
}

/**
 * The `post` table, as version 3 without glyph names if these, or the bytes after them, contain the beginning of code. Viewers do
 * not need glyph names.
 */
export function withoutGlyphNames(post: Buffer): Buffer {
  const hasNames = post.readUInt32BE(0) === 0x00020000
  if (!containsCode(post.subarray(hasNames ? 34 + 2 * post.readUInt16BE(32) : 32))) return post
  const bare = Buffer.from(post.subarray(0, 32))
  bare.writeUInt32BE(0x00030000, 0)
  return bare
}
