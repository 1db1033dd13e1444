// Adds up the render cost of a drawing, counting each element as often as others refer to it.
import { FileRejected } from '../rejected.ts'
import { shapeElements } from './allowed.ts'
import { blurFactor, type Cost, costs, maxCost, maxDepth, morphologyCost } from './cost-model.ts'
import { areaFactor, areaScales, boxAreas, childrenOf, clamped, reusedOf, unbounded } from './extent.ts'
import { glyphLength } from './outline.ts'
import type { ComputedStyle, Part, Reference } from './part.ts'

/** By how much, in area, reused elements of an ordinary drawing are enlarged. */
const usualEnlargement = 16
const noCost: TotalCost = { fixed: 0, area: 0, full: 0, depth: 0, deviation: 0 }

interface TotalCost extends Cost {
  depth: number
  /** The summed standard deviation of nested blurs. */
  deviation: number
}

export interface Canvas {
  /** Square units of the root; 0 if unknown. */
  area: number
  /** The cost of matching the style rules against all elements, and of looking up fonts. */
  stylingCost: number
}

/** Throws FileRejected for a drawing that is too expensive to render, too deeply nested, or contains circular references. */
export function assertAffordable(
  parts: readonly Part[],
  drawn: readonly ComputedStyle[],
  picture: Canvas,
): void {
  const sizes = boxAreas(parts, drawn)
  const scales = areaScales(parts, drawn)
  const children = childrenOf(parts)
  const repeated = reusedOf(parts, drawn)
  const enlarged = parts.reduce(
    (most, part, number) => most * Math.max(1, areaFactor(part, drawn[number])),
    1,
  )
  // A reused element may be larger where it is reused.
  const least = enlarged < usualEnlargement ? Math.sqrt(picture.area / usualEnlargement) : 0
  const totals = new Map<number, TotalCost>()
  const open = new Set<number>()
  const pending = [0]
  // An explicit stack instead of recursion: chains of references may be as long as the drawing.
  for (let number = pending.at(-1); number !== undefined; number = pending.at(-1)) {
    const references = drawn[number]?.references ?? []
    if (!open.has(number) && !totals.has(number)) {
      open.add(number)
      if (references.some(({ to, isOwn }) => isOwn && open.has(to)))
        throw new FileRejected('The drawing contains circular references.')
      const next = [...(children[number] ?? []), ...references.map(({ to }) => to)]
      for (const each of next) if (!totals.has(each) && !open.has(each)) pending.push(each)
      continue
    }
    pending.pop()
    if (totals.has(number)) continue
    open.delete(number)
    totals.set(number, computeCost(number))
  }
  if (picture.stylingCost > maxCost) throw tooExpensive()

  function computeCost(number: number): TotalCost {
    const part = parts[number]
    const own = drawn[number]
    if (!part || !own) return noCost
    const sum = { ...noCost }
    const add = ({ fixed, area, full, depth, deviation }: TotalCost, times = 1) => {
      sum.fixed += clamped(fixed * times)
      sum.area += clamped(area * times)
      sum.full += clamped(full * times)
      sum.depth = Math.max(sum.depth, depth)
      sum.deviation = Math.max(sum.deviation, deviation)
    }
    const size = sizes[number] ?? unbounded
    const scale = scales[number] ?? 0
    // The height of the picture in the element's coordinates.
    const height = repeated[number] ? least : Math.sqrt(scale > 0 ? picture.area / scale : 0)
    add(ownCost(part, own, { size, height }))
    for (const child of children[number] ?? []) add(totals.get(child) ?? noCost)
    for (const reference of own.references) {
      const target = totals.get(reference.to)
      const to = parts[reference.to]
      if (target && to)
        add(...referenceCost(reference, target, { part, to, size, height, within: sum.deviation }, own))
    }
    // An element that is drawn once costs no more than the whole picture.
    const most = scale > 0 && picture.area > 0 ? (sum.full * picture.area) / scale : unbounded
    const area = repeated[number] || scale === 0 ? sum.area : Math.min(sum.area, most)
    const factor = areaFactor(part, own)
    const weight = {
      fixed: sum.fixed,
      area: clamped(area * factor),
      full: sum.full,
      depth: sum.depth + 1,
      deviation: clamped(sum.deviation * Math.sqrt(factor)),
    }
    const share = picture.area > 0 ? weight.area / picture.area : weight.full
    const cost = picture.stylingCost + weight.fixed + (number === 0 ? Math.min(share, weight.full) : 0)
    if (cost > maxCost) throw tooExpensive()
    if (weight.depth > maxDepth)
      throw new FileRejected('The references in the drawing are too deeply nested.')
    return weight
  }
}

