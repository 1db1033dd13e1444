// Variable fonts as browsers draw them: one instance for each weight and optical size, which a PDF embeds as a font of its own.
import type { Font, PathCommand } from 'fontkit'
import { assembleFont } from '../files/font/assemble.ts'

export interface Instance {
  font: Font
  /** The same for equal instances of one file; '' for the default one, whose outlines are those of the file. */
  key: string
  /** Undefined if the font has no axis of weight. */
  weight: number | undefined
}

/**
 * @param weight 400, or 700 for the file of a bold variant
 * @param size pixels of the text, which are the optical size (CSS Fonts 4 §7.12, `font-optical-sizing: auto`)
 */
export function instanceOf(font: Font, weight: number, size: number): Instance {
  const axes: Record<string, { min: number; default: number; max: number }> = Object(font.variationAxes)
  const wanted = Object.entries({ wght: weight, opsz: size }).flatMap(([tag, value]) => {
    const axis = axes[tag]
    return axis ? [{ tag, value: Math.min(Math.max(value, axis.min), axis.max), standard: axis.default }] : []
  })
  const weighed = wanted.find(({ tag }) => tag === 'wght')?.value
  if (wanted.every(({ value, standard }) => value === standard)) return { font, key: '', weight: weighed }
  const instance = font.getVariation(Object.fromEntries(wanted.map(({ tag, value }) => [tag, value])))
  return { font: instance, key: wanted.map(({ tag, value }) => `${tag}${value}`).join(), weight: weighed }
}

/** Whether texts of different sizes have different outlines. */
export const hasOpticalSizes = (font: Font): boolean => 'opsz' in Object(font.variationAxes)

const copied = ['head', 'hhea', 'maxp', 'cmap', 'name', 'post', 'OS/2']

/**
 * A font without variations that has the outlines of these glyphs under the same ids, as PDF embeds it.
 * @param file that of the variable font
 */
export function staticFile(instance: Font, file: Uint8Array, glyphs: ReadonlySet<number>): Buffer {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const tables = new Map<string, Buffer>()
  for (let at = 12; at < 12 + 16 * bytes.readUInt16BE(4); at += 16) {
    const [tag, start] = [bytes.toString('latin1', at, at + 4), bytes.readUInt32BE(at + 8)]
    if (copied.includes(tag))
      tables.set(tag, Buffer.from(bytes.subarray(start, start + bytes.readUInt32BE(at + 12))))
  }
  const count = instance.numGlyphs
  const [hmtx, loca] = [Buffer.alloc(4 * count), Buffer.alloc(4 * (count + 1))]
  const outlines: Buffer[] = []
  let [end, points, contours] = [0, 0, 0]
  for (let id = 0; id < count; id++) {
    if (glyphs.has(id)) {
      const glyph = instance.getGlyph(id)
      const drawn = contoursOf(glyph.path.commands)
      const outline = encoded(drawn)
      hmtx.writeUInt16BE(Math.max(0, Math.round(glyph.advanceWidth)), 4 * id)
      hmtx.writeInt16BE(outline.length > 0 ? outline.readInt16BE(2) : 0, 4 * id + 2)
      outlines.push(outline)
      end += outline.length
      points = Math.max(points, drawn.flat().length)
      contours = Math.max(contours, drawn.length)
    }
    loca.writeUInt32BE(end, 4 * (id + 1))
  }
  // OpenType `head` indexToLocFormat, `hhea` numberOfHMetrics, `maxp` maxPoints and maxContours.
  tables.get('head')?.writeInt16BE(1, 50)
  tables.get('hhea')?.writeUInt16BE(count, 34)
  tables.get('maxp')?.writeUInt16BE(points, 6)
  tables.get('maxp')?.writeUInt16BE(contours, 8)
  tables.set('hmtx', hmtx).set('loca', loca).set('glyf', Buffer.concat(outlines))
  return assembleFont(0x0001_0000, tables)
}

interface OutlinePoint {
  x: number
  y: number
  isOnCurve: boolean
}

/** In whole units, as TrueType has them. */
function contoursOf(commands: readonly PathCommand[]): OutlinePoint[][] {
  const contours: OutlinePoint[][] = []
  const add = (x: number, y: number, isOnCurve: boolean) =>
    contours.at(-1)?.push({ x: Math.round(x), y: Math.round(y), isOnCurve })
  for (const { command, args } of commands) {
    const [a = 0, b = 0, c = 0, d = 0] = args
    if (command === 'moveTo') contours.push([])
    if (command === 'moveTo' || command === 'lineTo') add(a, b, true)
    if (command === 'quadraticCurveTo') {
      add(a, b, false)
      add(c, d, true)
    }
  }
  return contours.filter(({ length }) => length > 0)
}

/** A simple glyph (OpenType `glyf`), each coordinate in two bytes; empty if it has no outline. */
function encoded(contours: OutlinePoint[][]): Buffer {
  const points = contours.flat()
  if (points.length === 0) return Buffer.alloc(0)
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const bounds = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  const size = 10 + 2 * contours.length + 2 + 5 * points.length
  // Outlines begin at even places.
  const glyph = Buffer.alloc(size + (size % 2))
  let at = glyph.writeInt16BE(contours.length)
  for (const bound of bounds) at = glyph.writeInt16BE(bound, at)
  let last = -1
  for (const { length } of contours) {
    last += length
    at = glyph.writeUInt16BE(last, at)
  }
  at = glyph.writeUInt16BE(0, at)
  for (const { isOnCurve } of points) at = glyph.writeUInt8(isOnCurve ? 1 : 0, at)
  for (const values of [xs, ys]) {
    for (const [index, value] of values.entries())
      at = glyph.writeInt16BE(value - (values[index - 1] ?? 0), at)
  }
  return glyph
}
