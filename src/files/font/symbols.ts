// Symbol fonts (OpenType `cmap`, platform 3, encoding 0), whose glyphs stand at U+F020 to U+F0FF in place of characters.
import { assembleFont } from './assemble.ts'

/** Encodings of characters (platform 0, and 1 or 10 of platform 3). A font with one of them is read by it. */
const isUnicode = (platform: number, encoding: number) =>
  platform === 0 || (platform === 3 && (encoding === 1 || encoding === 10))

const privateUse = 0xf000
/** The codes that a table of format 4 can have. */
const maxCodes = 65_536

/** The font with its symbols at the characters U+0020 to U+00FF as well, where browsers show them; any other font unchanged. */
export function withSymbolCharacters(content: Uint8Array): Uint8Array {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const tables = new Map<string, Buffer>()
  for (let at = 12; at < 12 + 16 * bytes.readUInt16BE(4); at += 16) {
    const start = bytes.readUInt32BE(at + 8)
    const table = bytes.subarray(start, start + bytes.readUInt32BE(at + 12))
    tables.set(bytes.toString('latin1', at, at + 4), table)
  }
  const glyphs = symbolsIn(tables.get('cmap') ?? Buffer.alloc(4))
  if (!glyphs) return content
  const all = new Map(glyphs)
  for (const [code, glyph] of glyphs)
    if (code >= privateUse && code <= 0xf0ff) all.set(code - privateUse, glyph)
  return assembleFont(bytes.readUInt32BE(0), tables.set('cmap', characterTable(all)))
}

/** Glyphs by code; undefined unless the table has symbols alone. */
function symbolsIn(cmap: Buffer): Map<number, number> | undefined {
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) => {
    const at = 4 + 8 * index
    return {
      platform: cmap.readUInt16BE(at),
      encoding: cmap.readUInt16BE(at + 2),
      start: cmap.readUInt32BE(at + 4),
    }
  })
  if (subtables.some(({ platform, encoding }) => isUnicode(platform, encoding))) return undefined
  const symbols = subtables.find(({ platform, encoding }) => platform === 3 && encoding === 0)
  if (!symbols || cmap.readUInt16BE(symbols.start) !== 4) return undefined
  return segmentsOf(cmap.subarray(symbols.start))
}

/** OpenType `cmap` format 4: segments of codes. */
function segmentsOf(table: Buffer): Map<number, number> {
  const length = table.readUInt16BE(6)
  const [ends, starts, deltas, offsets] = [14, 16 + length, 16 + 2 * length, 16 + 3 * length]
  const glyphs = new Map<number, number>()
  let codes = 0
  for (let at = 0; at < length; at += 2) {
    const [start, end] = [table.readUInt16BE(starts + at), table.readUInt16BE(ends + at)]
    const [delta, offset] = [table.readUInt16BE(deltas + at), table.readUInt16BE(offsets + at)]
    for (let code = start; code <= Math.min(end, 0xfffe) && codes < maxCodes; code++) {
      codes++
      const place = offsets + at + offset + 2 * (code - start)
      const stored = offset === 0 ? code : place + 2 <= table.length ? table.readUInt16BE(place) : 0
      const glyph = offset !== 0 && stored === 0 ? 0 : (stored + delta) & 0xffff
      if (glyph !== 0 && !glyphs.has(code)) glyphs.set(code, glyph)
    }
  }
  return glyphs
}

/** OpenType `cmap` with one subtable of format 12. */
function characterTable(glyphs: ReadonlyMap<number, number>): Buffer {
  const groups = [...glyphs].sort(([a], [b]) => a - b)
  const table = Buffer.alloc(12 + 16 + 12 * groups.length)
  table.writeUInt16BE(1, 2)
  table.writeUInt16BE(3, 4)
  table.writeUInt16BE(10, 6)
  table.writeUInt32BE(12, 8)
  table.writeUInt16BE(12, 12)
  table.writeUInt32BE(table.length - 12, 16)
  table.writeUInt32BE(groups.length, 24)
  for (const [index, [code, glyph]] of groups.entries()) {
    for (const [place, value] of [code, code, glyph].entries())
      table.writeUInt32BE(value, 28 + 12 * index + 4 * place)
  }
  return table
}
