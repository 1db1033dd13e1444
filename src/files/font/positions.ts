// Checks how a font positions glyphs: single adjustments, pairs, and marks by anchors.
import { assertFont } from './assert-font.ts'
import { classes, coverage, eachOffset, type LayoutContext, spend, subtableAt, u16 } from './layout-parts.ts'

export const positions: Readonly<Record<number, (part: Buffer, context: LayoutContext) => void>> = {
  1: single,
  2: pair,
  3: cursive,
  4: (part, context) => marks(part, context, (array, count) => anchors(array, 0, count, context)),
  5: (part, context) =>
    marks(part, context, (array, count) => {
      eachOffset(array, 0, context, (ligature) => anchors(ligature, 0, count, context))
    }),
  6: (part, context) => marks(part, context, (array, count) => anchors(array, 0, count, context)),
}

/** The size of a value record in bytes: two for each bit of its format. */
function valueSize(format: number): number {
  let size = 0
  for (let bits = format; bits > 0; bits >>= 1) size += 2 * (bits & 1)
  return size
}

function single(part: Buffer, context: LayoutContext): void {
  const format = u16(part, 0)
  coverage(subtableAt(part, 2), context)
  const size = valueSize(u16(part, 4))
  const end = format === 1 ? 6 + size : 8 + size * u16(part, 6)
  assertFont((format === 1 || format === 2) && end <= part.length, 'invalid position')
}

function pair(part: Buffer, context: LayoutContext): void {
  const format = u16(part, 0)
  assertFont(format === 1 || format === 2, 'invalid format of a pair')
  coverage(subtableAt(part, 2), context)
  const size = valueSize(u16(part, 4)) + valueSize(u16(part, 6))
  if (format === 2) {
    for (const at of [8, 10]) classes(subtableAt(part, at), context)
    assertFont(16 + u16(part, 12) * u16(part, 14) * size <= part.length, 'invalid pairs by class')
    return
  }
  eachOffset(part, 8, context, (set) => {
    const count = u16(set, 0)
    spend(context, count)
    assertFont(2 + count * (2 + size) <= set.length, 'invalid pairs')
    for (let index = 0; index < count; index++) {
      assertFont(u16(set, 2 + index * (2 + size)) < context.glyphs, 'invalid glyph of a pair')
    }
  })
}

function cursive(part: Buffer, context: LayoutContext): void {
  assertFont(u16(part, 0) === 1, 'invalid format of a cursive connection')
  coverage(subtableAt(part, 2), context)
  anchors(part, 4, 2, context)
}

/** Marks with a class and an anchor each, and their base glyphs with an anchor for each class. */
function marks(
  part: Buffer,
  context: LayoutContext,
  targets: (array: Buffer, classCount: number) => void,
): void {
  assertFont(u16(part, 0) === 1, 'invalid format of a mark')
  for (const at of [2, 4]) coverage(subtableAt(part, at), context)
  const classCount = u16(part, 6)
  const array = subtableAt(part, 8)
  const count = u16(array, 0)
  spend(context, count)
  for (let at = 2; at < 2 + 4 * count; at += 4) {
    assertFont(u16(array, at) < classCount, 'invalid class of a mark')
    anchor(subtableAt(array, at + 2))
  }
  targets(subtableAt(part, 10), classCount)
}

/** Rows of anchors, any of which may be absent. */
function anchors(part: Buffer, at: number, columns: number, context: LayoutContext): void {
  const count = u16(part, at) * columns
  spend(context, count)
  for (let index = 0; index < count; index++) {
    const place = at + 2 + 2 * index
    if (u16(part, place) !== 0) anchor(subtableAt(part, place))
  }
}

function anchor(part: Buffer): void {
  const format = u16(part, 0)
  assertFont(format >= 1 && format <= 3 && part.length >= 4 + 2 * format, 'invalid anchor')
}
