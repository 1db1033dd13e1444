// Checks the small tables of a font: header, metrics and names.
import { assertFont } from './assert-font.ts'
import { containsCode } from './names.ts'

const magicNumber = 0x5f0f3cf5
/** The number of standard Macintosh glyph names, which have no entry of their own. */
const standardNameCount = 258

export function assertHead(head: Buffer): { wideOffsets: boolean } {
  assertFont(head.readUInt16BE(0) === 1 && head.readUInt32BE(12) === magicNumber, 'invalid header')
  const unitsPerEm = head.readUInt16BE(18)
  assertFont(unitsPerEm >= 16 && unitsPerEm <= 16384, 'invalid units per em')
  const [xMin, yMin, xMax, yMax] = [36, 38, 40, 42].map((at) => head.readInt16BE(at))
  assertFont(Number(xMin) <= Number(xMax) && Number(yMin) <= Number(yMax), 'invalid bounding box')
  const format = head.readInt16BE(50)
  assertFont((format === 0 || format === 1) && head.readInt16BE(52) === 0, 'invalid format of outlines')
  return { wideOffsets: format === 1 }
}

export function assertMaxp(maxp: Buffer): { glyphs: number } {
  assertFont(maxp.readUInt16BE(0) === 1 && maxp.length >= 32, 'invalid maximum profile')
  const glyphs = maxp.readUInt16BE(4)
  assertFont(glyphs > 0, 'it has no glyphs')
  assertFont(maxp.readUInt16BE(14) <= 3, 'invalid zones')
  return { glyphs }
}

export function assertHhea(hhea: Buffer, glyphs: number): { metrics: number } {
  assertFont(hhea.readUInt16BE(0) === 1 && hhea.readInt16BE(32) === 0, 'invalid horizontal header')
  const metrics = hhea.readUInt16BE(34)
  assertFont(metrics > 0 && metrics <= glyphs, 'invalid number of metrics')
  return { metrics }
}

export function assertOs2(os2: Buffer): void {
  const version = os2.readUInt16BE(0)
  assertFont(version <= 5, 'invalid version of metrics')
  const length = version === 0 ? 68 : version === 1 ? 86 : version === 5 ? 100 : 96
  assertFont(os2.length >= length, 'truncated metrics')
}

export function assertName(name: Buffer): void {
  const count = name.readUInt16BE(2)
  const storage = name.readUInt16BE(4)
  assertFont(
    name.readUInt16BE(0) <= 1 && storage >= 6 + 12 * count && storage <= name.length,
    'invalid names',
  )
}

export function assertPost(post: Buffer, glyphs: number): void {
  const version = post.readUInt32BE(0)
  assertFont(
    [0x00010000, 0x00020000, 0x00025000, 0x00030000].includes(version),
    'invalid version of glyph names',
  )
  assertFont(post.length >= 32, 'truncated PostScript table')
  if (version === 0x00020000) assertGlyphNames(post, glyphs)
}

function assertGlyphNames(post: Buffer, glyphs: number): void {
  const count = post.readUInt16BE(32)
  assertFont(count === glyphs || count === 0, 'invalid number of glyph names')
  let last = standardNameCount - 1
  for (let glyph = 0; glyph < count; glyph++) last = Math.max(last, post.readUInt16BE(34 + 2 * glyph))
  let names = standardNameCount
  for (let at = 34 + 2 * count; at < post.length; names++) {
    at += 1 + (post[at] ?? 0)
    assertFont(at <= post.length, 'invalid glyph names')
  }
  assertFont(last < names, 'invalid glyph names')
}

/** The table without glyph names, if these or what follows begin code; they are of no use to a viewer. */
export function cleanPost(post: Buffer): Buffer | undefined {
  const hasNames = post.readUInt32BE(0) === 0x00020000
  if (!containsCode(post.subarray(hasNames ? 34 + 2 * post.readUInt16BE(32) : 32))) return undefined
  const bare = Buffer.from(post.subarray(0, 32))
  bare.writeUInt32BE(0x00030000, 0)
  return bare
}
