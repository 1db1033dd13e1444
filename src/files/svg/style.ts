// What the attributes, styles and rules of a drawing say about an element: what it draws with, and what that costs.

import { costs, dashesPerUnit, filterFunctionsCost } from './cost-model.ts'
import { declarationsOf, rulesOf } from './css.ts'
import { numbers, userUnits } from './geometry.ts'

/** The ids that an element or a rule draws with, by the attribute or property that names them. */
export type Uses = ReadonlyMap<string, ReadonlySet<string>>

export interface Style {
  uses: Uses
  /** Layers that it needs, whatever their size. */
  fixed: number
  /** Steps of filters, for the whole picture. */
  steps: number
  dashes: number | undefined
  strokeWidth: number | undefined
  /** Whether it gives the element another place, size or shape than its attributes do. */
  changesGeometry: boolean
  /** Characters of a path within the style. */
  pathLength: number
}

export type Properties = Iterable<readonly [name: string, value: string]>

const paintProperty = /^(?:fill|stroke)$/i
const geometryProperty = /^(?:transform.*|translate|rotate|scale|x|y|cx|cy|r|rx|ry|d|width|height)$/i
const urlTokens = /url\(\s*["']?#([^"')\s(]+)/gi
const shapeFunction = /path\(|polygon\(/i
const selectorNames = /[.#]?[\w\u0080-\uffff-]+/g

/** Of a style; `isAttribute` for the attributes of an element, which move nothing. */
export function styleOf(properties: Properties, isAttribute = false): Style {
  const uses = new Map<string, Set<string>>()
  const style = {
    uses,
    fixed: 0,
    steps: 0,
    dashes: undefined as number | undefined,
    strokeWidth: undefined as number | undefined,
    changesGeometry: false,
    pathLength: 0,
  }
  for (const [written, value] of properties) {
    const name = written.toLowerCase()
    const ids = name.endsWith('href') && value.startsWith('#') ? [value.slice(1)] : urlsOf(value)
    // A paint without an id ends the one that was handed down.
    if (ids.length > 0 || paintProperty.test(name)) uses.set(name, new Set(ids))
    if (name === 'opacity' && !(Number(value) >= 1)) style.fixed += costs.opacity
    if (name === 'mix-blend-mode' && value.trim() !== 'normal') style.fixed += costs.blend
    if (name === 'isolation') style.fixed += costs.opacity
    if (name === 'filter') style.steps += filterFunctionsCost(value)
    if (name === 'stroke-dasharray') style.dashes = dashesPerUnit(value)
    if (name === 'stroke-width') style.strokeWidth = widthOf(value)
    if (!isAttribute && geometryProperty.test(name)) style.changesGeometry = true
    if ((!isAttribute && name === 'd') || (name === 'clip-path' && shapeFunction.test(value)))
      style.pathLength += value.length
  }
  return style
}

function urlsOf(value: string): string[] {
  return value.includes('#') ? Array.from(value.matchAll(urlTokens), ([, id = '']) => id) : []
}

type Rule = Style & { uses: Map<string, Set<string>> }

/** The rules of the style sheets by the names in their selectors: rather too many for an element than too few. */
export class StyleSheets {
  readonly #rules = new Map<string, Rule>()
  /** How many selectors there are, and how many of them count siblings. */
  selectorCount = 0
  siblingSelectorCount = 0

  add(css: string): void {
    for (const { prelude, block } of rulesOf(css)) {
      if (prelude.startsWith('@')) {
        this.add(block)
        continue
      }
      this.selectorCount += prelude.split(',').length
      this.siblingSelectorCount += prelude.split(/:nth|:(?:last|only|first)-/i).length - 1
      const style = styleOf(declarationsOf(block))
      const names = /[*:[]/.test(prelude) ? ['*'] : (prelude.match(selectorNames) ?? [])
      for (const name of new Set(names)) this.#rules.set(name, merged(this.#rules.get(name), style))
    }
  }

  /** The rules that may choose an element with these names. */
  matching(names: Iterable<string>): Style[] {
    return [...names].flatMap((name) => this.#rules.get(name) ?? [])
  }
}

/** The larger one of those that are known. */
export const maxKnown = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other)

/** In user units; of other units the largest is an inch. */
function widthOf(value: string): number {
  return Math.abs(userUnits(value) ?? (numbers(value.slice(0, 100))[0] ?? 0) * 96)
}

/** Adds a rule to those of a name; the first one is copied, since it stands under other names, too. */
function merged(known: Rule | undefined, style: Style): Rule {
  const uses = known?.uses ?? new Map<string, Set<string>>()
  for (const [property, ids] of style.uses) {
    const all = uses.get(property) ?? new Set<string>()
    uses.set(property, all)
    for (const id of ids) all.add(id)
  }
  if (!known) return { ...style, uses }
  return {
    uses,
    fixed: Math.max(known.fixed, style.fixed),
    steps: Math.max(known.steps, style.steps),
    dashes: maxKnown(known.dashes, style.dashes),
    strokeWidth: maxKnown(known.strokeWidth, style.strokeWidth),
    changesGeometry: known.changesGeometry || style.changesGeometry,
    pathLength: Math.max(known.pathLength, style.pathLength),
  }
}
