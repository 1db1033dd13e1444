// Checks that a file is a valid TrueType font, so that no program that renders it reads beyond its tables.

import { FileRejected } from '../rejected.ts'
import { assertFont } from './assert-font.ts'
import { assertCmap } from './cmap.ts'
import { assertGlyphs, glyphOffsets } from './glyphs.ts'
import { assertGlyphDefinitions, assertPositions, assertSubstitutions } from './layout.ts'
import { assertSvgGlyphs } from './svg-glyphs.ts'
import { assertHead, assertHhea, assertMaxp, assertName, assertOs2, assertPost } from './tables.ts'

/** The tables of a font by their tags. */
type FontTables = ReadonlyMap<string, Buffer>

const requiredTables = ['head', 'maxp', 'hhea', 'hmtx', 'cmap', 'name', 'OS/2', 'post', 'loca', 'glyf']
/** Tables with outlines of another format, which programs may prefer and which are not checked here. */
const unusedTables = new Set(['CFF ', 'CFF2', 'VORG'])
const maxTables = 256

/**
 * Throws FileRejected unless the font's directory, metrics, character map and outlines are consistent. Checksums are not
 * verified: programs that edit a font often leave them stale, and no program relies on them.
 * @returns the font without empty and unused tables, for which browsers reject the whole font, and without bytes between and
 * after its tables; undefined if there are none of these
 */
export function checkTrueType(content: Uint8Array): Buffer | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length)
  try {
    const { tables, directory, ranges } = fontTables(bytes)
    assertTables(tables)
    return withoutGaps(bytes, directory, ranges)
  } catch (error) {
    // A read beyond the end of a table.
    if (error instanceof RangeError) throw new FileRejected('The font is truncated or damaged.')
    throw error
  }
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

/** The start of the file: its format, the number of tables, and the parameters for a binary search. */
function directoryHeader(version: number, count: number): Buffer {
  const selector = Math.floor(Math.log2(Math.max(count, 1)))
  const header = Buffer.alloc(12)
  header.writeUInt32BE(version, 0)
  for (const [index, value] of [count, 16 << selector, selector, 16 * count - (16 << selector)].entries())
    header.writeUInt16BE(value, 4 + 2 * index)
  return header
}

/** Removes bytes that belong to no table, where somebody could hide data. */
function withoutGaps(bytes: Buffer, directory: Buffer, ranges: readonly ByteRange[]): Buffer | undefined {
  const end = Math.ceil((ranges.at(-1)?.[1] ?? 0) / 4) * 4
  const clean = Buffer.alloc(Math.min(end, bytes.length))
  directory.copy(clean)
  for (const [start, end] of ranges) bytes.copy(clean, start, start, end)
  return clean.equals(bytes) ? undefined : clean
}

function assertTables(tables: FontTables): void {
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
  const optional = (tag: string, check: (table: Buffer, glyphs: number) => void) => {
    if (table(tag).length > 0) check(table(tag), glyphs)
  }
  optional('GDEF', assertGlyphDefinitions)
  optional('GSUB', assertSubstitutions)
  optional('GPOS', assertPositions)
  optional('SVG ', assertSvgGlyphs)
  assertGlyphs(table('glyf'), glyphOffsets(table('loca'), glyphs, wideOffsets))
}

function printable(tag: string): string {
  return tag.replace(/[^ -~]/g, '?')
}
