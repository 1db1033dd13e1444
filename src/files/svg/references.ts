// What an element of a drawing draws with: who refers to whom, and kind.

import { shapeElements } from './allowed.ts'
import { costs } from './cost-model.ts'
import { addChild, type ComputedStyle, canReference, type Part, partOf, type ReferenceKind } from './part.ts'
import { maxKnown, type Style, StyleSheets, type Uses } from './style.ts'
import { assertAffordable, tooExpensive } from './total-cost.ts'

/** How many ids may be looked up, and paints handed down. */
const maxLookups = 3_000_000

/** What is said by these holds for everything within, until that says otherwise. */
const inheritedProperty = /^(?:fill|stroke|marker.*|--.*)$/
const paintedText = /^(?:tspan|textpath)$/i
const lineShape = /^(?:path|line|polyline|polygon)$/

/** Elements in document order, and the rules of the style sheets. */
export class References {
  readonly #parts: Part[] = []
  readonly #sheets = new StyleSheets()

  /** Adds an element and answers its number; `parent` is the number of its parent, -1 for the root. */
  add(parent: number, name: string, attributes: ReadonlyMap<string, string>, pixels = 0): number {
    const above = this.#parts[parent]
    if (above) addChild(above, name, attributes)
    return this.#parts.push(partOf(name, attributes, { parent, above, pixels })) - 1
  }

  /** Adds letters to a text. */
  addText(number: number, length: number): void {
    const part = this.#parts[number]
    if (part && part.name !== 'title' && part.name !== 'desc') part.characters += length
  }

  /** Adds a sheet that is clean. */
  addSheet(css: string): void {
    this.#sheets.add(css)
  }

  /**
   * Throws FileRejected when the drawing would keep a viewer busy for seconds, or refers to itself in a ring. `canvas`
   * is the size of the picture in square units of its root, 0 when that is not known.
   */
  assertBounded(canvas: number): void {
    const { selectorCount: selectors, siblingSelectorCount: counting } = this.#sheets
    const siblings = this.#parts.reduce((sum, { children }) => sum + children * children, 0)
    const selecting = siblings * counting * costs.siblings + this.#parts.length * selectors * costs.selector
    assertAffordable(this.#parts, this.#drawn(), { area: canvas, selectorCost: selecting })
  }

  #drawn(): ComputedStyle[] {
    const byId = new Map<string, number>()
    for (const [number, { id }] of this.#parts.entries())
      if (id !== undefined && !byId.has(id)) byId.set(id, number)
    const all: (ComputedStyle & { paints: Uses })[] = []
    const budget = { left: maxLookups }
    for (const part of this.#parts) {
      const rules = this.#sheets.matching(part.selectorNames)
      const above = all[part.parent]
      const said = [part.style, ...rules]
      const { own, paints } = usesOf(said, above?.paints ?? new Map(), budget)
      const uses = isPainted(part.name) ? [...own, ...paints] : [...own]
      const references = uses.flatMap(([property, ids]) =>
        [...ids].flatMap((id) => {
          spend(budget)
          const to = byId.get(id)
          const kind = referenceKind(property, part.name)
          const isOwn = part.style.uses.get(property)?.has(id) === true
          const target = this.#parts[to ?? -1]
          return to !== undefined && target && kind && canReference(kind, part, target)
            ? [{ to, kind, isOwn }]
            : []
        }),
      )
      all.push({ references, paints, ...costOf(part.style, rules, above) })
    }
    return all
  }
}

function costOf(
  own: Style,
  rules: readonly Style[],
  above: ComputedStyle | undefined,
): Omit<ComputedStyle, 'references'> {
  const most = (of: (style: Style) => number) => Math.max(0, ...rules.map(of))
  // What is handed down holds until somebody says something else; which of several counts is not looked into.
  const said = (of: 'dashes' | 'strokeWidth') =>
    [own, ...rules].map((style) => style[of]).reduce(maxKnown, undefined) ?? above?.[of]
  return {
    fixed: own.fixed + most((rule) => rule.fixed),
    steps: own.steps + most((rule) => rule.steps),
    dashes: said('dashes') ?? 0,
    strokeWidth: said('strokeWidth') ?? 1,
    changesGeometry: own.changesGeometry || rules.some((rule) => rule.changesGeometry),
    pathLength: own.pathLength + most((rule) => rule.pathLength),
  }
}

const isPainted = (name: string) => shapeElements.has(name) || paintedText.test(name)

/** How a property draws with what it refers to; undefined for a link that draws nothing. */
function referenceKind(property: string, element: string): ReferenceKind | undefined {
  if (property.endsWith('href')) return element === 'a' || element === 'textPath' ? undefined : 'use'
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

/** The ids that an element draws with by itself, and the paints that hold for it and what is within. */
function usesOf(
  said: readonly Style[],
  handed: Uses,
  budget: { left: number },
): { own: Map<string, Set<string>>; paints: Uses } {
  const own = new Map<string, Set<string>>()
  const paints = new Map<string, Set<string>>()
  for (const { uses } of said) {
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
  if (paints.size === 0) return { own, paints: handed }
  spend(budget, handed.size)
  return { own, paints: new Map([...handed, ...paints]) }
}