export function tooExpensive(): FileRejected {
  return new FileRejected('The drawing takes too long to render, or reuses its own elements too many times.')
}

function ownCost(
  part: Part,
  own: ComputedStyle,
  { size, height }: { size: number; height: number },
): TotalCost {
  const { outline, characters } = part
  const isShape = shapeElements.has(part.name) && part.name !== 'use'
  const each = part.name === 'stop' ? costs.stop : costs.element
  const vertices =
    (outline.vertices + own.pathLength) * (costs.vertex + Math.min(Math.sqrt(own.strokeWidth), costs.join))
  // The number of lines that cross the whole picture.
  const tall = height > 0 ? Math.min(outline.length / height, outline.vertices) : outline.vertices
  const dashes = dashCount(part, own, height) * costs.dash
  const text = characters * costs.character + characters * characters * costs.line
  const steps = own.steps + part.primitiveCost
  return {
    fixed: each + vertices + tall * tall * costs.crossing + dashes + text + own.fixed,
    area: (isShape ? costs.fill * size : 0) + own.steps * size,
    full: (isShape ? costs.fill : 0) + steps,
    depth: 0,
    deviation: 0,
  }
}

/** In pixels, of a million. */
const screenHeight = 1000

function dashCount({ name, outline, characters }: Part, own: ComputedStyle, height: number): number {
  const isShape = shapeElements.has(name) && name !== 'use' && name !== 'text'
  const shape = isShape && own.changesLength ? Number.POSITIVE_INFINITY : outline.dashedLength
  const length = shape + (characters > 0 ? characters * own.fontSize * glyphLength : 0)
  // Without dashes, or without anything that could have any, an unknown factor does not count.
  if (own.dashes === 0 || length === 0) return 0
  const scale = own.hasScreenStroke ? (height > 0 ? screenHeight / height : Number.POSITIVE_INFINITY) : 1
  return own.dashes * length * scale
}

/** Where something is drawn: its area, the height of the picture there, and the deviation of nested blurs. */
interface Place {
  size: number
  height: number
  within: number
}

/** The cost of a reference, and how many times it applies. */
function referenceCost(
  { kind }: Reference,
  target: TotalCost,
  { part, to, ...place }: Place & { part: Part; to: Part },
  own: ComputedStyle,
): [weight: TotalCost, times?: number] {
  const { size } = place
  const inside = { ...target, fixed: target.fixed + target.full, area: 0, full: 0 }
  const covering = (cost: number, fixed: number): TotalCost => ({
    fixed: fixed + inside.fixed,
    area: cost * size,
    full: cost,
    depth: target.depth,
    deviation: 0,
  })
  const patterned = (): TotalCost => ({
    fixed: costs.patternPaint + target.fixed,
    area: clamped(costs.pattern * size + Math.min(target.area, target.full * size)),
    full: costs.pattern + target.full,
    depth: target.depth,
    deviation: 0,
  })
  switch (kind) {
    case 'use':
      return part.name === 'feImage' ? [inside] : [target]
    case 'paint':
      if (to.name === 'radialGradient') return [covering(costs.radialGradient, 0)]
      if (to.name === 'linearGradient') return [covering(costs.linearGradient, 0)]
      return [patterned()]
    case 'mask':
      return [{ ...target, fixed: target.fixed + costs.mask }]
    case 'clip':
      return [
        {
          ...target,
          fixed: target.fixed + (part.isInsideTemplate || part.isTemplate ? costs.clipWithin : costs.clip),
        },
      ]
    case 'filter':
      return [filterCost(target, to, place)]
    case 'marker':
      return [inside]
    case 'text path':
      return [{ ...noCost, fixed: to.outline.vertices * costs.textPath }]
    default:
      return [inside, part.outline.vertices + own.pathLength]
  }
}

function filterCost(target: TotalCost, to: Part, { size, height, within }: Place): TotalCost {
  const covered = clamped('area' in to.region ? to.region.area : to.region.times * size)
  const own = to.reach.isRelative ? to.reach.deviations * Math.sqrt(size) : to.reach.deviations
  const deviation = own + within
  const steps =
    target.full * (1 + to.children * costs.furtherStep) +
    morphologyCost(to.reach, to.reach.isRelative ? 0 : height)
  return {
    fixed: target.fixed + costs.filter,
    area: clamped(steps * (Math.sqrt(covered) + 6 * deviation) ** 2),
    full: steps * blurFactor(deviation, height),
    depth: target.depth,
    deviation,
  }
}
