// What elements inherit where `use` elements draw them, in addition to what they inherit where they stand.
import type { ComputedStyle, Part, Reference } from './part.ts'
import { tooExpensive } from './total-cost.ts'

/** How many references to markers may be passed on. */
const maxPassed = 300_000

/** A computed style, and for a `use` the markers that it passes on to the lines that it draws. */
export type Inheriting = ComputedStyle & { markers: readonly Reference[] }

/**
 * The styles with what any `use` passes on to the elements that are drawn by one. Which `use` draws which element is not
 * evaluated: the largest value counts.
 * @throws FileRejected if there are too many
 */
export function withPassedOn(parts: readonly Part[], drawn: readonly Inheriting[]): ComputedStyle[] {
  const uses = drawn.filter((_, number) => parts[number]?.name === 'use')
  if (uses.length === 0) return [...drawn]
  const largest = (of: 'dashes' | 'strokeWidth' | 'fontSize') =>
    uses.reduce((most, style) => Math.max(most, style[of]), 0)
  const passed = {
    dashes: largest('dashes'),
    strokeWidth: largest('strokeWidth'),
    fontSize: largest('fontSize'),
    markers: unique(uses.flatMap(({ markers }) => markers)),
  }
  const targets = new Set(uses.flatMap(({ references }) => references.map(({ to }) => to)))
  const isDrawn: boolean[] = []
  let left = maxPassed
  return drawn.map((style, number) => {
    const part = parts[number]
    isDrawn[number] = targets.has(number) || isDrawn[part?.parent ?? -1] === true
    if (!isDrawn[number]) return style
    const { dashes, strokeWidth, fontSize, references } = style
    const gets = passed.markers.length > 0 && lineShape.test(part?.name ?? '')
    if (gets) left -= passed.markers.length
    if (left < 0) throw tooExpensive()
    return {
      ...style,
      dashes: Math.max(dashes, passed.dashes),
      strokeWidth: Math.max(strokeWidth, passed.strokeWidth),
      fontSize: Math.max(fontSize, passed.fontSize),
      references: gets ? unique([...references, ...passed.markers]) : references,
    }
  })
}

/** Shapes that have markers. */
export const lineShape = /^(?:path|line|polyline|polygon)$/

/** Each target once for each kind. */
const unique = (references: readonly Reference[]) => [
  ...new Map(references.map((each) => [`${each.kind} ${each.to}`, each])).values(),
]
