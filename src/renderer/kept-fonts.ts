// Fonts that were parsed, kept between the tasks of a process: the tables alone, because what fontkit notes while it lays out
// text (the characters of a glyph, the script of the last word) would change how the next design is drawn.
import { createHash } from 'node:crypto'
import type { Font } from 'fontkit'

/** Bytes of all kept files together; their tables take a few times as much. */
const maxBytes = 24 * 1024 * 1024

/** By their digest; the one that was used last comes last. */
const kept = new Map<string, { font: object; bytes: number }>()

/** The font of these bytes as if it had just been parsed. @param parse throws if it cannot be read */
export function keptFont(bytes: Uint8Array, parse: (bytes: Buffer) => Font): Font {
  const key = createHash('sha256').update(bytes).digest('base64')
  const cached = kept.get(key) ?? {
    font: parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    bytes: bytes.byteLength,
  }
  kept.delete(key)
  kept.set(key, cached)
  let sum = [...kept.values()].reduce((all, each) => all + each.bytes, 0)
  for (const [oldest, { bytes }] of kept) {
    if (sum <= maxBytes) break
    kept.delete(oldest)
    sum -= bytes
  }
  // Whatever is noted goes to the derived object: tables are found in the kept one, glyphs and layout engine are its own.
  return Object.assign(Object.create(cached.font), { _glyphs: {} })
}
