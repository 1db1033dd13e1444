// Checks the structures that the layout tables of a font share: offset lists, coverage tables, classes, scripts and features.
import { FileRejected } from '../rejected.ts'
import { assertFont } from './assert-font.ts'

export interface LayoutContext {
  glyphs: number
  /** How many more records may be read. */
  readsLeft: number
}

export const u16 = (part: Buffer, at: number) => part.readUInt16BE(at)

/** The subtable to which the offset at a position leads. */
export function subtableAt(part: Buffer, at: number): Buffer {
  const offset = u16(part, at)
  assertFont(offset > 0 && offset < part.length, 'invalid offset in a layout table')
  return part.subarray(offset)
}

export function spend(context: LayoutContext, records: number): void {
  context.readsLeft -= 1 + records
  assertFont(context.readsLeft >= 0, 'layout tables are too large')
}

/** Follows a list of offsets that starts with its length. Returns the position after the list. */
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
    assertFont(u16(part, at + 2 + 2 * index) < context.glyphs, 'a layout table refers to a missing glyph')
  }
}

/** A set of glyphs in a format that no program knows. Programs ignore the lookup that depends on it. */
export class UnknownSet extends FileRejected {
  constructor() {
    super('The font is damaged: invalid set of glyphs.')
  }
}

/** A coverage table: a set of glyphs, as a list or in ranges. */
export function coverage(part: Buffer, context: LayoutContext): void {
  const format = u16(part, 0)
  if (format !== 1 && format !== 2) throw new UnknownSet()
  if (format === 1) glyphList(part, 2, context)
  else ranges(part, context)
}

/** A class definition: a list of classes, or ranges. Classes go up to `most`. */
export function classes(part: Buffer, context: LayoutContext, most = 0xffff): void {
  const format = u16(part, 0)
  assertFont(format === 1 || format === 2, 'invalid class of glyphs')
  if (format === 2) ranges(part, context, most)
  else {
    const count = u16(part, 4)
    spend(context, count)
    assertFont(u16(part, 2) + count <= context.glyphs, 'invalid class of glyphs')
    for (let at = 6; at < 6 + 2 * count; at += 2) assertFont(u16(part, at) <= most, 'invalid class of glyphs')
  }
}

/** Ordered ranges of glyphs, each with a number. */
function ranges(part: Buffer, context: LayoutContext, most = 0xffff): void {
  const count = u16(part, 2)
  spend(context, count)
  let previous = -1
  for (let at = 4; at < 4 + 6 * count; at += 6) {
    const [start, end] = [u16(part, at), u16(part, at + 2)]
    // Some programs write empty ranges, which contain no glyph.
    if (start > end) continue
    // In some valid fonts adjacent ranges share a glyph.
    const isValid = start >= previous && end < context.glyphs && u16(part, at + 4) <= most
    assertFont(isValid, 'invalid range of glyphs')
    previous = end
  }
}

/** A script with its languages, which select features. */
export function script(part: Buffer, features: number, context: LayoutContext): void {
  const languages = u16(part, 2)
  spend(context, languages)
  if (u16(part, 0) !== 0) language(subtableAt(part, 0), features, context)
  for (let index = 0; index < languages; index++) language(subtableAt(part, 8 + 6 * index), features, context)
}

function language(part: Buffer, features: number, context: LayoutContext): void {
  const required = u16(part, 2)
  assertFont(
    u16(part, 0) === 0 && (required === 0xffff || required < features),
    'invalid language in a layout table',
  )
  indexList(part, 4, features, context)
}

/** A feature, which selects lookups. */
export function feature(part: Buffer, lookups: number, context: LayoutContext): void {
  indexList(part, 2, lookups, context)
}

function indexList(part: Buffer, at: number, below: number, context: LayoutContext): void {
  const count = u16(part, at)
  spend(context, count)
  for (let index = 0; index < count; index++) {
    assertFont(u16(part, at + 2 + 2 * index) < below, 'invalid index in a layout table')
  }
}
