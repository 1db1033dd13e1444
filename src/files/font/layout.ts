// Checks the layout tables of a font, which substitute and position glyphs: every offset must lead to a valid subtable.
import { assertFont } from './assert-font.ts'
import {
  classes,
  coverage,
  eachOffset,
  feature,
  glyphList,
  type LayoutContext,
  script,
  subtableAt,
  UnknownSet,
  u16,
} from './layout-parts.ts'
import { positions } from './positions.ts'

type Subtable = (part: Buffer, context: LayoutContext) => void

/** The checks of substitution subtables by lookup type. */
const substitutionChecks: Readonly<Record<number, Subtable>> = {
  1: (part, context) => {
    coverage(subtableAt(part, 2), context)
    const format = u16(part, 0)
    assertFont(format === 1 || format === 2, 'invalid format of a substitution')
    if (format === 2) glyphList(part, 4, context)
    else u16(part, 4)
  },
  2: (part, context) => listed(part, context, (set) => glyphList(set, 0, context)),
  3: (part, context) => listed(part, context, (set) => glyphList(set, 0, context)),
  4: (part, context) =>
    listed(part, context, (set) => eachOffset(set, 0, context, (ligature) => ligatureOf(ligature, context))),
  5: contextual,
  6: chained,
  8: (part, context) => coverage(subtableAt(part, 2), context),
}

const positioningChecks: Readonly<Record<number, Subtable>> = { ...positions, 7: contextual, 8: chained }

/** The table without lookups that programs ignore; undefined if there are none. Throws FileRejected for a damaged table. */
export function repairedSubstitutions(gsub: Buffer, glyphs: number): Buffer | undefined {
  return repairedLookups(gsub, { glyphs, readsLeft: maxReads }, substitutionChecks, 7)
}

/** As `repairedSubstitutions`. */
export function repairedPositions(gpos: Buffer, glyphs: number): Buffer | undefined {
  return repairedLookups(gpos, { glyphs, readsLeft: maxReads }, positioningChecks, 9)
}

export function assertGlyphDefinitions(gdef: Buffer, glyphs: number): void {
  const context = { glyphs, readsLeft: maxReads }
  assertFont(u16(gdef, 0) === 1, 'invalid glyph definitions')
  if (u16(gdef, 4) !== 0) classes(subtableAt(gdef, 4), context, maxGlyphClass)
  // The first edition of the format had no classes of marks, and glyph classes where their offset stands now.
  if (u16(gdef, 4) !== firstHeader && u16(gdef, 10) !== 0) classes(subtableAt(gdef, 10), context)
  for (const at of [6, 8]) if (u16(gdef, at) !== 0) coverage(subtableAt(subtableAt(gdef, at), 0), context)
}

/** The length of the header in the first edition of the format. */
const firstHeader = 10
/** Base, ligature, mark and component. */
const maxGlyphClass = 4
/** The offset in a lookup of the number of its subtables. */
const subtableCount = 4
// Subtables may overlap, so that a small table could take hours to read.
const maxReads = 20_000_000

function repairedLookups(
  table: Buffer,
  context: LayoutContext,
  subtables: Readonly<Record<number, Subtable>>,
  extension: number,
): Buffer | undefined {
  assertFont(u16(table, 0) === 1, 'invalid version of a layout table')
  const [scripts, features, lookups] = [4, 6, 8].map((at) =>
    u16(table, at) === 0 ? undefined : subtableAt(table, at),
  )
  const [featureCount, lookupCount] = [features, lookups].map((list) => (list ? u16(list, 0) : 0))
  if (scripts) tagged(scripts, (part) => script(part, featureCount ?? 0, context))
  if (features) tagged(features, (part) => feature(part, lookupCount ?? 0, context))
  if (!lookups) return undefined
  const ignored: number[] = []
  eachOffset(lookups, 0, context, (lookup) => {
    try {
      assertSubtables(lookup)
    } catch (error) {
      if (!(error instanceof UnknownSet)) throw error
      ignored.push(lookup.byteOffset - table.byteOffset)
    }
  })
  if (ignored.length === 0) return undefined
  const repaired = Buffer.from(table)
  for (const lookup of ignored) repaired.writeUInt16BE(0, lookup + subtableCount)
  return repaired

  function assertSubtables(lookup: Buffer): void {
    const type = u16(lookup, 0)
    eachOffset(lookup, subtableCount, context, (part) => {
      if (type !== extension) return check(type, part)
      const offset = part.readUInt32BE(4)
      assertFont(u16(part, 0) === 1 && offset < part.length, 'invalid offset in a layout table')
      check(u16(part, 2), part.subarray(offset))
    })
  }

  function check(type: number, part: Buffer): void {
    const subtable = subtables[type]
    assertFont(subtable !== undefined, 'invalid type of a lookup')
    subtable?.(part, context)
  }
}

/** Checks the subtables of records with a tag and an offset. */
function tagged(list: Buffer, check: (part: Buffer) => void): void {
  for (let record = 0; record < u16(list, 0); record++) check(subtableAt(list, 6 + 6 * record))
}

function listed(part: Buffer, context: LayoutContext, check: (set: Buffer) => void): void {
  assertFont(u16(part, 0) === 1, 'invalid format of a substitution')
  coverage(subtableAt(part, 2), context)
  eachOffset(part, 4, context, check)
}

function ligatureOf(ligature: Buffer, { glyphs }: LayoutContext): void {
  const parts = u16(ligature, 2)
  assertFont(u16(ligature, 0) < glyphs && parts > 0, 'invalid ligature')
  for (let part = 1; part < parts; part++)
    assertFont(u16(ligature, 2 + 2 * part) < glyphs, 'invalid ligature')
}

/** Formats 1 and 2 match by glyph and by class, format 3 by one coverage table per position. */
function contextual(part: Buffer, context: LayoutContext): void {
  const format = u16(part, 0)
  assertFont(format >= 1 && format <= 3, 'invalid format of a context')
  if (format === 3) {
    for (let place = 0; place < u16(part, 2); place++) coverage(subtableAt(part, 6 + 2 * place), context)
    return
  }
  coverage(subtableAt(part, 2), context)
  if (format === 2) classes(subtableAt(part, 4), context)
}

function chained(part: Buffer, context: LayoutContext): void {
  const format = u16(part, 0)
  assertFont(format >= 1 && format <= 3, 'invalid format of a context')
  if (format === 3) {
    let at = 2
    // The glyphs before, at and after the position.
    for (let sequence = 0; sequence < 3; sequence++)
      at = eachOffset(part, at, context, (set) => coverage(set, context))
    return
  }
  coverage(subtableAt(part, 2), context)
  if (format === 2)
    for (const at of [4, 6, 8]) if (u16(part, at) !== 0) classes(subtableAt(part, at), context)
}
