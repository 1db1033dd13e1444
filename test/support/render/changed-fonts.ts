// Font files with changed tables, for fonts that declare themselves other than they look.
import { create } from 'fontkit'
import { assembleFont } from '../../../src/files/font/assemble.ts'

type Tables = Map<string, Buffer>

/** @param change of the tables, by their tags */
function withTables(font: Uint8Array, change: (tables: Tables) => void): Buffer {
  const bytes = Buffer.from(font.buffer, font.byteOffset, font.byteLength)
  const entries = Array.from({ length: bytes.readUInt16BE(4) }, (_, index): [string, Buffer] => {
    const at = 12 + 16 * index
    const start = bytes.readUInt32BE(at + 8)
    return [
      bytes.toString('latin1', at, at + 4),
      Buffer.from(bytes.subarray(start, start + bytes.readUInt32BE(at + 12))),
    ]
  })
  const tables: Tables = new Map(entries)
  change(tables)
  return assembleFont(bytes.readUInt32BE(0), tables)
}

const [weightAt, selectionAt, macStyleAt] = [4, 62, 44]
const styleBits = 0x1 | 0x20 | 0x40 | 0x200

/** The font with other words about its style: OS/2 usWeightClass and fsSelection, head macStyle. */
export const declaring = (
  font: Uint8Array,
  { weight, selection, macStyle }: { weight?: number; selection?: number; macStyle?: number },
): Buffer =>
  withTables(font, (tables) => {
    const [os2, head] = [tables.get('OS/2'), tables.get('head')]
    if (!os2 || !head) throw new Error('The font has no style.')
    if (weight !== undefined) os2.writeUInt16BE(weight, weightAt)
    if (selection !== undefined)
      os2.writeUInt16BE((os2.readUInt16BE(selectionAt) & ~styleBits) | selection, selectionAt)
    if (macStyle !== undefined) head.writeUInt16BE(macStyle, macStyleAt)
  })

/** The variable font with other axes, in their order: tag and values of each. */
export const withAxes = (
  font: Uint8Array,
  axes: readonly [tag: string, min: number, standard: number, max: number][],
): Buffer =>
  withTables(font, (tables) => {
    const fvar = tables.get('fvar')
    if (!fvar || fvar.readUInt16BE(8) !== axes.length) throw new Error('The font has other axes.')
    for (const [index, [tag, ...values]] of axes.entries()) {
      const at = fvar.readUInt16BE(4) + index * fvar.readUInt16BE(10)
      fvar.write(tag, at, 'latin1')
      for (const [place, value] of values.entries()) fvar.writeInt32BE(value * 0x1_0000, at + 4 + 4 * place)
    }
  })

/** The font with a table of colored glyphs (OpenType `COLR`, version 0) that has no layers. */
export const colored = (font: Uint8Array): Buffer =>
  withTables(font, (tables) => {
    const colr = Buffer.alloc(14)
    colr.writeUInt32BE(colr.length, 4)
    colr.writeUInt32BE(colr.length, 8)
    tables.set('COLR', colr)
  })

/** The font with the codes U+F020 to U+F0FF of a symbol font in place of characters. @param hasMac whether it has codes of Mac OS, too */
export const symbolic = (font: Uint8Array, hasMac: boolean): Buffer => {
  const source = create(Buffer.from(font))
  if (!('glyphForCodePoint' in source)) throw new Error('It is no font.')
  const glyphs = Array.from({ length: 0xe0 }, (_, index) => source.glyphForCodePoint(0x20 + index).id)
  // OpenType `cmap` format 4: one segment of these codes, and the last one.
  const segments = Buffer.alloc(16 + 8 * 2 + 2 * glyphs.length)
  const numbers = [
    4,
    segments.length,
    0,
    4,
    4,
    1,
    0,
    0xf0ff,
    0xffff,
    0,
    0xf020,
    0xffff,
    0,
    1,
    4,
    0,
    ...glyphs,
  ]
  for (const [index, value] of numbers.entries()) segments.writeUInt16BE(value, 2 * index)
  const mac = Buffer.alloc(262)
  mac.writeUInt16BE(262, 2)
  for (let code = 0x20; code < 0x7f; code++) mac.writeUInt8(Math.min(255, glyphs[code - 0x20] ?? 0), 6 + code)
  const records = [...(hasMac ? [[1, 0, mac] as const] : []), [3, 0, segments] as const]
  const header = Buffer.alloc(4 + 8 * records.length)
  header.writeUInt16BE(records.length, 2)
  let start = header.length
  for (const [index, [platform, encoding, table]] of records.entries()) {
    header.writeUInt16BE(platform, 4 + 8 * index)
    header.writeUInt16BE(encoding, 6 + 8 * index)
    header.writeUInt32BE(start, 8 + 8 * index)
    start += table.length
  }
  return withTables(font, (tables) =>
    tables.set('cmap', Buffer.concat([header, ...records.map(([, , table]) => table)])),
  )
}
