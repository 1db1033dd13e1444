// Adds up what a drawing costs a viewer, with each part as often as others refer to it.
import { FileRejected } from '../rejected.ts'
import { ANY, areas, bounded, childrenOf, factorOf, repeatedOf, scalesOf } from './extent.ts'
import type { Drawn, Part, Reference } from './part.ts'
import { SHAPES } from './rules.ts'
import { blurred, COST, DEEPEST, grownCost, HEAVIEST, type Weight } from './weight.ts'

/** How much larger, in square units, parts of an ordinary drawing are elsewhere. */
const ENLARGED = 16
const NOTHING: Weighed = { fixed: 0, area: 0, full: 0, depth: 0, deviation: 0 }

interface Weighed extends Weight {
  depth: number
  /** Of all blurs around each other. */
  deviation: number
}

export interface Picture {
  /** Square units of the root; 0 when not known. */
  canvas: number
  /** What it costs to find the rules of its sheets for each element. */
  selecting: number
}

/** Throws FileRejected for a drawing that is too heavy, too deep, or refers to itself in a ring. */
export function assertLight(parts: readonly Part[], drawn: readonly Drawn[], picture: Picture): void {
  const sizes = areas(parts, drawn)
  const scales = scalesOf(parts, drawn)
  const children = childrenOf(parts)
  const repeated = repeatedOf(parts, drawn)
  const enlarged = parts.reduce((most, part, number) => most * Math.max(1, factorOf(part, drawn[number])), 1)
  // What is drawn elsewhere, too, may be larger there.
  const least = enlarged < ENLARGED ? Math.sqrt(picture.canvas / ENLARGED) : 0
  const weights = new Map<number, Weighed>()
  const open = new Set<number>()
  const pending = [0]
  // A stack of our own instead of recursion: chains of references may be as long as the drawing.
  for (let number = pending.at(-1); number !== undefined; number = pending.at(-1)) {
    const references = drawn[number]?.references ?? []
    if (!open.has(number) && !weights.has(number)) {
      open.add(number)
      if (references.some(({ to, isOwn }) => isOwn && open.has(to)))
        throw new FileRejected('The parts of the drawing refer to each other in a ring.')
      const next = [...(children[number] ?? []), ...references.map(({ to }) => to)]
      for (const each of next) if (!weights.has(each) && !open.has(each)) pending.push(each)
      continue
    }
    pending.pop()
    if (weights.has(number)) continue
    open.delete(number)
    weights.set(number, weigh(number))
  }
  if (picture.selecting > HEAVIEST) throw tooHeavy()

  function weigh(number: number): Weighed {
    const part = parts[number]
    const own = drawn[number]
    if (!part || !own) return NOTHING
    const sum = { ...NOTHING }
    const add = ({ fixed, area, full, depth, deviation }: Weighed, times = 1) => {
      sum.fixed += bounded(fixed * times)
      sum.area += bounded(area * times)
      sum.full += bounded(full * times)
      sum.depth = Math.max(sum.depth, depth)
      sum.deviation = Math.max(sum.deviation, deviation)
    }
    const size = sizes[number] ?? ANY
    const scale = scales[number] ?? 0
    // How high the picture is where the part stands.
    const height = repeated[number] ? least : Math.sqrt(scale > 0 ? picture.canvas / scale : 0)
    add(ownWeight(part, own, { size, height }))
    for (const child of children[number] ?? []) add(weights.get(child) ?? NOTHING)
    for (const reference of own.references) {
      const target = weights.get(reference.to)
      const to = parts[reference.to]
      if (target && to)
        add(...drawnWith(reference, target, { part, to, size, height, within: sum.deviation }, own))
    }
    // A part of the picture that is drawn once costs no more than the whole picture.
    const most = scale > 0 && picture.canvas > 0 ? (sum.full * picture.canvas) / scale : ANY
    const area = repeated[number] || scale === 0 ? sum.area : Math.min(sum.area, most)
    const factor = factorOf(part, own)
    const weight = {
      fixed: sum.fixed,
      area: bounded(area * factor),
      full: sum.full,
      depth: sum.depth + 1,
      deviation: bounded(sum.deviation * Math.sqrt(factor)),
    }
    const share = picture.canvas > 0 ? weight.area / picture.canvas : weight.full
    const cost = picture.selecting + weight.fixed + (number === 0 ? Math.min(share, weight.full) : 0)
    if (cost > HEAVIEST) throw tooHeavy()
    if (weight.depth > DEEPEST)
      throw new FileRejected('The parts of the drawing refer to each other too deep.')
    return weight
  }
}

