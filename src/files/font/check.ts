// Checks that a file is a valid TrueType font, so that no program that renders it reads beyond its tables.

import { FileRejected } from '../rejected.ts'
import { assembleFont, directoryHeader, type FontTables } from './assemble.ts'
import { assertFont } from './assert-font.ts'
import { assertCmap } from './cmap.ts'
import { assertGlyphs, glyphOffsets } from './glyphs.ts'
import { assertGlyphDefinitions, repairedPositions, repairedSubstitutions } from './layout.ts'
import { cleanNames } from './names.ts'
import { assertSvgGlyphs } from './svg-glyphs.ts'
import { assertHead, assertHhea, assertMaxp, assertName, assertOs2, assertPost, cleanPost } from './tables.ts'

const requiredTables = ['head', 'maxp', 'hhea', 'hmtx', 'cmap', 'name', 'OS/2', 'post', 'loca', 'glyf']
/** Tables with outlines of another format, which programs may prefer and which are not checked here. */
const unusedTables = new Set(['CFF ', 'CFF2', 'VORG'])
const bitmapTables = ['EBDT', 'CBDT', 'sbix', 'bdat']
const maxTables = 256
/** Whatever it is named, a program that is given the file would run it. */
const phpCode = /<\?php\s/i

/**
 * Throws FileRejected unless the font's directory, metrics, character map and outlines are consistent. Checksums are not
 * verified: programs that edit a font often leave them stale, and no program relies on them.
 * @returns the font without markup in its names, without lookups that programs ignore, without empty and unused tables, for
 * which browsers reject the whole font, and without bytes between and after its tables; undefined if there are none of these
 */
export function checkTrueType(content: Uint8Array): Buffer | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length)
  try {
    const repaired = repairedFont(bytes)
    if (phpCode.test((repaired ?? bytes).toString('latin1')))
      throw new FileRejected('The font contains program code.')
    return repaired
  } catch (error) {
    // A read beyond the end of a table.
    if (error instanceof RangeError) throw new FileRejected('The font is truncated or damaged.')
    throw error
  }
}

function repairedFont(bytes: Buffer): Buffer | undefined {
  const { tables, directory, ranges } = fontTables(bytes)
  const changed = checkedTables(tables)
  if (changed.size === 0) return withoutGaps(bytes, directory, ranges)
  // A signature would no longer be true.
  const kept = [...tables].filter(
    ([tag, table]) => table.length > 0 && !unusedTables.has(tag) && tag !== 'DSIG',
  )
  const inOrder = kept.sort(([, a], [, b]) => a.byteOffset - b.byteOffset)
  const repaired = assembleFont(
    bytes.readUInt32BE(0),
    new Map(inOrder.map(([tag, table]) => [tag, changed.get(tag) ?? table])),
  )
  // Parts of a table may overlap, so that a change of one of them affects others.
  assertFont(repairedFont(repaired) === undefined, 'it cannot be repaired')
  return repaired
}

/** Offsets in the file; `end` is exclusive. */
type ByteRange = [start: number, end: number]

function fontTables(bytes: Buffer): { tables: FontTables; directory: Buffer; ranges: ByteRange[] } {
  const version = bytes.readUInt32BE(0)
  assertFont(version === 0x00010000 || version === 0x74727565, 'it is not a TrueType font')
  const count = bytes.readUInt16BE(4)
  assertFont(count > 0 && count <= maxTables, 'invalid number of tables')
  const tables = new Map<string, Buffer>()
  const entries: Buffer[] = []
  const ranges: ByteRange[] = []
  for (let at = 12; at < 12 + 16 * count; at += 16) {
    const tag = bytes.toString('latin1', at, at + 4)
    const start = bytes.readUInt32BE(at + 8)
    const end = start + bytes.readUInt32BE(at + 12)
    assertFont(!tables.has(tag), `duplicate table ${printable(tag)}`)
    tables.set(tag, bytes.subarray(start, end))
    if (start === end || unusedTables.has(tag)) continue
    assertFont(start % 4 === 0 && end <= bytes.length, `invalid offset of table ${printable(tag)}`)
    entries.push(bytes.subarray(at, at + 16))
    ranges.push([start, end])
  }
  ranges.sort(([a], [b]) => a - b)
  const apart = ranges.every(([start], index) => start >= (ranges[index - 1]?.[1] ?? 12 + 16 * count))
  assertFont(apart, 'overlapping tables')
  const header = entries.length === count ? bytes.subarray(0, 12) : directoryHeader(version, entries.length)
  return { tables, directory: Buffer.concat([header, ...entries]), ranges }
}

/** Removes bytes that belong to no table, where somebody could hide data. */
function withoutGaps(bytes: Buffer, directory: Buffer, ranges: readonly ByteRange[]): Buffer | undefined {
  const end = Math.ceil((ranges.at(-1)?.[1] ?? 0) / 4) * 4
  const clean = Buffer.alloc(Math.min(end, bytes.length))
  directory.copy(clean)
  for (const [start, end] of ranges) bytes.copy(clean, start, start, end)
  return clean.equals(bytes) ? undefined : clean
}

/** Throws FileRejected unless every table is valid. Returns those that must be replaced. */
function checkedTables(tables: FontTables): Map<string, Buffer> {
  if (!tables.get('glyf')?.length && bitmapTables.some((tag) => tables.get(tag)?.length))
    throw new FileRejected('The font contains bitmaps only, and no outlines that could be drawn in any size.')
  const changed = new Map<string, Buffer>()
  for (const tag of requiredTables) assertFont((tables.get(tag)?.length ?? 0) > 0, `table ${tag} is missing`)
  const table = (tag: string) => tables.get(tag) ?? Buffer.alloc(0)
  const { wideOffsets } = assertHead(table('head'))
  const { glyphs } = assertMaxp(table('maxp'))
  const { metrics } = assertHhea(table('hhea'), glyphs)
  assertFont(table('hmtx').length >= 4 * metrics + 2 * (glyphs - metrics), 'invalid horizontal metrics')
  if (table('vhea').length + table('vmtx').length > 0) {
    const vertical = assertHhea(table('vhea'), glyphs)
    assertFont(
      table('vmtx').length >= 4 * vertical.metrics + 2 * (glyphs - vertical.metrics),
      'invalid vertical metrics',
    )
  }
  assertOs2(table('OS/2'))
  assertName(table('name'))
  assertPost(table('post'), glyphs)
  assertFont(table('cvt ').length % 2 === 0, 'invalid control values')
  const gasp = table('gasp')
  assertFont(
    gasp.length === 0 || gasp.readUInt16BE(0) > 1 || gasp.length >= 4 + 4 * gasp.readUInt16BE(2),
    'invalid size ranges',
  )
  assertCmap(table('cmap'), glyphs)
  if (table('GDEF').length > 0) assertGlyphDefinitions(table('GDEF'), glyphs)
  if (table('SVG ').length > 0) assertSvgGlyphs(table('SVG '))
  const clean = (tag: string, repaired: (table: Buffer, glyphs: number) => Buffer | undefined) => {
    const replacement = table(tag).length > 0 && repaired(table(tag), glyphs)
    if (replacement) changed.set(tag, replacement)
  }
  clean('GSUB', repairedSubstitutions)
  clean('GPOS', repairedPositions)
  clean('name', cleanNames)
  clean('post', cleanPost)
  assertGlyphs(table('glyf'), glyphOffsets(table('loca'), glyphs, wideOffsets))
  return changed
}

function printable(tag: string): string {
  return tag.replace(/[^ -~]/g, '?')
}
