// Checks the outlines of a font: each lies within its table, and composite glyphs are bounded.
import { assertFont } from './assert-font.ts'

const compositeFlags = {
  words: 0x0001,
  more: 0x0020,
  scale: 0x0008,
  xyScale: 0x0040,
  matrix: 0x0080,
  code: 0x0100,
}
const simpleFlags = { xShort: 0x02, yShort: 0x04, repeat: 0x08, xSame: 0x10, ySame: 0x20, reserved: 0x80 }
const maxDepth = 32
// The largest composites in real fonts have a few hundred components.
const maxComponents = 10_000

/** The offset of each glyph, and the end of the last one. */
export function glyphOffsets(loca: Buffer, glyphs: number, wide: boolean): number[] {
  const offsets: number[] = []
  for (let glyph = 0; glyph <= glyphs; glyph++) {
    const offset = wide ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph)
    assertFont(offset >= (offsets.at(-1) ?? 0), 'outlines out of order')
    offsets.push(offset)
  }
  return offsets
}

export function assertGlyphs(glyf: Buffer, offsets: number[]): void {
  const components = new Map<number, number[]>()
  for (let glyph = 0; glyph + 1 < offsets.length; glyph++) {
    const [start = 0, end = 0] = [offsets[glyph], offsets[glyph + 1]]
    if (start === end) continue
    assertFont(end <= glyf.length, 'an outline lies outside its table')
    const outline = glyf.subarray(start, end)
    const contours = outline.readInt16BE(0)
    assertBox(outline)
    assertFont(contours >= -1, 'invalid contours of an outline')
    if (contours >= 0) assertSimple(outline, contours)
    else components.set(glyph, componentsOf(outline, offsets.length - 1))
  }
  assertBounded(components)
}

function assertBox(outline: Buffer): void {
  const [xMin, yMin, xMax, yMax] = [2, 4, 6, 8].map((at) => outline.readInt16BE(at))
  const inverted = xMin === 32767 && xMax === -32767 && yMin === 32767 && yMax === -32767
  assertFont(
    inverted || (Number(xMin) <= Number(xMax) && Number(yMin) <= Number(yMax)),
    'invalid bounding box of an outline',
  )
}

function assertSimple(outline: Buffer, contours: number): void {
  let points = 0
  for (let contour = 0; contour < contours; contour++) {
    const next = outline.readUInt16BE(10 + 2 * contour) + 1
    assertFont(next > points || (contour === 0 && next > 0), 'invalid points of an outline')
    points = next
  }
  if (contours === 0) return
  let at = 12 + 2 * contours + outline.readUInt16BE(10 + 2 * contours)
  let coordinates = 0
  for (let point = 0; point < points; point++) {
    const flag = outline.readUInt8(at++)
    assertFont((flag & simpleFlags.reserved) === 0, 'invalid flags of an outline')
    const x = flag & simpleFlags.xShort ? 1 : flag & simpleFlags.xSame ? 0 : 2
    const y = flag & simpleFlags.yShort ? 1 : flag & simpleFlags.ySame ? 0 : 2
    const repeats = flag & simpleFlags.repeat ? outline.readUInt8(at++) : 0
    point += repeats
    coordinates += (x + y) * (1 + repeats)
    assertFont(point < points, 'invalid flags of an outline')
  }
  assertFont(at + coordinates <= outline.length, 'truncated outline')
}

/** The glyphs that a composite glyph consists of. */
function componentsOf(outline: Buffer, glyphs: number): number[] {
  const parts: number[] = []
  let at = 10
  for (let flags: number = compositeFlags.more; flags & compositeFlags.more; ) {
    flags = outline.readUInt16BE(at)
    const glyph = outline.readUInt16BE(at + 2)
    assertFont(glyph < glyphs, 'a component of an outline does not exist')
    parts.push(glyph)
    const scale =
      flags & compositeFlags.scale
        ? 2
        : flags & compositeFlags.xyScale
          ? 4
          : flags & compositeFlags.matrix
            ? 8
            : 0
    at += 4 + (flags & compositeFlags.words ? 4 : 2) + scale
    if (!(flags & compositeFlags.more) && flags & compositeFlags.code) at += 2 + outline.readUInt16BE(at)
  }
  assertFont(at <= outline.length, 'truncated outline')
  return parts
}

/** Composites may contain composites, but neither in cycles, nor too deeply, nor with thousands of components. */
function assertBounded(components: ReadonlyMap<number, number[]>): void {
  const known = new Map<number, { parts: number; height: number }>()
  const measure = (glyph: number, depth: number): { parts: number; height: number } => {
    const seen = known.get(glyph)
    if (seen) return seen
    // Cycles end here as well.
    assertFont(depth <= maxDepth, 'composite outlines are too deeply nested')
    let [parts, height] = [1, 0]
    for (const part of components.get(glyph) ?? []) {
      const inner = measure(part, depth + 1)
      parts += inner.parts
      height = Math.max(height, inner.height + 1)
    }
    assertFont(parts <= maxComponents && height <= maxDepth, 'a composite outline has too many components')
    known.set(glyph, { parts, height })
    return { parts, height }
  }
  for (const glyph of components.keys()) measure(glyph, 0)
}
