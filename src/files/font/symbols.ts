// Adds characters to symbol fonts (OpenType `cmap`, platform 3, encoding 0), whose glyphs stand at U+F020 to U+F0FF instead of at
// U+0020 to U+00FF.
import { assembleFont } from './assemble.ts'

/** Whether a subtable of `cmap` maps Unicode characters. Browsers read a font with one as an ordinary font. */
const isUnicode = (platform: number, encoding: number) =>
  platform === 0 || (platform === 3 && (encoding === 1 || encoding === 10))

/** The code of the first symbol minus its character. */
const privateUse = 0xf000
/** The number of codes that a subtable of format 4 can have; segments that overlap would make more. */
const maxCodes = 65_536

/**
 * The font with its symbols at the characters U+0020 to U+00FF as well, where browsers show them; any other font unchanged. The
 * check of an upload and the renderer call it before fontkit reads the font.
 */
export function withSymbolCharacters(content: Uint8Array): Uint8Array {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const tables = new Map<string, Buffer>()
  for (let entry = 12; entry < 12 + 16 * bytes.readUInt16BE(4); entry += 16) {
    const start = bytes.readUInt32BE(entry + 8)
    const table = bytes.subarray(start, start + bytes.readUInt32BE(entry + 12))
    tables.set(bytes.toString('latin1', entry, entry + 4), table)
  }
  const glyphs = symbolsIn(tables.get('cmap') ?? Buffer.alloc(4))
  if (!glyphs) return content
  const all = new Map(glyphs)
  for (const [code, glyph] of glyphs)
    if (code >= privateUse && code <= 0xf0ff) all.set(code - privateUse, glyph)
  return assembleFont(bytes.readUInt32BE(0), tables.set('cmap', characterTable(all)))
}

/** Glyphs by code; undefined if the table maps characters, or no symbols in format 4. */
function symbolsIn(cmap: Buffer): Map<number, number> | undefined {
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) => {
    const record = 4 + 8 * index
    return {
      platform: cmap.readUInt16BE(record),
      encoding: cmap.readUInt16BE(record + 2),
      start: cmap.readUInt32BE(record + 4),
    }
  })
  if (subtables.some(({ platform, encoding }) => isUnicode(platform, encoding))) return undefined
  const symbols = subtables.find(({ platform, encoding }) => platform === 3 && encoding === 0)
  if (!symbols || cmap.readUInt16BE(symbols.start) !== 4) return undefined
  return segmentsOf(cmap.subarray(symbols.start))
}

/**
 * The glyphs by code of a subtable in OpenType `cmap` format 4: four parallel arrays describe segments of codes. A glyph is the
 * code plus `delta`, or the number at `offset`, counted from the place of the offset itself, plus `delta`.
 */
function segmentsOf(table: Buffer): Map<number, number> {
  const length = table.readUInt16BE(6)
  const [ends, starts, deltas, offsets] = [14, 16 + length, 16 + 2 * length, 16 + 3 * length]
  const glyphs = new Map<number, number>()
  let codes = 0
  for (let segment = 0; segment < length; segment += 2) {
    const [start, end] = [table.readUInt16BE(starts + segment), table.readUInt16BE(ends + segment)]
    const [delta, offset] = [table.readUInt16BE(deltas + segment), table.readUInt16BE(offsets + segment)]
    for (let code = start; code <= Math.min(end, 0xfffe) && codes < maxCodes; code++) {
      codes++
      const place = offsets + segment + offset + 2 * (code - start)
      const stored = offset === 0 ? code : place + 2 <= table.length ? table.readUInt16BE(place) : 0
      const glyph = offset !== 0 && stored === 0 ? 0 : (stored + delta) & 0xffff
      if (glyph !== 0 && !glyphs.has(code)) glyphs.set(code, glyph)
    }
  }
  return glyphs
}

/** An OpenType `cmap` table with one subtable, in format 12, with a group (first code, last code, glyph) for each code. */
function characterTable(glyphs: ReadonlyMap<number, number>): Buffer {
  const groups = [...glyphs].sort(([a], [b]) => a - b)
  const table = Buffer.alloc(12 + 16 + 12 * groups.length)
  table.writeUInt16BE(1, 2) // number of subtables
  table.writeUInt16BE(3, 4) // platform: Windows
  table.writeUInt16BE(10, 6) // encoding: full Unicode
  table.writeUInt32BE(12, 8) // offset of the subtable
  table.writeUInt16BE(12, 12) // its format
  table.writeUInt32BE(table.length - 12, 16) // its length
  table.writeUInt32BE(groups.length, 24) // its number of groups
  for (const [index, [code, glyph]] of groups.entries()) {
    for (const [place, value] of [code, code, glyph].entries())
      table.writeUInt32BE(value, 28 + 12 * index + 4 * place)
  }
  return table
}
