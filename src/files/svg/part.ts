// What counts about one element of a drawing when its cost is added up.

import { shapeElements, templateElements } from './allowed.ts'
import { costs, primitiveCost } from './cost-model.ts'
import { declarationsOf } from './css.ts'
import { type Matrix, matrixOf, numbers, userUnits } from './geometry.ts'
import { noOutline, type Outline, outlineOf } from './outline.ts'
import { type Style, styleOf } from './style.ts'

export interface Part {
  name: string
  /** The number of the parent; -1 for the root. */
  parent: number
  id: string | undefined
  /** By which a rule may choose it. */
  selectorNames: ReadonlySet<string>
  style: Style
  outline: Outline
  /** From its own coordinates to its parent's; undefined where that depends on more than its attributes. */
  matrix: Matrix | undefined
  /** Drawn only where it is referred to. */
  isTemplate: boolean
  /** Within such an element. */
  isInsideTemplate: boolean
  /** Of a step of a filter: its cost for the whole picture. */
  primitiveCost: number
  /** Of a filter: the square units that it covers, or how many times the box of what it is put on. */
  region: { area: number } | { times: number }
  /** Of a filter: how far its steps reach. */
  reach: FilterReach
  characters: number
  children: number
}

/** Lengths in units of the element that a filter is put on, or as shares of its box. */
export interface FilterReach {
  isShare: boolean
  /** The sum of all deviations of blurs. */
  deviations: number
  /** The sum of the squares of all radii that shapes grow or shrink by, and how many these are. */
  squaredRadii: number
  radiusCount: number
}

export type ReferenceKind = 'use' | 'paint' | 'mask' | 'clip' | 'filter' | 'marker' | 'every marker'

export interface Reference {
  to: number
  kind: ReferenceKind
  /** Said by the element itself: a ring of such references is no accident. */
  isOwn: boolean
}

/** What holds for an element after all rules. */
export interface ComputedStyle {
  references: Reference[]
  fixed: number
  steps: number
  dashes: number
  strokeWidth: number
  changesGeometry: boolean
  pathLength: number
}

type Attributes = ReadonlyMap<string, string>

/** `pixels` are those of a picture that the element carries. */
export function partOf(
  name: string,
  attributes: Attributes,
  { parent, above, pixels }: { parent: number; above: Part | undefined; pixels: number },
): Part {
  const { id, class: classes = '', style = '', ...others } = Object.fromEntries(attributes)
  const own = styleOf(Object.entries(others), true)
  const said = styleOf(declarationsOf(style))
  const isMoved = said.changesGeometry && above !== undefined
  return {
    name,
    parent,
    id,
    selectorNames: new Set([name, `#${id}`, ...classes.split(/\s+/).map((each) => `.${each}`), '*']),
    style: {
      uses: new Map([...own.uses, ...said.uses]),
      fixed: own.fixed + said.fixed + pixels * costs.pixel,
      steps: own.steps + said.steps,
      dashes: said.dashes ?? own.dashes,
      strokeWidth: said.strokeWidth ?? own.strokeWidth,
      changesGeometry: isMoved,
      pathLength: said.pathLength,
    },
    outline: shapeElements.has(name) ? outlineOf(name, attributes) : noOutline,
    matrix: isMoved ? undefined : matrixOfElement(name, attributes, above),
    isTemplate: templateElements.has(name),
    isInsideTemplate: above !== undefined && (above.isInsideTemplate || above.isTemplate),
    primitiveCost: primitiveCost(name, attributes),
    region: name === 'filter' ? regionOf(attributes) : { times: 1 },
    reach: {
      isShare: attributes.get('primitiveUnits') === 'objectBoundingBox',
      deviations: 0,
      squaredRadii: 0,
      radiusCount: 0,
    },
    characters: 0,
    children: 0,
  }
}

/** Adds an element to what is known about its parent. */
export function addChild(above: Part, name: string, attributes: Attributes): void {
  above.children++
  const largest = (attribute: string) =>
    Math.max(0, ...numbers(attributes.get(attribute)?.slice(0, 100) ?? '').slice(0, 2))
  if (name === 'feGaussianBlur' || name === 'feDropShadow') above.reach.deviations += largest('stdDeviation')
  if (name !== 'feMorphology') return
  above.reach.squaredRadii += largest('radius') ** 2
  above.reach.radiusCount++
}

function matrixOfElement(name: string, attributes: Attributes, above: Part | undefined): Matrix | undefined {
  const objects = ['clipPathUnits', 'maskContentUnits', 'patternContentUnits'].some(
    (units) => attributes.get(units) === 'objectBoundingBox',
  )
  if (!above) return [1, 0, 0, 1, 0, 0]
  // These bring scales of their own.
  if (objects || name === 'marker' || attributes.has('viewBox')) return undefined
  return matrixOf(attributes.get(name === 'pattern' ? 'patternTransform' : 'transform') ?? '')
}

/** What a filter covers; without limits a tenth more than its element on every side. */
function regionOf(attributes: Attributes): Part['region'] {
  const width = share(attributes.get('width'))
  const height = share(attributes.get('height'))
  if (attributes.get('filterUnits') !== 'userSpaceOnUse') return { times: (width ?? 1.2) * (height ?? 1.2) }
  const area =
    (userUnits(attributes.get('width')) ?? Number.NaN) * (userUnits(attributes.get('height')) ?? Number.NaN)
  return { area: Number.isNaN(area) ? Number.POSITIVE_INFINITY : Math.abs(area) }
}

/** A share of a box, as a number or in percent. */
function share(text: string | undefined): number | undefined {
  if (text?.trim().endsWith('%')) {
    const percent = userUnits(text.trim().slice(0, -1))
    return percent === undefined ? undefined : Math.abs(percent / 100)
  }
  const value = userUnits(text)
  return value === undefined ? undefined : Math.abs(value)
}

const referableElements: Readonly<Record<ReferenceKind, RegExp>> = {
  use: /./,
  paint: /^(?:linearGradient|radialGradient|pattern)$/,
  mask: /^mask$/,
  clip: /^clipPath$/,
  filter: /^filter$/,
  marker: /^marker$/,
  'every marker': /^marker$/,
}

/** Whether an element can draw so with another one; others count as if they were not there. */
export function canReference(kind: ReferenceKind, from: Part, to: Part): boolean {
  if (kind !== 'use' || from.name === 'use' || from.name === 'feImage')
    return referableElements[kind].test(to.name)
  // Gradients, patterns and filters take from each other what they lack.
  return from.name.endsWith('Gradient') ? to.name.endsWith('Gradient') : from.name === to.name
}
