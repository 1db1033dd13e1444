// The character map of a font: every character must lead to a glyph that exists.
import { assertFont } from './assert-font.ts'

const maxCodePoint = 0x10ffff
const maxSubtables = 64
/** Formats that browsers and print programs use; others are ignored by them, too. */
const formatChecks: Readonly<Record<number, (table: Buffer, glyphs: number) => void>> = {
  0: (table) => assertFont(table.length >= 262, 'its character map is cut off'),
  4: assertSegments,
  12: (table, glyphs) => assertGroups(table, glyphs, true),
  13: (table, glyphs) => assertGroups(table, glyphs, false),
}

export function assertCmap(cmap: Buffer, glyphs: number): void {
  const count = cmap.readUInt16BE(2)
  assertFont(cmap.readUInt16BE(0) === 0 && count > 0, 'its character map')
  const seen = new Set<number>()
  let known = 0
  for (let at = 4; at < 4 + 8 * count; at += 8) {
    const offset = cmap.readUInt32BE(at + 4)
    assertFont(offset >= 4 + 8 * count && offset < cmap.length, 'its character map')
    // Several platforms may share one table; many entries must not multiply the work.
    if (seen.has(offset)) continue
    seen.add(offset)
    assertFont(seen.size <= maxSubtables, 'too many character maps')
    const format = cmap.readUInt16BE(offset)
    const length =
      format < 8 ? cmap.readUInt16BE(offset + 2) : format === 14 ? 0 : cmap.readUInt32BE(offset + 4)
    assertFont(offset + length <= cmap.length, 'its character map is cut off')
    const check = formatChecks[format]
    if (check) known++
    check?.(cmap.subarray(offset, offset + length), glyphs)
  }
  assertFont(known > 0, 'its character map')
}

/** Format 4: segments of characters, each with a delta or a list of glyphs. */
function assertSegments(table: Buffer, glyphs: number): void {
  const doubled = table.readUInt16BE(6)
  // Programs search by these numbers without asking whether they fit.
  const selector = Math.floor(Math.log2(doubled / 2))
  const search = table.readUInt16BE(8) === 2 << selector && table.readUInt16BE(10) === selector
  assertFont(doubled >= 2 && doubled % 2 === 0 && search, 'its character segments')
  const [ends, starts, deltas, ranges] = [14, 16 + doubled, 16 + 2 * doubled, 16 + 3 * doubled] as const
  assertFont(ranges + doubled <= table.length, 'its character segments')
  let previous = -1
  for (let segment = 0; segment < doubled; segment += 2) {
    const start = table.readUInt16BE(starts + segment)
    const end = table.readUInt16BE(ends + segment)
    const terminator = start === 0xffff && end === 0xffff
    assertFont(start <= end && (start > previous || terminator), 'the order of its characters')
    previous = end
    const delta = table.readUInt16BE(deltas + segment)
    const range = table.readUInt16BE(ranges + segment)
    // Many programs leave rubbish in the last segment, which stands for no character.
    if (terminator) continue
    if (range === 0) {
      const first = (start + delta) & 0xffff
      assertFont(
        first + (end - start) < glyphs || wraps(first, end - start, glyphs),
        'a character without a glyph',
      )
    } else {
      for (let index = 0; index <= end - start; index++) {
        const glyph = table.readUInt16BE(ranges + segment + range + 2 * index)
        assertFont(glyph < glyphs, 'a character without a glyph')
      }
    }
  }
  assertFont(previous === 0xffff, 'its last character segment')
}

/** Glyph numbers may run over 65535 back to 0; that only fits a font which has them all. */
function wraps(first: number, length: number, glyphs: number): boolean {
  return glyphs > 0xffff && first + length > 0xffff
}

/** Formats 12 and 13: groups of characters, with glyphs that count up or are all the same. */
function assertGroups(table: Buffer, glyphs: number, counting: boolean): void {
  const count = table.readUInt32BE(12)
  assertFont(count > 0 && 16 + 12 * count <= table.length, 'its character groups')
  let previous = -1
  for (let at = 16; at < 16 + 12 * count; at += 12) {
    const start = table.readUInt32BE(at)
    const end = table.readUInt32BE(at + 4)
    const last = table.readUInt32BE(at + 8) + (counting ? end - start : 0)
    assertFont(start > previous && start <= end && end <= maxCodePoint, 'the order of its characters')
    assertFont(last < glyphs, 'a character without a glyph')
    previous = end
  }
}
