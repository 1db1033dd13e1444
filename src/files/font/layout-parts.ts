// The parts that the layout tables of a font share: lists of offsets, sets of glyphs, classes, scripts and features.
import { assertFont } from './assert-font.ts'

export interface LayoutContext {
  glyphs: number
  /** How many records may still be read. */
  readsLeft: number
}

export const u16 = (part: Buffer, at: number) => part.readUInt16BE(at)

/** The part to which the offset at a place leads. */
export function subtableAt(part: Buffer, at: number): Buffer {
  const offset = u16(part, at)
  assertFont(offset > 0 && offset < part.length, 'an offset in its layout')
  return part.subarray(offset)
}

export function spend(context: LayoutContext, records: number): void {
  context.readsLeft -= 1 + records
  assertFont(context.readsLeft >= 0, 'its layout is too large')
}

/** Follows a list of offsets that starts with their number, and answers where the list ends. */
export function eachOffset(
  part: Buffer,
  at: number,
  context: LayoutContext,
  check: (part: Buffer) => void,
): number {
  const count = u16(part, at)
  spend(context, count)
  for (let index = 0; index < count; index++) {
    const place = at + 2 + 2 * index
    if (u16(part, place) !== 0) check(subtableAt(part, place))
  }
  return at + 2 + 2 * count
}

export function glyphList(part: Buffer, at: number, context: LayoutContext): void {
  const count = u16(part, at)
  spend(context, count)
  for (let index = 0; index < count; index++) {
    assertFont(u16(part, at + 2 + 2 * index) < context.glyphs, 'a glyph in its layout does not exist')
  }
}

/** A set of glyphs, one by one or in ranges. */
export function coverage(part: Buffer, context: LayoutContext): void {
  const format = u16(part, 0)
  assertFont(format === 1 || format === 2, 'a set of glyphs')
  if (format === 1) glyphList(part, 2, context)
  else ranges(part, context)
}

/** Classes of glyphs: a row of them, or ranges. The classes go up to `most`. */
export function classes(part: Buffer, context: LayoutContext, most = 0xffff): void {
  const format = u16(part, 0)
  assertFont(format === 1 || format === 2, 'a class of glyphs')
  if (format === 2) ranges(part, context, most)
  else {
    const count = u16(part, 4)
    spend(context, count)
    assertFont(u16(part, 2) + count <= context.glyphs, 'a class of glyphs')
    for (let at = 6; at < 6 + 2 * count; at += 2) assertFont(u16(part, at) <= most, 'a class of glyphs')
  }
}

/** Ranges of glyphs in order, each with a number. */
function ranges(part: Buffer, context: LayoutContext, most = 0xffff): void {
  const count = u16(part, 2)
  spend(context, count)
  let previous = -1
  for (let at = 4; at < 4 + 6 * count; at += 6) {
    const [start, end] = [u16(part, at), u16(part, at + 2)]
    // Sound fonts are about whose ranges share a glyph.
    const sound = start >= previous && start <= end && end < context.glyphs && u16(part, at + 4) <= most
    assertFont(sound, 'a range of glyphs')
    previous = end
  }
}

/** A script with its languages, which choose features. */
export function script(part: Buffer, features: number, context: LayoutContext): void {
  const languages = u16(part, 2)
  spend(context, languages)
  if (u16(part, 0) !== 0) language(subtableAt(part, 0), features, context)
  for (let index = 0; index < languages; index++) language(subtableAt(part, 8 + 6 * index), features, context)
}

function language(part: Buffer, features: number, context: LayoutContext): void {
  const required = u16(part, 2)
  assertFont(u16(part, 0) === 0 && (required === 0xffff || required < features), 'a language in its layout')
  indexList(part, 4, features, context)
}

/** A feature, which chooses lookups. */
export function feature(part: Buffer, lookups: number, context: LayoutContext): void {
  indexList(part, 2, lookups, context)
}

function indexList(part: Buffer, at: number, below: number, context: LayoutContext): void {
  const count = u16(part, at)
  spend(context, count)
  for (let index = 0; index < count; index++) {
    assertFont(u16(part, at + 2 + 2 * index) < below, 'a number in its layout')
  }
}
