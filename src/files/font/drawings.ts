// The drawings that a color font may hold for its glyphs: they are there to be looked at, and do nothing else.
import { gunzipSync } from 'node:zlib'
import { assertFont } from './fault.ts'

const UNPACKED = 16 * 1024 * 1024
const ACTIVE = /<(?:[\w.-]+:)?(?:script|foreignObject|handler|iframe|!ENTITY)|\son\w+\s*=|script\s*:|@import/i
/** A link to anything but a part of the drawing or a picture within it. */
const OUTSIDE = /(?:href\s*=\s*["']\s*|url\(\s*(?:["']\s*)?)(?!#|data:image\/(?:png|jpeg);|["'\s])/i

/** Every drawing lies within its table, can be read, and is passive. */
export function assertDrawings(table: Buffer): void {
  const list = table.subarray(table.readUInt32BE(2))
  const count = list.readUInt16BE(0)
  let left = UNPACKED
  const seen = new Set<number>()
  for (let at = 2; at < 2 + 12 * count; at += 12) {
    const [start, length] = [list.readUInt32BE(at + 4), list.readUInt32BE(at + 8)]
    assertFont(start + length <= list.length, 'its drawings are cut off')
    // Several ranges of glyphs may share a drawing.
    if (seen.has(start)) continue
    seen.add(start)
    const text = textOf(list.subarray(start, start + length), left)
    left -= text.length
    assertFont(left > 0, 'its drawings are too large')
    assertFont(!ACTIVE.test(text) && !OUTSIDE.test(text), 'its drawings do more than show glyphs')
  }
}

function textOf(drawing: Buffer, maxOutputLength: number): string {
  try {
    const packed = drawing[0] === 0x1f && drawing[1] === 0x8b
    return (packed ? gunzipSync(drawing, { maxOutputLength }) : drawing).toString()
  } catch {
    assertFont(false, 'its drawings cannot be unpacked')
  }
}
