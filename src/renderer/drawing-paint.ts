// Reads the paints of shapes in a drawing: colors, and gradients that elements of the drawing define.
import { clear, parseColor } from './color.ts'
import { lengthOf, transformOf } from './drawing-style.ts'
import { type Node, NotVectors, type Tree } from './drawing-tree.ts'
import type { Gradient, Paint } from './marks.ts'
import { identity, type Matrix, multiply, type Rectangle } from './matrix.ts'

/** The shape that is painted. */
interface PaintedShape {
  /** The opacity of its fill or stroke. */
  alpha: number
  /** The rectangle around it, by which gradients may be measured. */
  extent: Rectangle
  /** The drawing, which contains the gradients. */
  tree: Tree
}

/**
 * The paint of a `fill` or `stroke`: a color, or a gradient by its id with a fallback; undefined if nothing is painted.
 * @throws NotVectors for other paints
 */
export function paintOf(text: string, shape: PaintedShape): Paint | undefined {
  const [, id, fallback = ''] = /^url\(\s*["']?#([^"')\s]+)["']?\s*\)(.*)$/.exec(text) ?? []
  if (id !== undefined) {
    const node = shape.tree.byId.get(id)
    if (node) return gradientOf(node, shape)
    return fallback.trim() ? paintOf(fallback.trim(), shape) : undefined
  }
  // On a canvas the current color is always black.
  const color = parseColor(/^currentcolor$/i.test(text) ? 'black' : text)
  if (color === undefined) throw new NotVectors('color')
  return color === 'none' ? undefined : { ...color, a: color.a * shape.alpha }
}

/** Gradients in a chain of links, which may lead in a circle. */
const maxLinks = 10

/** A gradient with the attributes and stops that it takes from those that it links to (SVG 2 §14.2.2). @throws NotVectors for others */
function gradientOf(node: Node, { alpha, extent, tree }: PaintedShape): Gradient {
  const chain = [node]
  for (let next = linked(node, tree); next && chain.length < maxLinks; next = linked(next, tree))
    chain.push(next)
  const attribute = (name: string) =>
    chain.map(({ attributes }) => attributes.get(name)).find((value) => value !== undefined)
  const kind =
    node.name === 'linearGradient' ? 'linear' : node.name === 'radialGradient' ? 'radial' : undefined
  if (kind === undefined || (attribute('spreadMethod') ?? 'pad') !== 'pad')
    throw new NotVectors('paint server')
  const isInUserSpace = attribute('gradientUnits') === 'userSpaceOnUse'
  /** A coordinate in user space, or a share of the box. */
  const coordinate = (name: string, fallback: string) => {
    const value = (attribute(name) ?? fallback).trim()
    if (!value.endsWith('%')) return lengthOf(value)
    if (isInUserSpace) throw new NotVectors('percentage')
    return Number.parseFloat(value) / 100
  }
  const stops = chain
    .map(({ children }) => children.filter(({ name }) => name === 'stop'))
    .find(({ length }) => length > 0)
  const { x, y, width, height } = extent
  const box: Matrix = isInUserSpace ? identity : [width, 0, 0, height, x, y]
  const matrix = multiply(box, transformOf(attribute('gradientTransform')))
  const [cx, cy] = kind === 'radial' ? [coordinate('cx', '50%'), coordinate('cy', '50%')] : [0, 0]
  const coords =
    kind === 'linear'
      ? [coordinate('x1', '0%'), coordinate('y1', '0%'), coordinate('x2', '100%'), coordinate('y2', '0%')]
      : [
          attribute('fx') ? coordinate('fx', '') : cx,
          attribute('fy') ? coordinate('fy', '') : cy,
          cx,
          cy,
          coordinate('r', '50%'),
        ]
  if (!stops || stops.length < 2 || width * height === 0) throw new NotVectors('gradient')
  return { kind, coords, matrix, stops: stopsOf(stops, alpha) }
}

/** The element that `href` links to. */
const linked = (node: Node, tree: Tree) => {
  const href = node.attributes.get('href')
  return href?.startsWith('#') ? tree.byId.get(href.slice(1)) : undefined
}

/** The stops of a gradient; one before its predecessor moves to it (SVG 2 §14.2.4). */
function stopsOf(nodes: Node[], alpha: number): Gradient['stops'] {
  let previous = 0
  return nodes.map(({ attributes }) => {
    const text = attributes.get('offset') ?? '0'
    const offset = text.trim().endsWith('%') ? Number.parseFloat(text) / 100 : Number.parseFloat(text)
    previous = Math.min(1, Math.max(previous, offset || 0))
    const color = parseColor(attributes.get('stop-color') ?? 'black')
    if (color === undefined) throw new NotVectors('color')
    const opacity = Number.parseFloat(attributes.get('stop-opacity') ?? '1')
    const base = color === 'none' ? clear : color
    return { offset: previous, color: { ...base, a: base.a * opacity * alpha } }
  })
}
