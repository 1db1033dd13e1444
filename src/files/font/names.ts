// Cleans the names in a font: programs that are given the file as source code must find none, and pages that show a name no markup.
import { FileRejected } from '../rejected.ts'

/** What begins code for PHP, ASP, a server-side include or a browser, wherever in a file it stands. */
const code = /<[?%]|<!--|<script/gi
const recordSize = 12
/** Whether names are in UTF-16: those of Unicode, and of Windows in its encodings of symbols and Unicode (OpenType `name`). */
const isWide = (platform: number, encoding: number) =>
  platform === 0 || (platform === 3 && [0, 1, 10].includes(encoding))
/** Identifies the name that programs write into PostScript and PDF, whose syntax it must not hold. */
const postscriptName = 6

const containsCode = (bytes: Buffer): boolean => bytes.toString('latin1').search(code) >= 0

/**
 * The `name` table with spaces in place of control characters and angle brackets in its strings, of delimiters of PostScript in
 * its PostScript names, and of `<` wherever bytes spell the beginning of code.
 * @throws FileRejected for names that cannot be cleaned
 */
export function withCleanNames(table: Buffer): Buffer {
  const clean = cleanOnce(table)
  // Strings that overlap may spoil each other, and numbers in the records can spell code, too.
  if (!cleanOnce(clean).equals(clean) || containsCode(clean))
    throw new FileRejected('The names in the font contain program code.')
  return clean
}

function cleanOnce(table: Buffer): Buffer {
  const clean = Buffer.from(table)
  const count = table.readUInt16BE(2)
  const storage = clean.subarray(table.readUInt16BE(4))
  const end = 6 + recordSize * count
  const clear = (at: number, wide: boolean, odd: RegExp) => {
    const [length, offset] = [table.readUInt16BE(at), table.readUInt16BE(at + 2)]
    const text = storage.subarray(offset, offset + length)
    const evenLength = text.subarray(0, wide ? text.length & ~1 : text.length)
    ;(wide ? clearWide(evenLength, odd) : clearNarrow(evenLength, odd)).copy(evenLength)
  }
  for (let at = 6; at < end; at += recordSize) {
    const wide = isWide(table.readUInt16BE(at), table.readUInt16BE(at + 2))
    clear(at + 8, wide, table.readUInt16BE(at + 6) === postscriptName ? syntax : markup)
  }
  // Language tags.
  const tags = table.readUInt16BE(0) === 1 ? table.readUInt16BE(end) : 0
  for (let tag = 0; tag < tags; tag++) clear(end + 2 + 4 * tag, true, markup)
  const text = storage.toString('latin1').replace(code, (start) => ` ${start.slice(1)}`)
  storage.write(text, 'latin1')
  return clean
}

const markup = /[<>]/g
/** Delimiters of PostScript and PDF, and what begins an escape in a name. */
const syntax = /[<>()[\]{}/%#\\]/g

/** UTF-16. */
function clearWide(bytes: Buffer, odd: RegExp): Buffer {
  const text = Buffer.from(bytes).swap16().toString('utf16le')
  const clean = text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ').replace(odd, ' ')
  return Buffer.from(clean, 'utf16le').swap16()
}

/** A single-byte encoding, or one whose bytes below 0x40 are ASCII wherever they stand. */
function clearNarrow(bytes: Buffer, odd: RegExp): Buffer {
  return Buffer.from(
    bytes
      .toString('latin1')
      .replace(/[\0-\x1f\x7f]/g, ' ')
      .replace(odd, ' '),
    'latin1',
  )
}

/** The `post` table, without glyph names if these or what follows begin code; they are of no use to a viewer. */
export function withoutGlyphNames(post: Buffer): Buffer {
  const hasNames = post.readUInt32BE(0) === 0x00020000
  if (!containsCode(post.subarray(hasNames ? 34 + 2 * post.readUInt16BE(32) : 32))) return post
  const bare = Buffer.from(post.subarray(0, 32))
  bare.writeUInt32BE(0x00030000, 0)
  return bare
}
