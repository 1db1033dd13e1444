// Checks that a file is a TrueType font that can be read to its end, and writes it anew without unused and unsafe parts.
import { FileRejected } from '../rejected.ts'
import { assembleFont } from './assemble.ts'
import { withCleanNames, withoutGlyphNames } from './name-table.ts'
import { assertFont, unreadableTables } from './read.ts'

const requiredTables = ['head', 'maxp', 'hhea', 'hmtx', 'cmap', 'name', 'OS/2', 'post', 'loca', 'glyf']
/** Outlines in other formats, which programs may prefer and which are not checked here, and drawings, which may be active. */
const unusedTables = new Set(['CFF ', 'CFF2', 'VORG', 'SVG '])
const bitmapTables = ['EBDT', 'CBDT', 'sbix', 'bdat']
const maxTables = 256
/** `magicNumber` of OpenType `head`. */
const magicNumber = 0x5f0f3cf5
/** PHP runs such code in a file of any name that it includes. */
const phpCode = /<\?php\s/i

/**
 * Checks an uploaded font. Throws FileRejected unless its tables lie within the file, have the sizes that they state, and fontkit
 * can read every glyph and character.
 * @returns the font to store: without markup in its names, without empty, unused and unreadable tables (browsers may reject the
 * whole font for them), and without bytes between and after its tables; undefined if the file is stored unchanged
 */
export function checkTrueType(content: Uint8Array): Buffer | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length)
  try {
    const font = cleanFont(bytes)
    if (phpCode.test(font.toString('latin1'))) throw new FileRejected('The font contains program code.')
    return font.equals(bytes) ? undefined : font
  } catch (error) {
    // This file or fontkit read beyond the end of a table.
    if (error instanceof RangeError) throw new FileRejected('The font is truncated or damaged.')
    throw error
  }
}

/** The font assembled from its clean, readable tables. @throws FileRejected */
function cleanFont(bytes: Buffer): Buffer {
  const tables = tablesOf(bytes)
  assertSizes(tables)
  const table = (tag: string) => tables.get(tag) ?? Buffer.alloc(0)
  tables.set('name', withCleanNames(table('name')))
  tables.set('post', withoutGlyphNames(table('post')))
  const version = bytes.readUInt32BE(0)
  const font = assembleFont(version, tables)
  const unreadable = unreadableTables(font, requiredTables)
  if (unreadable.length === 0 && font.equals(bytes)) return font
  // The digital signature (DSIG) of a changed font is invalid.
  for (const tag of ['DSIG', ...unreadable]) tables.delete(tag)
  return assembleFont(version, tables)
}

/** The tables by tag, in the order of the file, without empty and unused ones. @throws FileRejected for an invalid directory */
function tablesOf(bytes: Buffer): Map<string, Buffer> {
  const version = bytes.readUInt32BE(0)
  assertFont(version === 0x00010000 || version === 0x74727565, 'it is not a TrueType font')
  const count = bytes.readUInt16BE(4)
  assertFont(count > 0 && count <= maxTables, 'invalid number of tables')
  const entries = Array.from({ length: count }, (_, index) => {
    const offset = 12 + 16 * index
    const start = bytes.readUInt32BE(offset + 8)
    const end = start + bytes.readUInt32BE(offset + 12)
    return { tag: bytes.toString('latin1', offset, offset + 4), start, end }
  })
  assertFont(new Set(entries.map(({ tag }) => tag)).size === count, 'duplicate tables')
  const used = entries.filter(({ tag, start, end }) => start < end && !unusedTables.has(tag))
  used.sort((a, b) => a.start - b.start)
  let previousEnd = 12 + 16 * count
  for (const { tag, start, end } of used) {
    assertFont(end <= bytes.length, `invalid offset of table ${tag.replace(/[^ -~]/g, '?')}`)
    assertFont(start >= previousEnd, 'overlapping tables')
    previousEnd = end
  }
  return new Map(used.map(({ tag, start, end }) => [tag, bytes.subarray(start, end)]))
}

/** Throws FileRejected unless the required tables exist and are as large as the counts in them require. */
function assertSizes(tables: ReadonlyMap<string, Buffer>): void {
  if (!tables.has('glyf') && bitmapTables.some((tag) => tables.has(tag)))
    throw new FileRejected('The font contains bitmaps only, and no outlines that could be drawn in any size.')
  for (const tag of requiredTables) assertFont(tables.has(tag), `table ${tag} is missing`)
  const table = (tag: string) => tables.get(tag) ?? Buffer.alloc(0)
  const [head, maxp] = [table('head'), table('maxp')]
  assertFont(head.readUInt32BE(12) === magicNumber, 'invalid header')
  const unitsPerEm = head.readUInt16BE(18)
  assertFont(unitsPerEm >= 16 && unitsPerEm <= 16_384, 'invalid units per em')
  const glyphs = maxp.readUInt16BE(4)
  assertFont(glyphs > 0 && maxp.length >= 32, 'it has no glyphs')
  assertMetrics(table('hhea'), table('hmtx'), glyphs)
  if (tables.has('vhea') || tables.has('vmtx')) assertMetrics(table('vhea'), table('vmtx'), glyphs)
  assertFont(table('OS/2').length >= 68, 'truncated metrics')
  assertFont(table('post').length >= 32, 'truncated PostScript table')
  assertOutlines(table('loca'), { glyphs, format: head.readInt16BE(50), glyfLength: table('glyf').length })
}

/**
 * Throws FileRejected unless `loca` has rising offsets into `glyf`, one for each glyph and one for the end.
 * @param facts.format indexToLocFormat of `head`: 0 for 16-bit offsets in words, 1 for 32-bit offsets in bytes
 */
function assertOutlines(
  loca: Buffer,
  { glyphs, format, glyfLength }: { glyphs: number; format: number; glyfLength: number },
): void {
  assertFont(format === 0 || format === 1, 'invalid format of outlines')
  let previous = 0
  for (let glyph = 0; glyph <= glyphs; glyph++) {
    const offset = format === 1 ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph)
    assertFont(offset >= previous, 'outlines out of order')
    previous = offset
  }
  assertFont(previous <= glyfLength, 'an outline lies outside its table')
}

/** Throws FileRejected unless `hmtx` (or `vmtx`) is as large as its header `hhea` (or `vhea`) and the number of glyphs require. */
function assertMetrics(header: Buffer, metrics: Buffer, glyphs: number): void {
  const count = header.readUInt16BE(34)
  const fits = count > 0 && count <= glyphs && metrics.length >= 4 * count + 2 * (glyphs - count)
  assertFont(fits, 'invalid metrics')
}
