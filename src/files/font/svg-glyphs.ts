// Checks the SVG documents that a color font may contain for its glyphs: they must be passive.
import { gunzipSync } from 'node:zlib'
import { assertFont } from './assert-font.ts'

const maxUnpackedBytes = 16 * 1024 * 1024
const activeContent =
  /<(?:[\w.-]+:)?(?:script|foreignObject|handler|iframe|!ENTITY)|\son\w+\s*=|script\s*:|@import/i
/** What precedes a URL. */
const linkStart = /href\s*=\s*["']|url\(/gi
/** A fragment of the document, an embedded picture, or nothing. */
const internalTarget = /#|data:image\/(?:png|jpeg);|["']/iy

/** Throws FileRejected unless every document lies within its table, can be decompressed, and is passive. */
export function assertSvgGlyphs(table: Buffer): void {
  const list = table.subarray(table.readUInt32BE(2))
  const count = list.readUInt16BE(0)
  let left = maxUnpackedBytes
  const seen = new Set<number>()
  for (let at = 2; at < 2 + 12 * count; at += 12) {
    const [start, length] = [list.readUInt32BE(at + 4), list.readUInt32BE(at + 8)]
    assertFont(start + length <= list.length, 'truncated SVG glyphs')
    // Several glyph ranges may share a document.
    if (seen.has(start)) continue
    seen.add(start)
    const text = decodedDocument(list.subarray(start, start + length), left)
    left -= text.length
    assertFont(left > 0, 'its SVG glyphs are too large')
    assertFont(!activeContent.test(text) && !leadsOutside(text), 'its SVG glyphs contain active content')
  }
}

/** Whether a link leads to anything but a fragment of the document or an embedded picture. */
function leadsOutside(text: string): boolean {
  for (const { 0: mark, index } of text.matchAll(linkStart)) {
    let at = pastSpace(text, index + mark.length)
    if (mark.endsWith('(') && /["']/.test(text.charAt(at))) at = pastSpace(text, at + 1)
    internalTarget.lastIndex = at
    if (!internalTarget.test(text)) return true
  }
  return false
}

function pastSpace(text: string, from: number): number {
  let at = from
  while (/\s/.test(text.charAt(at))) at++
  return at
}

function decodedDocument(drawing: Buffer, maxOutputLength: number): string {
  try {
    const packed = drawing[0] === 0x1f && drawing[1] === 0x8b
    return (packed ? gunzipSync(drawing, { maxOutputLength }) : drawing).toString()
  } catch {
    assertFont(false, 'its SVG glyphs cannot be decompressed')
  }
}
