// Reads the `clipPath` of an element, which fabric.js 5 stores as a shape around the element's center, or on the stage. clip.ts
// places it.
import { translate } from './matrix.ts'
import { ellipse, extentOf, type Outline, polygon, rectangle, transformed } from './outline.ts'
import { parsePath } from './path-data.ts'
import { matrixFor, placementOf } from './placement.ts'
import { quoted, Undrawable } from './refusal.ts'
import { colorOf, flagOf, isSet, numberOf, objectOf, type Properties, textOf } from './values.ts'

/** A clip by an outline; only what is inside of it is painted. */
export interface ClipPath {
  /** The kind of `StoredClip` (element-common.ts). */
  of: 'path'
  outline: Outline
  rule: 'nonzero' | 'evenodd'
  /** Whether the outline is in the space of the stage, not of the element. */
  isAbsolute: boolean
}

/** A rectangle beyond every page: with a shape cut out by the rule `evenodd`, it is the inverted shape. */
const everywhere = rectangle({ x: -1e5, y: -1e5, width: 2e5, height: 2e5 })
/** Shapes that never cross themselves: only those can be inverted that way. */
const simple = new Set(['rect', 'circle', 'ellipse', 'triangle'])

/** The clip of an element; undefined if it has none. @throws Undrawable for one that cannot be drawn */
export function clipPathOf(parameters: Properties): ClipPath | undefined {
  if (!isSet(parameters, 'clipPath')) return undefined
  const stored = objectOf(parameters.clipPath)
  const type = textOf(stored, 'type', '').toLowerCase()
  const shape = centeredShape(type, stored)
  assertPlain(stored)
  const size = extentOf(shape)
  const strokeWidth = numberOf(stored, 'strokeWidth', 1, { min: 0, max: 10_000 })
  const placement = placementOf({ originX: 'left', originY: 'top', ...stored })
  const matrix = matrixFor(placement, {
    width: size.width + strokeWidth,
    height: size.height + strokeWidth,
  })
  const isInverted = flagOf(stored, 'inverted')
  if (isInverted && !simple.has(type))
    throw new Undrawable('feature', `The property clipPath is an inverted ${type}, which cannot be drawn.`)
  const outline = transformed(shape, matrix)
  return {
    of: 'path',
    outline: isInverted ? [...everywhere, ...outline] : outline,
    rule: isInverted || stored.fillRule === 'evenodd' ? 'evenodd' : 'nonzero',
    isAbsolute: flagOf(stored, 'absolutePositioned'),
  }
}

/** Throws Undrawable unless the clip is opaque everywhere: fabric shows of the element only what the clip paints. */
function assertPlain(stored: Properties): void {
  const fill = stored.fill === undefined ? undefined : colorOf(stored, 'fill')
  const isOpaque = stored.fill === undefined || fill?.a === 1
  if (
    !isOpaque ||
    isSet(stored, 'stroke') ||
    isSet(stored, 'clipPath') ||
    numberOf(stored, 'opacity', 1) !== 1
  )
    throw new Undrawable(
      'feature',
      'A clipPath that is not filled, or has a stroke or a clip, cannot be drawn.',
    )
}

/** The outline of the shape around its own center. @throws Undrawable for other types than fabric's shapes and paths */
function centeredShape(type: string, stored: Properties): Outline {
  const length = (name: string) => numberOf(stored, name, 0, { min: 0 })
  const [width, height] = [length('width'), length('height')]
  const box = { x: -width / 2, y: -height / 2, width, height }
  if (type === 'rect') {
    const [rx, ry] = [length('rx'), length('ry')]
    return rectangle(box, rx || ry, ry || rx)
  }
  if (type === 'circle') return ellipse(0, 0, length('radius'), length('radius'))
  if (type === 'ellipse') return ellipse(0, 0, length('rx'), length('ry'))
  if (type === 'triangle')
    return polygon([-width / 2, height / 2, 0, -height / 2, width / 2, height / 2], true)
  if (type === 'polygon') return centered(polygon(pointsOf(stored), true))
  if (type === 'path') return centered(parsePath(pathOf(stored)))
  throw new Undrawable('feature', `The property clipPath is of type ${quoted(type)}, which cannot be drawn.`)
}

/** The outline moved so that its center is the origin. */
function centered(outline: Outline): Outline {
  const { x, y, width, height } = extentOf(outline)
  return transformed(outline, translate(-x - width / 2, -y - height / 2))
}

const maxPoints = 20_000

function pointsOf({ points }: Properties): number[] {
  if (!Array.isArray(points) || points.length > maxPoints)
    throw new Undrawable('value', 'The property clipPath has no sound points.')
  return points.map(objectOf).flatMap((point) => [numberOf(point, 'x', 0), numberOf(point, 'y', 0)])
}

/** SVG path data, which fabric stores as text or as a list such as `[['M', 0, 0], …]`. */
function pathOf({ path }: Properties): string {
  if (typeof path === 'string') return path
  const isCommandOrNumber = (item: unknown) =>
    typeof item === 'number' || (typeof item === 'string' && item.length === 1)
  if (!Array.isArray(path) || !path.every((item) => Array.isArray(item) && item.every(isCommandOrNumber)))
    throw new Undrawable('value', 'The property clipPath has no sound path.')
  return path.map((item: unknown[]) => item.join(' ')).join(' ')
}
