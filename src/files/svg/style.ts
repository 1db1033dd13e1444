// Extracts from attributes, styles and rules which elements they refer to, and what they add to the render cost.

import { costs, dashesPerUnit, filterFunctionsCost } from './cost-model.ts'
import { declarationsOf, rulesOf } from './css.ts'
import { firstNumbers, isRelative, userUnits } from './geometry.ts'

/** The ids that an element or a rule refers to, by attribute or property. */
export type Uses = ReadonlyMap<string, ReadonlySet<string>>

export interface Style {
  uses: Uses
  /** The cost of additional layers, independent of their size. */
  fixed: number
  /** The cost of filter functions for the whole picture. */
  steps: number
  dashes: number | undefined
  strokeWidth: number | undefined
  /** In user units; Infinity for relative sizes. */
  fontSize: number | undefined
  /** Whether it changes the position, size or shape that the attributes define. */
  changesGeometry: boolean
  /** Whether it changes the length of the outline. */
  changesLength: boolean
  /** Whether strokes are drawn in the coordinates of the screen. */
  hasScreenStroke: boolean
  /** Whether it takes the filter, mask, clip or path of its parent. */
  inherits: boolean
  fontFamilies: readonly string[]
  /** The number of characters of paths in the style. */
  pathLength: number
}

export type Properties = Iterable<readonly [name: string, value: string]>

