// Makes instances of variable fonts as browsers do, one for each weight and optical size, and font files of them for PDFs.
import type { Font, PathCommand } from 'fontkit'
import { membersOf } from '../core/foreign.ts'
import { assembleFont } from '../files/font/assemble.ts'

/** A font at fixed values of its axes. */
export interface Instance {
  font: Font
  /** The same for equal instances of one file; '' for the default one, whose outlines are those of the file. */
  key: string
  /** Its weight; undefined if the font has no such axis. */
  weight: number | undefined
}

/**
 * The instance of a font for a text; the font itself if it is not variable, or has these values by default.
 * @param weight 400, or 700 for the file of a bold variant
 * @param size pixels of the text, which are the optical size (CSS Fonts 4 §7.12, `font-optical-sizing: auto`)
 */
export function instanceOf(font: Font, weight: number, size: number): Instance {
  const axes: Partial<Font['variationAxes']> = font.variationAxes ?? {}
  const settings = Object.entries({ wght: weight, opsz: size }).flatMap(([tag, value]) => {
    const axis = axes[tag]
    return axis ? [{ tag, value: Math.min(Math.max(value, axis.min), axis.max), standard: axis.default }] : []
  })
  const weightOfInstance = settings.find(({ tag }) => tag === 'wght')?.value
  if (settings.every(({ value, standard }) => value === standard))
    return { font, key: '', weight: weightOfInstance }
  const instance = font.getVariation(Object.fromEntries(settings.map(({ tag, value }) => [tag, value])))
  const key = settings.map(({ tag, value }) => `${tag}${value}`).join()
  return { font: instance, key, weight: weightOfInstance }
}

/** Whether texts of different sizes have different outlines. */
export const hasOpticalSizes = (font: Font): boolean => 'opsz' in membersOf(font.variationAxes)

/** Tables that do not depend on the instance; some counts in them are changed. */
const copiedTables = ['head', 'hhea', 'maxp', 'cmap', 'name', 'post', 'OS/2']

/**
 * The file of a font without variations that has the outlines of some glyphs under the same ids, for a PDF.
 * @param file the file of the variable font
 * @param glyphs ids of the glyphs with outlines; all others are empty
 */
export function staticFile(instance: Font, file: Uint8Array, glyphs: ReadonlySet<number>): Buffer {
  const tables = copiedTablesOf(file)
  const count = instance.numGlyphs
  const [hmtx, loca] = [Buffer.alloc(4 * count), Buffer.alloc(4 * (count + 1))]
  const outlines: Buffer[] = []
  /** Bytes of the outlines so far, and the most points and contours of one glyph. */
  let [length, maxPoints, maxContours] = [0, 0, 0]
  for (let id = 0; id < count; id++) {
    if (glyphs.has(id)) {
      const glyph = instance.getGlyph(id)
      const contours = contoursOf(glyph.path.commands)
      const outline = encodedGlyph(contours)
      hmtx.writeUInt16BE(Math.max(0, Math.round(glyph.advanceWidth)), 4 * id)
      // The left side bearing is the least x, which the encoded glyph has at offset 2.
      hmtx.writeInt16BE(outline.length > 0 ? outline.readInt16BE(2) : 0, 4 * id + 2)
      outlines.push(outline)
      length += outline.length
      maxPoints = Math.max(maxPoints, contours.flat().length)
      maxContours = Math.max(maxContours, contours.length)
    }
    loca.writeUInt32BE(length, 4 * (id + 1))
  }
  // OpenType `head` indexToLocFormat, `hhea` numberOfHMetrics, `maxp` maxPoints and maxContours.
  tables.get('head')?.writeInt16BE(1, 50)
  tables.get('hhea')?.writeUInt16BE(count, 34)
  tables.get('maxp')?.writeUInt16BE(maxPoints, 6)
  tables.get('maxp')?.writeUInt16BE(maxContours, 8)
  tables.set('hmtx', hmtx).set('loca', loca).set('glyf', Buffer.concat(outlines))
  return assembleFont(0x0001_0000, tables)
}

/** Copies of the tables that an instance has from the variable font. */
function copiedTablesOf(file: Uint8Array): Map<string, Buffer> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const tables = new Map<string, Buffer>()
  for (let entry = 12; entry < 12 + 16 * bytes.readUInt16BE(4); entry += 16) {
    const [tag, start] = [bytes.toString('latin1', entry, entry + 4), bytes.readUInt32BE(entry + 8)]
    if (copiedTables.includes(tag))
      tables.set(tag, Buffer.from(bytes.subarray(start, start + bytes.readUInt32BE(entry + 12))))
  }
  return tables
}

interface OutlinePoint {
  x: number
  y: number
  isOnCurve: boolean
}

/** The contours of an outline, in whole units of the font, as TrueType stores them: variable fonts have no cubic curves (`glyf`). */
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
function encodedGlyph(contours: OutlinePoint[][]): Buffer {
  const points = contours.flat()
  if (points.length === 0) return Buffer.alloc(0)
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const bounds = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  const size = 10 + 2 * contours.length + 2 + 5 * points.length
  // The next outline begins at an even offset.
  const glyph = Buffer.alloc(size + (size % 2))
  let offset = glyph.writeInt16BE(contours.length)
  for (const bound of bounds) offset = glyph.writeInt16BE(bound, offset)
  let lastPoint = -1
  for (const { length } of contours) {
    lastPoint += length
    offset = glyph.writeUInt16BE(lastPoint, offset)
  }
  // No instructions.
  offset = glyph.writeUInt16BE(0, offset)
  for (const { isOnCurve } of points) offset = glyph.writeUInt8(isOnCurve ? 1 : 0, offset)
  for (const values of [xs, ys]) {
    for (const [index, value] of values.entries())
      offset = glyph.writeInt16BE(value - (values[index - 1] ?? 0), offset)
  }
  return glyph
}
