// Checks that a file is a sound TrueType font, so that no program that draws with it reads beyond its tables.

import { FileRejected } from '../rejected.ts'
import { assertCmap } from './cmap.ts'
import { assertDrawings } from './drawings.ts'
import { assertFont } from './fault.ts'
import { assertGlyphs, glyphOffsets } from './glyphs.ts'
import { assertDefinitions, assertPositions, assertSubstitutions } from './layout.ts'
import { assertHead, assertHhea, assertMaxp, assertName, assertOs2, assertPost } from './tables.ts'

/** The tables of a font by their tags. */
export type FontTables = ReadonlyMap<string, Buffer>

const REQUIRED = ['head', 'maxp', 'hhea', 'hmtx', 'cmap', 'name', 'OS/2', 'post', 'loca', 'glyf']
const TABLES = 256

/**
 * Throws FileRejected unless the font's directory, metrics, character map and outlines are consistent. Checksums are not
 * compared: programs that change a font often leave them stale, and no program relies on them.
 * Answers the font without what lies between and behind its tables, or undefined where that is nothing.
 */
export function checkTrueType(content: Uint8Array): Buffer | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length)
  try {
    const { tables, places } = fontTables(bytes)
    assertTables(tables)
    return withoutGaps(bytes, places)
  } catch (error) {
    // Reading beyond the end of a table.
    if (error instanceof RangeError) throw new FileRejected('The font is cut off or damaged.')
    throw error
  }
}

/** From where to where a part of the file reaches. */
type Place = [start: number, end: number]

function fontTables(bytes: Buffer): { tables: FontTables; places: Place[] } {
  const version = bytes.readUInt32BE(0)
  assertFont(version === 0x00010000 || version === 0x74727565, 'it is not in the TrueType format')
  const count = bytes.readUInt16BE(4)
  assertFont(count > 0 && count <= TABLES, 'bad number of tables')
  const tables = new Map<string, Buffer>()
  const places: Place[] = [[0, 12 + 16 * count]]
  for (let at = 12; at < 12 + 16 * count; at += 16) {
    const tag = bytes.toString('latin1', at, at + 4)
    const start = bytes.readUInt32BE(at + 8)
    const end = start + bytes.readUInt32BE(at + 12)
    assertFont(start % 4 === 0 && end <= bytes.length, `the place of table ${printable(tag)}`)
    assertFont(!tables.has(tag), `table ${printable(tag)} given twice`)
    tables.set(tag, bytes.subarray(start, end))
    places.push([start, end])
  }
  places.sort(([a], [b]) => a - b)
  const apart = places.every(([start], index) => start >= (places[index - 1]?.[1] ?? 0))
  assertFont(apart, 'its tables overlap')
  return { tables, places }
}

/** Nobody reads what belongs to no table, except who put it there. */
function withoutGaps(bytes: Buffer, places: readonly Place[]): Buffer | undefined {
  const end = Math.ceil((places.at(-1)?.[1] ?? 0) / 4) * 4
  const clean = Buffer.alloc(Math.min(end, bytes.length))
  for (const [start, end] of places) bytes.copy(clean, start, start, end)
  return clean.equals(bytes) ? undefined : clean
}

function assertTables(tables: FontTables): void {
  for (const tag of REQUIRED) assertFont((tables.get(tag)?.length ?? 0) > 0, `table ${tag} is missing`)
  const table = (tag: string) => tables.get(tag) ?? Buffer.alloc(0)
  const { wideOffsets } = assertHead(table('head'))
  const { glyphs } = assertMaxp(table('maxp'))
  const { metrics } = assertHhea(table('hhea'), glyphs)
  assertFont(table('hmtx').length >= 4 * metrics + 2 * (glyphs - metrics), 'horizontal metrics')
  assertOs2(table('OS/2'))
  assertName(table('name'))
  assertPost(table('post'), glyphs)
  assertFont(table('cvt ').length % 2 === 0, 'control values')
  const gasp = table('gasp')
  assertFont(
    gasp.length === 0 || gasp.readUInt16BE(0) > 1 || gasp.length >= 4 + 4 * gasp.readUInt16BE(2),
    'its ranges of sizes',
  )
  assertCmap(table('cmap'), glyphs)
  const optional = (tag: string, check: (table: Buffer, glyphs: number) => void) => {
    if (table(tag).length > 0) check(table(tag), glyphs)
  }
  optional('GDEF', assertDefinitions)
  optional('GSUB', assertSubstitutions)
  optional('GPOS', assertPositions)
  optional('SVG ', assertDrawings)
  assertGlyphs(table('glyf'), glyphOffsets(table('loca'), glyphs, wideOffsets))
}

function printable(tag: string): string {
  return tag.replace(/[^ -~]/g, '?')
}
