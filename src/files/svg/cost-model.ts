// What drawing the parts of a drawing costs, in microseconds of a common viewer at a million pixels; measured with
// librsvg and Chromium, of which the slower one counts.
import { numbers } from './geometry.ts'

export interface Cost {
  /** Whatever the size of the part. */
  fixed: number
  /** By how much of the picture it covers: cost of the whole picture times square units of the part. */
  area: number
  /** The same if it covered the whole picture, which is the most it can cost. */
  full: number
}

/** Drawings beyond are refused. */
export const maxCost = 5_000_000

/** Of the whole, with all parts that refer to each other. */
export const maxDepth = 250

export const costs = {
  element: 10,
  vertex: 3,
  /** At most for each vertex, by the square root of how wide the line is: round joins of wide lines have many corners. */
  join: 90,
  /** For each pair of lines of one path that run through the whole picture. */
  crossing: 0.001,
  dash: 5,
  stop: 1,
  /** Opacity, which needs a layer; a blend mode, for which programs copy the whole picture. */
  opacity: 300,
  blend: 8000,
  mask: 5000,
  clip: 200,
  /** A clip within a clip is drawn as a mask. */
  clipWithin: 5000,
  filter: 5000,
  /** By how much each step makes all steps of its filter dearer: what it adds around the picture, all later ones draw. */
  furtherStep: 1 / 15,
  /** For each square pixel of the radius by which shapes grow. */
  growth: 27_000,
  patternPaint: 40,
  /** For the whole picture. */
  pattern: 1000,
  fill: 150,
  linearGradient: 300,
  radialGradient: 10_000,
  /** For each pixel of a picture that is carried. */
  pixel: 0.02,
  /** For each element and selector; and for each pair of siblings where a selector counts them. */
  selector: 0.05,
  siblings: 0.007,
  character: 10,
  /** For each pair of letters in one text: programs lay it out as one line. */
  line: 0.025,
} as const

/** Steps of filters, for the whole picture. */
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
/** Numbers of a matrix; librsvg ends its program at a larger one. */
const maxMatrixSize = 400
/** Parts of a step, which cost nothing by themselves. */
const primitiveParts = /^fe(?:Func[ABGR]|MergeNode|DistantLight|PointLight|SpotLight)$/
/** Of other units an inch is the largest. */
const lengthTokens = /(?<![\d.])(\d+(?:\.\d*)?|\.\d+)(px|in|cm|mm|q|pt|pc|r?em|ex|ch)/gi
const filterFunctions =
  /(?:blur|drop-shadow)\s*\(([^()]*)|(?:brightness|contrast|grayscale|hue-rotate|invert|opacity|saturate|sepia)\s*\(/gi

/** A picture of a million pixels is so high; the largest radius and deviation that programs do not cut. */
const referenceHeight = 1000
const maxRadius = 10
const maxDeviation = 530

/** How often the whole picture a blur draws, since it draws as much around it as it spreads. */
export function blurFactor(deviation: number, height: number): number {
  const spread = height > 0 ? Math.min((deviation / height) * referenceHeight, maxDeviation) : maxDeviation
  return (1 + (6 * spread) / referenceHeight) ** 2
}

/** What growing shapes costs for the whole picture. */
export function morphologyCost(
  { squaredRadii, radiusCount }: { squaredRadii: number; radiusCount: number },
  height: number,
): number {
  const most = maxRadius ** 2 * radiusCount
  return costs.growth * (height > 0 ? Math.min(squaredRadii * (referenceHeight / height) ** 2, most) : most)
}

/** What a step of a filter costs for the whole picture; 0 for other elements. */
export function primitiveCost(name: string, attributes: ReadonlyMap<string, string>): number {
  if (!name.startsWith('fe') || primitiveParts.test(name)) return 0
  const cost = primitiveCosts[name] ?? otherPrimitiveCost
  if (name === 'feTurbulence') return cost * Math.max(1, number(attributes.get('numOctaves'), 1))
  if (name !== 'feConvolveMatrix') return cost
  const [columns = 3, rows = columns] = numbers(attributes.get('order') ?? '3').slice(0, 2)
  const size = Math.abs(columns * rows)
  return size > maxMatrixSize ? Number.POSITIVE_INFINITY : cost * Math.max(1, size)
}

/** What the functions of a `filter` property cost for the whole picture. */
export function filterFunctionsCost(value: string): number {
  let cost = 0
  let steps = 0
  let spread = 0
  for (const [, blur] of value.matchAll(filterFunctions)) {
    cost += blur === undefined ? otherPrimitiveCost : 90_000
    steps++
    const lengths = Array.from(
      blur?.matchAll(lengthTokens) ?? [],
      ([, number, unit]) => Number(number) * (unit === 'px' ? 1 : 96),
    )
    spread += Math.max(0, ...lengths)
  }
  return cost * blurFactor(spread, referenceHeight) * (1 + steps * costs.furtherStep)
}

/** How many dashes a `stroke-dasharray` makes of each unit of a line. */
export function dashesPerUnit(value: string): number {
  const dashes = numbers(value).map(Math.abs)
  const period = dashes.reduce((sum, dash) => sum + dash, 0)
  return period > 0 ? dashes.length / period : 0
}

function number(text: string | undefined, otherwise: number): number {
  return numbers(text?.slice(0, 100) ?? '')[0] ?? otherwise
}
