// Caches parsed fonts between the tasks of a renderer process. Tasks share the tables alone: state that fontkit stores in a font while it
// lays out text (the characters of a glyph, the script of the last word) would change how the next design is drawn.
import { createHash } from 'node:crypto'
import type { Font } from 'fontkit'

/** Bytes of all cached files together; their tables take a few times as much memory. */
const maxBytes = 24 * 1024 * 1024

/** Parsed fonts by the digests of their files; the one used last comes last. */
const cache = new Map<string, { font: object; bytes: number }>()

/**
 * The font of a file as if it had just been parsed, and an id that is the same for equal files.
 * @param parse called for a file that is not cached; if it throws, nothing is cached
 */
export function cachedFont(bytes: Uint8Array, parse: (bytes: Buffer) => Font): { font: Font; id: string } {
  const key = createHash('sha256').update(bytes).digest('base64')
  const cached = cache.get(key) ?? {
    font: parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    bytes: bytes.byteLength,
  }
  // Moves the font to the end.
  cache.delete(key)
  cache.set(key, cached)
  let total = [...cache.values()].reduce((sum, entry) => sum + entry.bytes, 0)
  for (const [oldest, { bytes }] of cache) {
    if (total <= maxBytes) break
    cache.delete(oldest)
    total -= bytes
  }
  // A derived object reads the tables of the cached font, but stores state, and its glyphs (fontkit's private `_glyphs`), itself.
  return { font: Object.assign(Object.create(cached.font), { _glyphs: {} }), id: key }
}
