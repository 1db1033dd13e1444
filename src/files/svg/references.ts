// What an element of a drawing draws with: who refers to whom, and how.
import { addChild, type Drawn, fits, type How, type Part, partOf } from './part.ts'
import { SHAPES } from './rules.ts'
import { larger, Sheets, type Style, type Uses } from './style.ts'
import { assertLight, tooHeavy } from './total.ts'
import { COST } from './weight.ts'

/** How many ids may be looked up, and paints handed down. */
const FOLLOWED = 3_000_000

/** What is said by these holds for everything within, until that says otherwise. */
const HANDED_DOWN = /^(?:fill|stroke|marker.*|--.*)$/
const PAINTED = /^(?:tspan|textpath)$/i
const LINES = /^(?:path|line|polyline|polygon)$/

/** Elements in document order, and the rules of the style sheets. */
export class References {
  readonly #parts: Part[] = []
  readonly #sheets = new Sheets()

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
    const { selectors, counting } = this.#sheets
    const siblings = this.#parts.reduce((sum, { children }) => sum + children * children, 0)
    const selecting = siblings * counting * COST.siblings + this.#parts.length * selectors * COST.selector
    assertLight(this.#parts, this.#drawn(), { canvas, selecting })
  }

  #drawn(): Drawn[] {
    const byId = new Map<string, number>()
    for (const [number, { id }] of this.#parts.entries())
      if (id !== undefined && !byId.has(id)) byId.set(id, number)
    const all: (Drawn & { paints: Uses })[] = []
    const budget = { left: FOLLOWED }
    for (const part of this.#parts) {
      const rules = this.#sheets.matching(part.names)
      const above = all[part.parent]
      const said = [part.style, ...rules]
      const { own, paints } = handedDown(said, above?.paints ?? new Map(), budget)
      const uses = isPainted(part.name) ? [...own, ...paints] : [...own]
      const references = uses.flatMap(([property, ids]) =>
        [...ids].flatMap((id) => {
          spend(budget)
          const to = byId.get(id)
          const how = howOf(property, part.name)
          const isOwn = part.style.uses.get(property)?.has(id) === true
          const target = this.#parts[to ?? -1]
          return to !== undefined && target && how && fits(how, part, target) ? [{ to, how, isOwn }] : []
        }),
      )
      all.push({ references, paints, ...costOf(part.style, rules, above) })
    }
    return all
  }
}

function costOf(own: Style, rules: readonly Style[], above: Drawn | undefined): Omit<Drawn, 'references'> {
  const most = (of: (style: Style) => number) => Math.max(0, ...rules.map(of))
  // What is handed down holds until somebody says something else; which of several counts is not looked into.
  const said = (of: 'dashes' | 'strokeWidth') =>
    [own, ...rules].map((style) => style[of]).reduce(larger, undefined) ?? above?.[of]
  return {
    fixed: own.fixed + most((rule) => rule.fixed),
    steps: own.steps + most((rule) => rule.steps),
    dashes: said('dashes') ?? 0,
    strokeWidth: said('strokeWidth') ?? 1,
    moves: own.moves || rules.some((rule) => rule.moves),
    path: own.path + most((rule) => rule.path),
  }
}

const isPainted = (name: string) => SHAPES.has(name) || PAINTED.test(name)

/** How a property draws with what it refers to; undefined for a link that draws nothing. */
function howOf(property: string, element: string): How | undefined {
  if (property.endsWith('href')) return element === 'a' || element === 'textPath' ? undefined : 'use'
  if (property === 'clip-path') return 'clip'
  if (property === 'mask' || property === 'filter') return property
  if (!property.startsWith('marker')) return 'paint'
  if (!LINES.test(element)) return undefined
  return property === 'marker-start' || property === 'marker-end' ? 'marker' : 'every marker'
}

function spend(budget: { left: number }, count = 1): void {
  budget.left -= count
  if (budget.left < 0) throw tooHeavy()
}

/** The ids that an element draws with by itself, and the paints that hold for it and what is within. */
function handedDown(
  said: readonly Style[],
  handed: Uses,
  budget: { left: number },
): { own: Map<string, Set<string>>; paints: Uses } {
  const own = new Map<string, Set<string>>()
  const paints = new Map<string, Set<string>>()
  for (const { uses } of said) {
    for (const [property, ids] of uses) {
      const to = HANDED_DOWN.test(property) ? paints : own
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
