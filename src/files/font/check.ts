// Checks that a file is a TrueType font that can be read from beginning to end, and writes it anew without what it does not need.
import { FileRejected } from '../rejected.ts'
import { assembleFont } from './assemble.ts'
import { withCleanNames, withoutGlyphNames } from './names.ts'
import { assertFont, unreadableTables } from './read.ts'

const requiredTables = ['head', 'maxp', 'hhea', 'hmtx', 'cmap', 'name', 'OS/2', 'post', 'loca', 'glyf']
/** Outlines of other formats, which programs may prefer and which nobody checks, and drawings, which may be active. */
const unusedTables = new Set(['CFF ', 'CFF2', 'VORG', 'SVG '])
const bitmapTables = ['EBDT', 'CBDT', 'sbix', 'bdat']
const maxTables = 256
const magicNumber = 0x5f0f3cf5
/** PHP runs such code in a file of any name that it includes. */
const phpCode = /<\?php\s/i

/**
 * Throws FileRejected unless the font's tables lie within the file, have the sizes that they state, and fontkit can read every
 * glyph and character.
 * @returns the font without markup in its names, without tables that are empty, unused or unreadable, for which browsers may
 * reject the whole font, and without bytes between and after its tables; undefined if there are none of these
 */
export function checkTrueType(content: Uint8Array): Buffer | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length)
  try {
    const font = cleanFont(bytes)
    if (phpCode.test(font.toString('latin1'))) throw new FileRejected('The font contains program code.')
    return font.equals(bytes) ? undefined : font
  } catch (error) {
    // fontkit read beyond the end of a table.
    if (error instanceof RangeError) throw new FileRejected('The font is truncated or damaged.')
    throw error
  }
}

function cleanFont(bytes: Buffer): Buffer {
  const tables = tablesOf(bytes)
  assertSizes(tables)
  for (const [tag, clean] of [
    ['name', withCleanNames],
    ['post', withoutGlyphNames],
  ] as const)
    tables.set(tag, clean(tables.get(tag) ?? Buffer.alloc(0)))
  const version = bytes.readUInt32BE(0)
  const font = assembleFont(version, tables)
  const unreadable = unreadableTables(font, requiredTables)
  if (unreadable.length === 0 && font.equals(bytes)) return font
  // A signature would no longer be valid.
  for (const tag of ['DSIG', ...unreadable]) tables.delete(tag)
  return assembleFont(version, tables)
}

/** The tables by tag, in the order of the file. */
function tablesOf(bytes: Buffer): Map<string, Buffer> {
  const version = bytes.readUInt32BE(0)
  assertFont(version === 0x00010000 || version === 0x74727565, 'it is not a TrueType font')
  const count = bytes.readUInt16BE(4)
  assertFont(count > 0 && count <= maxTables, 'invalid number of tables')
  const entries = Array.from({ length: count }, (_, index) => {
    const at = 12 + 16 * index
    const start = bytes.readUInt32BE(at + 8)
    return { tag: bytes.toString('latin1', at, at + 4), start, end: start + bytes.readUInt32BE(at + 12) }
  })
  assertFont(new Set(entries.map(({ tag }) => tag)).size === count, 'duplicate tables')
  const used = entries.filter(({ tag, start, end }) => start < end && !unusedTables.has(tag))
  used.sort((a, b) => a.start - b.start)
  let last = 12 + 16 * count
  for (const { tag, start, end } of used) {
    assertFont(end <= bytes.length, `invalid offset of table ${tag.replace(/[^ -~]/g, '?')}`)
    assertFont(start >= last, 'overlapping tables')
    last = end
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
  const format = head.readInt16BE(50)
  assertFont(format === 0 || format === 1, 'invalid format of outlines')
  let last = 0
  for (let glyph = 0; glyph <= glyphs; glyph++) {
    const offset =
      format === 1 ? table('loca').readUInt32BE(4 * glyph) : 2 * table('loca').readUInt16BE(2 * glyph)
    assertFont(offset >= last, 'outlines out of order')
    last = offset
  }
  assertFont(last <= table('glyf').length, 'an outline lies outside its table')
}

function assertMetrics(header: Buffer, metrics: Buffer, glyphs: number): void {
  const count = header.readUInt16BE(34)
  const fits = count > 0 && count <= glyphs && metrics.length >= 4 * count + 2 * (glyphs - count)
  assertFont(fits, 'invalid metrics')
}