const paintProperty = /^(?:fill|stroke)$/i
const geometryProperty = /^(?:transform.*|translate|rotate|scale|x|y|cx|cy|r|rx|ry|d|width|height)$/i
const lengthProperty = /^(?:x|y|cx|cy|r|rx|ry|d|width|height)$/i
/** Properties with a cost that is not inherited by default. */
const ownProperty = /^(?:filter|mask|clip-path|d)$/i
const markerProperty = /^marker/i
/** A stroke whose joins cost the maximum. */
const unknownWidth = 8100
const sizes = /(?<![\w.])(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?(?:px|in|cm|mm|q|pt|pc)?/gi
const urlTokens = /url\(\s*["']?#([^"')\s(]+)/gi
const basicShape = /\b(?:circle|ellipse|inset|polygon|path)\s*\(/i
const shapeFunction = /path\(|polygon\(/i
const simpleSelectors = /[\w\u0080-\uffff-]+|\*/g
const selectorNames = /[.#]?[\w\u0080-\uffff-]+/g

/** The size of `xxx-large`. */
const largestKeyword = 48

/** Evaluates declarations. @param isAttribute for attributes, which the outline and the matrix already cover */
export function styleOf(properties: Properties, isAttribute = false): Style {
  const uses = new Map<string, Set<string>>()
  const style = {
    uses,
    fixed: 0,
    steps: 0,
    dashes: undefined as number | undefined,
    strokeWidth: undefined as number | undefined,
    fontSize: undefined as number | undefined,
    changesGeometry: false,
    changesLength: false,
    hasScreenStroke: false,
    inherits: false,
    fontFamilies: [] as string[],
    pathLength: 0,
  }
  for (const [written, value] of properties) {
    const name = written.toLowerCase()
    const ids = name.endsWith('href') && value.startsWith('#') ? [value.slice(1)] : urlsOf(value)
    // A paint without an id overrides the inherited one.
    if (ids.length > 0 || paintProperty.test(name)) uses.set(name, new Set(ids))
    if (name === 'opacity' && !(Number(value) >= 1)) style.fixed += costs.opacity
    if (name === 'mix-blend-mode' && value.trim() !== 'normal') style.fixed += costs.blend
    if (name === 'isolation') style.fixed += costs.opacity
    if (name === 'filter') style.steps += filterFunctionsCost(value)
    if (name === 'clip-path' && basicShape.test(value)) style.fixed += costs.clip
    if (name === 'stroke-dasharray') style.dashes = dashesPerUnit(value)
    if (name === 'stroke-width') style.strokeWidth = widthOf(value)
    if (name === 'font-size' || name === 'font') style.fontSize = fontSizeOf(name, value)
    if (name === 'font-size-adjust' && value.trim() !== 'none') style.fontSize = Number.POSITIVE_INFINITY
    if (name === 'vector-effect' && /non-scaling-stroke|\(/i.test(value)) style.hasScreenStroke = true
    // A custom property may hold the names of fonts, too.
    if (name === 'font-family' || name === 'font' || name.startsWith('--'))
      style.fontFamilies = style.fontFamilies.concat(value.split(','))
    if (ownProperty.test(name) && /^\s*inherit\b/i.test(value)) style.inherits = true
    // What a variable stands for depends on the whole drawing.
    if ((ownProperty.test(name) || markerProperty.test(name)) && /\bvar\s*\(/i.test(value))
      style.fixed = Number.POSITIVE_INFINITY
    if (!isAttribute && geometryProperty.test(name)) style.changesGeometry = true
    if (!isAttribute && lengthProperty.test(name)) style.changesLength = true
    if ((!isAttribute && name === 'd') || (name === 'clip-path' && shapeFunction.test(value)))
      style.pathLength += value.length
  }
  return style
}

function urlsOf(value: string): string[] {
  return value.includes('#') ? Array.from(value.matchAll(urlTokens), ([, id = '']) => id) : []
}

type Rule = Style & { uses: Map<string, Set<string>> }

/** The style rules by the names in their selectors. Matching is approximate: it may find too many rules, but never too few. */
export class StyleSheets {
  readonly #rules = new Map<string, Rule>()
  /** The number of simple selectors, each of which may be tried on every element, and of those that count siblings. */
  selectorCount = 0
  siblingSelectorCount = 0
  /** The number of selectors that look into other elements. */
  relativeSelectorCount = 0
  readonly fontFamilies = new Set<string>()

  add(css: string): void {
    for (const { prelude, block } of rulesOf(css)) {
      if (prelude.startsWith('@')) {
        this.add(block)
        continue
      }
      this.selectorCount += prelude.match(simpleSelectors)?.length ?? 1
      this.siblingSelectorCount += prelude.split(/:nth|:(?:last|only|first)-|~(?!=)/i).length - 1
      this.relativeSelectorCount += prelude.split(/:has\(/i).length - 1
      const style = styleOf(declarationsOf(block))
      for (const family of style.fontFamilies) this.fontFamilies.add(family.trim())
      const names = /[*:[]/.test(prelude) ? ['*'] : (prelude.match(selectorNames) ?? [])
      for (const name of new Set(names)) this.#rules.set(name, merged(this.#rules.get(name), style))
    }
  }

  /** The rules that may match an element with these names. */
  matching(names: Iterable<string>): Style[] {
    return [...names].flatMap((name) => this.#rules.get(name) ?? [])
  }
}

/** The larger of two values, ignoring undefined. */
export const maxKnown = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other)

/** The largest size that the value may have in user units; undefined if it is inherited. */
function fontSizeOf(name: string, value: string): number | undefined {
  if (/^\s*(?:inherit|unset|revert)/i.test(value)) return undefined
  if (isRelative(value) || /(?:larg|small)er/i.test(value)) return Number.POSITIVE_INFINITY
  let largest = largestKeyword
  // Without a unit, numbers of the property `font` are a weight and a line height.
  for (const [size] of value.matchAll(sizes))
    if (name !== 'font' || /[a-z]$/i.test(size)) largest = Math.max(largest, userUnits(size) ?? 0)
  return largest
}

/** An upper bound in user units: the largest other unit is an inch. Undefined if it is inherited. */
function widthOf(value: string): number | undefined {
  if (/^\s*(?:inherit|unset|revert)/i.test(value)) return undefined
  if (value.includes('(')) return unknownWidth
  return Math.abs(userUnits(value) ?? (firstNumbers(value, 1)[0] ?? 0) * 96)
}

/** Merges a rule into those of a name. The first one is copied, since it is shared with other names. */
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
    fontSize: maxKnown(known.fontSize, style.fontSize),
    changesGeometry: known.changesGeometry || style.changesGeometry,
    changesLength: known.changesLength || style.changesLength,
    hasScreenStroke: known.hasScreenStroke || style.hasScreenStroke,
    inherits: known.inherits || style.inherits,
    fontFamilies: [],
    pathLength: Math.max(known.pathLength, style.pathLength),
  }
}
