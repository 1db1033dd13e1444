// Font files with changed tables, for fonts that declare themselves other than they look.
import { assembleFont } from '../../../src/files/font/check.ts'

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
