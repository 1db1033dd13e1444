// The cost of rendering elements, in microseconds at a million pixels, measured with librsvg and Chromium. The slower one counts.
import { firstNumbers, isRelative, numbers } from './geometry.ts'

export interface Cost {
  /** Independent of the size of the element. */
  fixed: number
  /** Proportional to its area: cost for the whole picture times square units of the element. */
  area: number
  /** The same for an element that covers the whole picture, which is the maximum. */
  full: number
}

/** More expensive drawings are rejected. Microseconds. */
export const maxCost = 5_000_000

/** The maximum depth of the element tree, following references. */
export const maxDepth = 250

export const costs = {
  element: 10,
  vertex: 3,
  /** The maximum for each vertex, by the square root of the stroke width: round joins of wide strokes have many vertices. */
  join: 90,
  /** For each pair of lines of one path that cross the whole picture. */
  crossing: 0.001,
  dash: 5,
  /** For each name of a font, which programs look up. */
  fontFamily: 450,
  stop: 1,
  /** Opacity needs a layer. */
  opacity: 300,
  /** A blend mode makes programs copy the whole picture. */
  blend: 8000,
  mask: 5000,
  clip: 200,
  /** For each vertex of the path that a text follows. */
  textPath: 0.15,
  /** A nested clip is rendered as a mask. */
  clipWithin: 5000,
  filter: 5000,
  /** The relative increase of a filter's cost for each primitive: all later ones process the margin that it adds. */
  furtherStep: 1 / 15,
  /** For each squared pixel of a morphology radius. */
  growth: 27_000,
  patternPaint: 40,
  /** For the whole picture. */
  pattern: 1000,
  fill: 150,
  linearGradient: 300,
  radialGradient: 10_000,
  /** For each pixel of an embedded picture. */
  pixel: 0.02,
  /** For each pair of element and simple selector. */
  selector: 0.05,
  /** For each pair of siblings and selector that counts them. */
  siblings: 0.007,
  character: 10,
  /** For each pair of characters in one text element, which programs lay out as one line. */
  line: 0.025,
} as const

/** Filter primitives, for the whole picture. */
const primitiveCosts: Readonly<Record<string, number>> = {
  feGaussianBlur: 75_000,
  feDropShadow: 90_000,
  feDiffuseLighting: 70_000,
  feSpecularLighting: 70_000,
  feTurbulence: 100_000,
  feMorphology: 100_000,
  feConvolveMatrix: 8000,
  feDisplacementMap: 750_000,
  feComposite: 35_000,
  feBlend: 40_000,
}
const otherPrimitiveCost = 20_000
/** The maximum number of matrix entries; librsvg aborts the process for a larger matrix. */
const maxMatrixSize = 400
/** Children of a filter primitive, which cost nothing themselves. */
const primitiveParts = /^fe(?:Func[ABGR]|MergeNode|DistantLight|PointLight|SpotLight)$/
/** An inch is the largest of the absolute units. */
const lengthTokens = /(?<![\d.])(\d+(?:\.\d*)?|\.\d+)([a-z]+)/gi
const absoluteUnit = /^(?:px|in|cm|mm|q|pt|pc)$/i
const filterFunctions =
  /(?:blur|drop-shadow)\s*\(([^()]*\(?)|(?:brightness|contrast|grayscale|hue-rotate|invert|opacity|saturate|sepia)\s*\(/gi

/** The height of a picture of a million pixels; the maximum radius and deviation that programs do not clamp. */
const referenceHeight = 1000
const maxRadius = 10
const maxDeviation = 530

/** By how much a blur enlarges the processed area. */
export function blurFactor(deviation: number, height: number): number {
  const spread = height > 0 ? Math.min((deviation / height) * referenceHeight, maxDeviation) : maxDeviation
  return (1 + (6 * spread) / referenceHeight) ** 2
}

/** The cost of morphology primitives for the whole picture. */
export function morphologyCost(
  { squaredRadii, radiusCount }: { squaredRadii: number; radiusCount: number },
  height: number,
): number {
  const most = maxRadius ** 2 * radiusCount
  return costs.growth * (height > 0 ? Math.min(squaredRadii * (referenceHeight / height) ** 2, most) : most)
}

/** The cost of a filter primitive for the whole picture; 0 for other elements. */
export function primitiveCost(name: string, attributes: ReadonlyMap<string, string>): number {
  if (!name.startsWith('fe') || primitiveParts.test(name)) return 0
  const cost = primitiveCosts[name] ?? otherPrimitiveCost
  if (name === 'feTurbulence') return cost * Math.max(1, number(attributes.get('numOctaves'), 1))
  if (name !== 'feConvolveMatrix') return cost
  const [columns = 3, rows = columns] = firstNumbers(attributes.get('order') ?? '3', 2)
  const size = Math.abs(columns * rows)
  return size > maxMatrixSize ? Number.POSITIVE_INFINITY : cost * Math.max(1, size)
}

/** The cost of the functions of a `filter` property for the whole picture. Calculated and relative lengths count as the largest. */
export function filterFunctionsCost(value: string): number {
  let cost = 0
  let steps = 0
  let spread = 0
  for (const [, blur] of value.matchAll(filterFunctions)) {
    cost += blur === undefined ? otherPrimitiveCost : 90_000
    steps++
    const lengths = Array.from(blur?.matchAll(lengthTokens) ?? [], ([, number, unit = '']) =>
      spreadIn(Number(number), unit),
    )
    spread += blur?.endsWith('(') ? maxDeviation : Math.max(0, ...lengths)
  }
  return cost * blurFactor(spread, referenceHeight) * (1 + steps * costs.furtherStep)
}

function spreadIn(number: number, unit: string): number {
  if (unit.toLowerCase() === 'px') return number
  return absoluteUnit.test(unit) ? number * 96 : maxDeviation
}

/**
 * The number of dashes per unit of length for a `stroke-dasharray`; Infinity if it is calculated or relative, undefined if
 * it is inherited.
 */
export function dashesPerUnit(value: string): number | undefined {
  if (isRelative(value)) return Number.POSITIVE_INFINITY
  if (/^\s*(?:inherit|unset|revert)/i.test(value)) return undefined
  const dashes = numbers(value).map(Math.abs)
  const period = dashes.reduce((sum, dash) => sum + dash, 0)
  return period > 0 ? dashes.length / period : 0
}

function number(value: string | undefined, otherwise: number): number {
  return firstNumbers(value ?? '', 1)[0] ?? otherwise
}
