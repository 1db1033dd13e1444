// Extracts what the render cost of one element depends on.

import { shapeElements, templateElements } from './allowed.ts'
import { costs, primitiveCost } from './cost-model.ts'
import { declarationsOf } from './css.ts'
import { firstNumbers, type Matrix, matrixOf, userUnits } from './geometry.ts'
import { noOutline, type Outline, outlineOf } from './outline.ts'
import { maxKnown, type Style, styleOf } from './style.ts'

/** An element of a drawing, with what its render cost depends on. */
export interface Part {
  name: string
  /** The index of the parent; -1 for the root. */
  parent: number
  id: string | undefined
  /** The simple selectors that match it. */
  selectorNames: ReadonlySet<string>
  style: Style
  outline: Outline
  /** From its own coordinates to its parent's; undefined if that depends on more than its attributes. */
  matrix: Matrix | undefined
  /** Drawn only where another element refers to it. */
  isTemplate: boolean
  /** Inside a template. */
  isInsideTemplate: boolean
  /** For a filter primitive: its cost for the whole picture. */
  primitiveCost: number
  /** For a filter: the area of its region in square units, or as a multiple of the target's box. */
  region: { area: number } | { times: number }
  /** For a filter: how far its primitives spread. */
  reach: FilterReach
  characters: number
  children: number
}

/** Lengths in user units of the filtered element, or as fractions of its box. */
interface FilterReach {
  isRelative: boolean
  /** The sum of the standard deviations of all blurs. */
  deviations: number
  /** The sum of the squared radii of all morphology primitives, and their number. */
  squaredRadii: number
  radiusCount: number
}

export type ReferenceKind =
  | 'use'
  | 'paint'
  | 'mask'
  | 'clip'
  | 'filter'
  | 'marker'
  | 'every marker'
  | 'text path'

export interface Reference {
  to: number
  kind: ReferenceKind
  /** Declared by the element itself. A cycle of such references is always an error. */
  isOwn: boolean
}

/** What applies to an element after all style rules. */
export interface ComputedStyle {
  references: Reference[]
  fixed: number
  steps: number
  dashes: number
  strokeWidth: number
  fontSize: number
  changesGeometry: boolean
  changesLength: boolean
  hasScreenStroke: boolean
  pathLength: number
}

type Attributes = ReadonlyMap<string, string>

const textElement = /^(?:tspan|textPath)$/

/** Describes an element. `pixels` is the size of its embedded picture, or 0. */
export function partOf(
  name: string,
  attributes: Attributes,
  { parent, above, pixels }: { parent: number; above: Part | undefined; pixels: number },
): Part {
  const { id, class: classes = '', style = '', ...others } = Object.fromEntries(attributes)
  const own = styleOf(Object.entries(others), true)
  const declared = styleOf(declarationsOf(style))
  const isMoved = declared.changesGeometry && above !== undefined
  return {
    name,
    parent,
    id,
    selectorNames: new Set([name, `#${id}`, ...classes.split(/\s+/).map((each) => `.${each}`), '*']),
    style: {
      uses: new Map([...own.uses, ...declared.uses]),
      fixed: own.fixed + declared.fixed + pixels * costs.pixel,
      steps: own.steps + declared.steps,
      dashes: declared.dashes ?? own.dashes,
      strokeWidth: declared.strokeWidth ?? own.strokeWidth,
      fontSize: maxKnown(declared.fontSize, own.fontSize),
      changesGeometry: isMoved,
      changesLength: declared.changesLength,
      hasScreenStroke: own.hasScreenStroke || declared.hasScreenStroke,
      inherits: own.inherits || declared.inherits,
      fontFamilies: [...own.fontFamilies, ...declared.fontFamilies],
      pathLength: declared.pathLength,
    },
    outline: shapeElements.has(name) || textElement.test(name) ? outlineOf(name, attributes) : noOutline,
    matrix: isMoved ? undefined : matrixOfElement(name, attributes, above),
    isTemplate: templateElements.has(name),
    isInsideTemplate: above !== undefined && (above.isInsideTemplate || above.isTemplate),
    primitiveCost: primitiveCost(name, attributes),
    region: name === 'filter' ? regionOf(attributes) : { times: 1 },
    reach: {
      isRelative: attributes.get('primitiveUnits') === 'objectBoundingBox',
      deviations: 0,
      squaredRadii: 0,
      radiusCount: 0,
    },
    characters: 0,
    children: 0,
  }
}

/** Adds a child element to its parent. */
export function addChild(above: Part, name: string, attributes: Attributes): void {
  above.children++
  const largest = (attribute: string) => Math.max(0, ...firstNumbers(attributes.get(attribute) ?? '', 2))
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
  // These define their own scale.
  if (objects || name === 'marker' || attributes.has('viewBox')) return undefined
  return matrixOf(attributes.get(name === 'pattern' ? 'patternTransform' : 'transform') ?? '')
}

/** The region of a filter; by default a tenth larger than its element on every side. */
function regionOf(attributes: Attributes): Part['region'] {
  const width = share(attributes.get('width'))
  const height = share(attributes.get('height'))
  if (attributes.get('filterUnits') !== 'userSpaceOnUse') return { times: (width ?? 1.2) * (height ?? 1.2) }
  const area =
    (userUnits(attributes.get('width')) ?? Number.NaN) * (userUnits(attributes.get('height')) ?? Number.NaN)
  return { area: Number.isNaN(area) ? Number.POSITIVE_INFINITY : Math.abs(area) }
}

/** A fraction of a box, given as a number or a percentage. */
function share(value: string | undefined): number | undefined {
  if (value?.trim().endsWith('%')) {
    const percent = userUnits(value.trim().slice(0, -1))
    return percent === undefined ? undefined : Math.abs(percent / 100)
  }
  const fraction = userUnits(value)
  return fraction === undefined ? undefined : Math.abs(fraction)
}

const referableElements: Readonly<Record<ReferenceKind, RegExp>> = {
  use: /./,
  paint: /^(?:linearGradient|radialGradient|pattern)$/,
  mask: /^mask$/,
  clip: /^clipPath$/,
  filter: /^filter$/,
  marker: /^marker$/,
  'every marker': /^marker$/,
  'text path': /./,
}

/** Whether a reference of this kind has an effect; programs ignore any other. */
export function canReference(kind: ReferenceKind, from: Part, to: Part): boolean {
  if (kind !== 'use' || from.name === 'use' || from.name === 'feImage')
    return referableElements[kind].test(to.name)
  // Gradients, patterns and filters inherit missing attributes from each other.
  return from.name.endsWith('Gradient') ? to.name.endsWith('Gradient') : from.name === to.name
}