export function tooHeavy(): FileRejected {
  return new FileRejected('The drawing repeats its own parts too many times, or takes too long to draw.')
}

function ownWeight(part: Part, own: Drawn, { size, height }: { size: number; height: number }): Weighed {
  const { outline, characters } = part
  const isShape = SHAPES.has(part.name) && part.name !== 'use'
  const each = part.name === 'stop' ? COST.stop : COST.element
  const vertices =
    (outline.vertices + own.path) * (COST.vertex + Math.min(Math.sqrt(own.strokeWidth), COST.join))
  // So many lines through the whole picture.
  const tall = height > 0 ? Math.min(outline.length / height, outline.vertices) : outline.vertices
  const dashes = own.dashes * outline.length * COST.dash
  const text = characters * COST.character + characters * characters * COST.line
  const steps = own.steps + part.step
  return {
    fixed: each + vertices + tall * tall * COST.crossing + dashes + text + own.fixed,
    area: (isShape ? COST.fill * size : 0) + own.steps * size,
    full: (isShape ? COST.fill : 0) + steps,
    depth: 0,
    deviation: 0,
  }
}

/** Where something is drawn: its square units, the height of the picture there, and the blurs that it holds. */
interface Place {
  size: number
  height: number
  within: number
}

/** What a reference costs, and how many times. */
function drawnWith(
  { how }: Reference,
  target: Weighed,
  { part, to, ...place }: Place & { part: Part; to: Part },
  own: Drawn,
): [weight: Weighed, times?: number] {
  const { size } = place
  const inside = { ...target, fixed: target.fixed + target.full, area: 0, full: 0 }
  const covering = (cost: number, fixed: number): Weighed => ({
    fixed: fixed + inside.fixed,
    area: cost * size,
    full: cost,
    depth: target.depth,
    deviation: 0,
  })
  const patterned = (): Weighed => ({
    fixed: COST.patternPaint + target.fixed,
    area: bounded(COST.pattern * size + Math.min(target.area, target.full * size)),
    full: COST.pattern + target.full,
    depth: target.depth,
    deviation: 0,
  })
  switch (how) {
    case 'use':
      return part.name === 'feImage' ? [inside] : [target]
    case 'paint':
      if (to.name === 'radialGradient') return [covering(COST.radialGradient, 0)]
      if (to.name === 'linearGradient') return [covering(COST.linearGradient, 0)]
      return [patterned()]
    case 'mask':
      return [{ ...target, fixed: target.fixed + COST.mask }]
    case 'clip':
      return [
        { ...target, fixed: target.fixed + (part.isWithin || part.isTemplate ? COST.clipWithin : COST.clip) },
      ]
    case 'filter':
      return [filtered(target, to, place)]
    case 'marker':
      return [inside]
    default:
      return [inside, part.outline.vertices + own.path]
  }
}

function filtered(target: Weighed, to: Part, { size, height, within }: Place): Weighed {
  const covered = bounded('area' in to.region ? to.region.area : to.region.times * size)
  const own = to.reach.isShare ? to.reach.blurs * Math.sqrt(size) : to.reach.blurs
  const deviation = own + within
  const steps =
    target.full * (1 + to.children * COST.furtherStep) + grownCost(to.reach, to.reach.isShare ? 0 : height)
  return {
    fixed: target.fixed + COST.filter,
    area: bounded(steps * (Math.sqrt(covered) + 6 * deviation) ** 2),
    full: steps * blurred(deviation, height),
    depth: target.depth,
    deviation,
  }
}
