// Checks the character map of a font: every character must map to an existing glyph.
import { assertFont } from './assert-font.ts'

const maxCodePoint = 0x10ffff
const maxSubtables = 64
/** Formats that browsers and print programs use. They ignore all others. */
const formatChecks: Readonly<Record<number, (table: Buffer, glyphs: number) => void>> = {
  0: (table) => assertFont(table.length >= 262, 'truncated character map'),
  4: assertSegments,
  12: (table, glyphs) => assertGroups(table, glyphs, true),
  13: (table, glyphs) => assertGroups(table, glyphs, false),
}

export function assertCmap(cmap: Buffer, glyphs: number): void {
  const count = cmap.readUInt16BE(2)
  assertFont(cmap.readUInt16BE(0) === 0 && count > 0, 'invalid character map')
  const seen = new Set<number>()
  let known = 0
  for (let at = 4; at < 4 + 8 * count; at += 8) {
    const offset = cmap.readUInt32BE(at + 4)
    assertFont(offset >= 4 + 8 * count && offset < cmap.length, 'invalid character map')
    // Several platforms may share one table, which is checked once.
    if (seen.has(offset)) continue
    seen.add(offset)
    assertFont(seen.size <= maxSubtables, 'too many character maps')
    const format = cmap.readUInt16BE(offset)
    const length =
      format < 8 ? cmap.readUInt16BE(offset + 2) : format === 14 ? 0 : cmap.readUInt32BE(offset + 4)
    assertFont(offset + length <= cmap.length, 'truncated character map')
    const check = formatChecks[format]
    if (check) known++
    check?.(cmap.subarray(offset, offset + length), glyphs)
  }
  assertFont(known > 0, 'invalid character map')
}

/** Format 4: segments of characters, each with a delta or a list of glyphs. */
function assertSegments(table: Buffer, glyphs: number): void {
  const doubled = table.readUInt16BE(6)
  // Programs use these numbers for a binary search without validating them.
  const selector = Math.floor(Math.log2(doubled / 2))
  const search = table.readUInt16BE(8) === 2 << selector && table.readUInt16BE(10) === selector
  assertFont(doubled >= 2 && doubled % 2 === 0 && search, 'invalid character segments')
  const [ends, starts, deltas, ranges] = [14, 16 + doubled, 16 + 2 * doubled, 16 + 3 * doubled] as const
  assertFont(ranges + doubled <= table.length, 'invalid character segments')
  let previous = -1
  for (let segment = 0; segment < doubled; segment += 2) {
    const start = table.readUInt16BE(starts + segment)
    const end = table.readUInt16BE(ends + segment)
    const terminator = start === 0xffff && end === 0xffff
    assertFont(start <= end && (start > previous || terminator), 'characters out of order')
    previous = end
    const delta = table.readUInt16BE(deltas + segment)
    const range = table.readUInt16BE(ranges + segment)
    // Many programs leave garbage in the last segment, which maps no character.
    if (terminator) continue
    if (range === 0) {
      const first = (start + delta) & 0xffff
      assertFont(
        first + (end - start) < glyphs || wraps(first, end - start, glyphs),
        'a character maps to a missing glyph',
      )
    } else {
      for (let index = 0; index <= end - start; index++) {
        const glyph = table.readUInt16BE(ranges + segment + range + 2 * index)
        assertFont(glyph < glyphs, 'a character maps to a missing glyph')
      }
    }
  }
  assertFont(previous === 0xffff, 'invalid last character segment')
}

/** Glyph numbers may wrap around from 65535 to 0, which is valid only in a font that has all of them. */
function wraps(first: number, length: number, glyphs: number): boolean {
  return glyphs > 0xffff && first + length > 0xffff
}

/** Formats 12 and 13: groups of characters, whose glyphs count up or are all the same. */
function assertGroups(table: Buffer, glyphs: number, counting: boolean): void {
  const count = table.readUInt32BE(12)
  assertFont(count > 0 && 16 + 12 * count <= table.length, 'invalid character groups')
  let previous = -1
  for (let at = 16; at < 16 + 12 * count; at += 12) {
    const start = table.readUInt32BE(at)
    const end = table.readUInt32BE(at + 4)
    const last = table.readUInt32BE(at + 8) + (counting ? end - start : 0)
    assertFont(start > previous && start <= end && end <= maxCodePoint, 'characters out of order')
    assertFont(last < glyphs, 'a character maps to a missing glyph')
    previous = end
  }
}
