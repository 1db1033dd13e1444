// Collects the references between the elements of a drawing, and what the style rules add to each element.

import { shapeElements } from './allowed.ts'
import { costs } from './cost-model.ts'
import {
  addChild,
  type ComputedStyle,
  canReference,
  type Part,
  partOf,
  type Reference,
  type ReferenceKind,
} from './part.ts'
import { type Inheriting, lineShape, withPassedOn } from './passed-on.ts'
import { maxKnown, type Style, StyleSheets, type Uses } from './style.ts'
import { assertAffordable, tooExpensive } from './total-cost.ts'

/** How many ids may be looked up and paints inherited. */
const maxLookups = 3_000_000

/** Inherited properties that may refer to another element. */
const inheritedProperty = /^(?:fill|stroke|marker.*|--.*)$/
const paintedText = /^(?:tspan|textpath)$/i
/** What programs use where a drawing names none. */
const usualFontSize = 16

/** The elements in document order, and the rules of the style sheets. */
export class References {
  readonly #parts: Part[] = []
  readonly #sheets = new StyleSheets()

  /** Adds an element and returns its index. `parent` is the index of its parent, -1 for the root. */
  add(parent: number, name: string, attributes: ReadonlyMap<string, string>, pixels = 0): number {
    const above = this.#parts[parent]
    if (above) addChild(above, name, attributes)
    const part = partOf(name, attributes, { parent, above, pixels })
    for (const family of part.style.fontFamilies) this.#sheets.fontFamilies.add(family.trim())
    return this.#parts.push(part) - 1
  }

  /** Adds characters to the text of an element. */
  addText(number: number, length: number): void {
    const part = this.#parts[number]
    if (part && part.name !== 'title' && part.name !== 'desc') part.characters += length
  }

  /** Adds a sanitized style sheet. */
  addSheet(css: string): void {
    this.#sheets.add(css)
  }

  /**
   * Throws FileRejected if the drawing would keep a viewer busy for seconds, or contains circular references.
   * @param canvas the area of the picture in square units of its root; 0 if unknown
   */
  assertBounded(canvas: number): void {
    const { selectorCount, siblingSelectorCount, relativeSelectorCount, fontFamilies } = this.#sheets
    const all = this.#parts.length
    const siblings = this.#parts.reduce((sum, { children }) => sum + children * children, 0)
    const pairs = siblings * siblingSelectorCount + all * all * relativeSelectorCount
    const styling =
      pairs * costs.siblings + all * selectorCount * costs.selector + fontFamilies.size * costs.fontFamily
    assertAffordable(this.#parts, this.#drawn(), { area: canvas, stylingCost: styling })
  }

  #drawn(): ComputedStyle[] {
    const byId = new Map<string, number>()
    for (const [number, { id }] of this.#parts.entries())
      if (id !== undefined && !byId.has(id)) byId.set(id, number)
    const all: (Inheriting & { paints: Uses })[] = []
    const budget = { left: maxLookups }
    for (const part of this.#parts) {
      const rules = this.#sheets.matching(part.selectorNames)
      const above = all[part.parent]
      const declared = [part.style, ...rules]
      const { own, paints } = usesOf(declared, above?.paints ?? new Map(), budget)
      const uses = isPainted(part.name) ? [...own, ...paints] : [...own]
      const referencesOf = (from: typeof uses, name = part.name): Reference[] =>
        from.flatMap(([property, ids]) =>
          [...ids].flatMap((id) => {
            spend(budget)
            const to = byId.get(id)
            const kind = referenceKind(property, name)
            const isOwn = part.style.uses.get(property)?.has(id) === true
            const target = this.#parts[to ?? -1]
            return to !== undefined && target && kind && canReference(kind, part, target)
              ? [{ to, kind, isOwn }]
              : []
          }),
        )
      const passed = part.name === 'use' ? uses.filter(([property]) => property.startsWith('marker')) : []
      all.push({
        references: referencesOf(uses),
        markers: referencesOf(passed, 'path').map((marker) => ({ ...marker, isOwn: false })),
        paints,
        ...costOf(part.style, rules, above),
      })
    }
    return withPassedOn(this.#parts, all)
  }
}

function costOf(
  own: Style,
  rules: readonly Style[],
  above: ComputedStyle | undefined,
): Omit<ComputedStyle, 'references'> {
  const hasCost = above !== undefined && (above.references.length > 0 || above.steps + above.pathLength > 0)
  const inherits = own.inherits || rules.some((rule) => rule.inherits)
  const most = (of: (style: Style) => number) => Math.max(0, ...rules.map(of))
  // An inherited value applies until it is overridden. Specificity is not evaluated: the largest value counts.
  const declaredOrInherited = (of: 'dashes' | 'strokeWidth' | 'fontSize') =>
    [own, ...rules].map((style) => style[of]).reduce(maxKnown, undefined) ?? above?.[of]
  return {
    fixed: inherits && hasCost ? Number.POSITIVE_INFINITY : own.fixed + most((rule) => rule.fixed),
    steps: own.steps + most((rule) => rule.steps),
    dashes: declaredOrInherited('dashes') ?? 0,
    strokeWidth: declaredOrInherited('strokeWidth') ?? 1,
    fontSize: declaredOrInherited('fontSize') ?? usualFontSize,
    changesGeometry: own.changesGeometry || rules.some((rule) => rule.changesGeometry),
    changesLength: own.changesLength || rules.some((rule) => rule.changesLength),
    hasScreenStroke: own.hasScreenStroke || rules.some((rule) => rule.hasScreenStroke),
    pathLength: own.pathLength + most((rule) => rule.pathLength),
  }
}

const isPainted = (name: string) => shapeElements.has(name) || paintedText.test(name)

/** The kind of reference that a property makes; undefined for a link that draws nothing. */
function referenceKind(property: string, element: string): ReferenceKind | undefined {
  if (property.endsWith('href'))
    return element === 'a' ? undefined : element === 'textPath' ? 'text path' : 'use'
  if (property === 'clip-path') return 'clip'
  if (property === 'mask' || property === 'filter') return property
  if (!property.startsWith('marker')) return 'paint'
  if (!lineShape.test(element)) return undefined
  return property === 'marker-start' || property === 'marker-end' ? 'marker' : 'every marker'
}

function spend(budget: { left: number }, count = 1): void {
  budget.left -= count
  if (budget.left < 0) throw tooExpensive()
}

/** The ids that an element refers to itself, and the paints that apply to it and its descendants. */
function usesOf(
  styles: readonly Style[],
  inherited: Uses,
  budget: { left: number },
): { own: Map<string, Set<string>>; paints: Uses } {
  const own = new Map<string, Set<string>>()
  const paints = new Map<string, Set<string>>()
  for (const { uses } of styles) {
    for (const [property, ids] of uses) {
      const to = inheritedProperty.test(property) ? paints : own
      const known = to.get(property) ?? new Set<string>()
      to.set(property, known)
      for (const id of ids) {
        spend(budget)
        known.add(id)
      }
    }
  }
  if (paints.size === 0) return { own, paints: inherited }
  spend(budget, inherited.size)
  return { own, paints: new Map([...inherited, ...paints]) }
}
