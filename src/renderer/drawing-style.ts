// How shapes of a drawing inherit their paint, as fabric.js 5 reads it.

import { clear, parseColor } from './color.ts'
import { type Node, NotVectors, saidOf, type Tree } from './drawing-tree.ts'
import type { Gradient, Paint, Stroke } from './marks.ts'
import { identity, type Matrix, multiply, type Rectangle, rotate, scale, translate } from './matrix.ts'

export interface Style {
  fill: string
  fillOpacity: number
  fillRule: 'nonzero' | 'evenodd'
  stroke: string
  strokeOpacity: number
  strokeWidth: number
  cap: Stroke['cap']
  join: Stroke['join']
  miter: number
  dash: number[]
  dashOffset: number
  /** Multiplied on the way down. */
  opacity: number
  visible: boolean
  /** By the property visibility, which fabric.js ignores. */
  hidden: boolean
}

export const initialStyle: Style = {
  fill: 'black',
  fillOpacity: 1,
  fillRule: 'nonzero',
  stroke: 'none',
  strokeOpacity: 1,
  strokeWidth: 1,
  cap: 'butt',
  join: 'miter',
  miter: 4,
  dash: [],
  dashOffset: 0,
  opacity: 1,
  visible: true,
  hidden: false,
}

/** Properties that are not drawn as vectors, with the values that have no effect. */
const notDrawn: Record<string, RegExp> = {
  filter: /^none$/,
  mask: /^none$/,
  'mix-blend-mode': /^normal$/,
  'paint-order': /^(normal|fill)/,
  'vector-effect': /^none$/,
  'marker-start': /^none$/,
  'marker-mid': /^none$/,
  'marker-end': /^none$/,
  marker: /^none$/,
}

export function styleOf(node: Node, outer: Style): Style {
  const { attributes } = node
  for (const [name, harmless] of Object.entries(notDrawn)) {
    const value = attributes.get(name)?.trim()
    if (value !== undefined && !harmless.test(value)) throw new NotVectors(name)
  }
  const declared = (name: string) => saidOf(node, name)
  const amount = (name: string, before: number) => {
    const value = declared(name)
    if (value === undefined) return before
    const number = value.endsWith('%') ? Number.parseFloat(value) / 100 : Number.parseFloat(value)
    return Number.isFinite(number) ? Math.min(Math.max(number, 0), 1) : before
  }
  const dash = declared('stroke-dasharray')
  const [rule, width, offset] = [
    declared('fill-rule'),
    declared('stroke-width'),
    declared('stroke-dashoffset'),
  ]
  const visibility = declared('visibility')
  return {
    fill: declared('fill') ?? outer.fill,
    fillOpacity: amount('fill-opacity', outer.fillOpacity),
    fillRule: rule === undefined ? outer.fillRule : rule === 'evenodd' ? 'evenodd' : 'nonzero',
    stroke: declared('stroke') ?? outer.stroke,
    strokeOpacity: amount('stroke-opacity', outer.strokeOpacity),
    strokeWidth: lengthOf(width, outer.strokeWidth),
    cap: caps.find((each) => each === declared('stroke-linecap')) ?? outer.cap,
    join: joins.find((each) => each === declared('stroke-linejoin')) ?? outer.join,
    miter: Number(declared('stroke-miterlimit') ?? outer.miter) || 4,
    dash: dash === undefined ? outer.dash : dash === 'none' ? [] : numbersIn(dash),
    dashOffset: lengthOf(offset, outer.dashOffset),
    opacity: outer.opacity * amount('opacity', 1),
    visible: outer.visible && declared('display') !== 'none',
    hidden: visibility === undefined ? outer.hidden : /^(hidden|collapse)$/.test(visibility),
  }
}

const caps = ['butt', 'round', 'square'] as const
const joins = ['miter', 'round', 'bevel'] as const

export const numbersIn = (text: string): number[] =>
  (text.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g) ?? []).map(Number)

const units: Record<string, number> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  em: 16,
}

/** Pixels. @throws NotVectors for percentages and anything that is not a length */
export function lengthOf(text: string | undefined, fallback = 0): number {
  const given = text?.trim() ?? ''
  if (given === '') return fallback
  const [, number, unit = ''] = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)([a-z]*)$/i.exec(given) ?? []
  const factor = units[unit.toLowerCase()]
  if (number === undefined || factor === undefined) throw new NotVectors('length')
  return Number(number) * factor
}

const call = /(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)/g

/** @throws NotVectors */
export function transformOf(text: string | undefined): Matrix {
  if (text === undefined) return identity
  let matrix = identity
  if (text.replaceAll(call, '').replaceAll(/[\s,]/g, '') !== '') throw new NotVectors('transform')
  for (const [, name, inner = ''] of text.matchAll(call)) {
    const [a = 0, b, c, d = 1, e = 0, f = 0] = numbersIn(inner)
    const tilt = Math.tan((a * Math.PI) / 180)
    let next: Matrix = [a, b ?? 0, c ?? 0, d, e, f]
    if (name === 'translate') next = translate(a, b ?? 0)
    if (name === 'scale') next = scale(a, b ?? a)
    if (name === 'skewX') next = [1, 0, tilt, 1, 0, 0]
    if (name === 'skewY') next = [1, tilt, 0, 1, 0, 0]
    if (name === 'rotate') {
      next = multiply(translate(b ?? 0, c ?? 0), multiply(rotate(a), translate(-(b ?? 0), -(c ?? 0))))
    }
    matrix = multiply(matrix, next)
  }
  if (!matrix.every(Number.isFinite)) throw new NotVectors('transform')
  return matrix
}

/** @param extent of the shape, for gradients that are measured by it */
export function paintOf(text: string, alpha: number, extent: Rectangle, tree: Tree): Paint | undefined {
  const [, id, rest = ''] = /^url\(\s*["']?#([^"')\s]+)["']?\s*\)(.*)$/.exec(text) ?? []
  const other = rest.trim()
  if (id !== undefined) {
    const node = tree.byId.get(id)
    if (node) return gradientOf(node, alpha, extent, tree)
    return other ? paintOf(other, alpha, extent, tree) : undefined
  }
  // On a canvas the current color is always black.
  const color = parseColor(/^currentcolor$/i.test(text) ? 'black' : text)
  if (color === undefined) throw new NotVectors('color')
  return color === 'none' ? undefined : { ...color, a: color.a * alpha }
}

function gradientOf(node: Node, alpha: number, extent: Rectangle, tree: Tree): Gradient {
  const chain = [node]
  for (let next = linked(node, tree); next && chain.length < 10; next = linked(next, tree)) chain.push(next)
  const styleOf = (name: string) =>
    chain.map(({ attributes }) => attributes.get(name)).find((value) => value !== undefined)
  const kind =
    node.name === 'linearGradient' ? 'linear' : node.name === 'radialGradient' ? 'radial' : undefined
  if (kind === undefined || (styleOf('spreadMethod') ?? 'pad') !== 'pad') throw new NotVectors('paint server')
  const isOwn = styleOf('gradientUnits') === 'userSpaceOnUse'
  const share = (name: string, fallback: string) => {
    const value = (styleOf(name) ?? fallback).trim()
    if (!value.endsWith('%')) return lengthOf(value)
    if (isOwn) throw new NotVectors('percentage')
    return Number.parseFloat(value) / 100
  }
  const stops = chain
    .map(({ children }) => children.filter(({ name }) => name === 'stop'))
    .find(({ length }) => length > 0)
  const { x, y, width, height } = extent
  const box: Matrix = isOwn ? identity : [width, 0, 0, height, x, y]
  const matrix = multiply(box, transformOf(styleOf('gradientTransform')))
  const [cx, cy] = kind === 'radial' ? [share('cx', '50%'), share('cy', '50%')] : [0, 0]
  const coords =
    kind === 'linear'
      ? [share('x1', '0%'), share('y1', '0%'), share('x2', '100%'), share('y2', '0%')]
      : [
          styleOf('fx') ? share('fx', '') : cx,
          styleOf('fy') ? share('fy', '') : cy,
          cx,
          cy,
          share('r', '50%'),
        ]
  if (!stops || stops.length < 2 || width * height === 0) throw new NotVectors('gradient')
  return { kind, coords, matrix, stops: stopsOf(stops, alpha) }
}

const linked = (node: Node, tree: Tree) => {
  const href = node.attributes.get('href')
  return href?.startsWith('#') ? tree.byId.get(href.slice(1)) : undefined
}

function stopsOf(nodes: Node[], alpha: number): Gradient['stops'] {
  let last = 0
  return nodes.map(({ attributes }) => {
    const text = attributes.get('offset') ?? '0'
    const offset = text.trim().endsWith('%') ? Number.parseFloat(text) / 100 : Number.parseFloat(text)
    last = Math.min(1, Math.max(last, offset || 0))
    const color = parseColor(attributes.get('stop-color') ?? 'black')
    if (color === undefined) throw new NotVectors('color')
    const opacity = Number.parseFloat(attributes.get('stop-opacity') ?? '1')
    const base = color === 'none' ? clear : color
    return { offset: last, color: { ...base, a: base.a * opacity * alpha } }
  })
}

/** Size and transform of the outermost svg element. */
export function viewportOf({ attributes }: Node): { width: number; height: number; matrix: Matrix } {
  const box = numbersIn(attributes.get('viewBox') ?? '')
  const size = (name: string) => {
    const text = attributes.get(name)
    return text === undefined || text.trim() === '100%' ? undefined : lengthOf(text)
  }
  const [givenWidth, givenHeight] = [size('width'), size('height')]
  if (box.length !== 4) return { width: givenWidth ?? 0, height: givenHeight ?? 0, matrix: identity }
  const [x = 0, y = 0, w = 0, h = 0] = box
  if (!(w > 0 && h > 0)) throw new NotVectors('viewBox')
  const [width, height] =
    givenWidth === undefined || givenHeight === undefined ? [w, h] : [givenWidth, givenHeight]
  const fit = fitOf(attributes.get('preserveAspectRatio')?.trim() ?? '')
  const [sx, sy] = [width / w, height / h]
  const s = fit.covers ? Math.max(sx, sy) : Math.min(sx, sy)
  const [ax, ay] = fit.isStretched ? [sx, sy] : [s, s]
  const [dx, dy] = [(width - w * ax) * fit.x - x * ax, (height - h * ay) * fit.y - y * ay]
  return { width, height, matrix: [ax, 0, 0, ay, dx, dy] }
}

const shares: Record<string, number> = { Min: 0, Mid: 0.5, Max: 1 }

/** Without the attribute fabric.js moves the drawing to the far end and not to the middle. */
function fitOf(text: string): { isStretched: boolean; covers: boolean; x: number; y: number } {
  if (/^none(\s|$)/.test(text)) return { isStretched: true, covers: false, x: 0, y: 0 }
  const [, x = 'Max', y = 'Max', meetOrSlice] =
    /^x(Min|Mid|Max)Y(Min|Mid|Max)(?: (meet|slice))?$/.exec(text) ?? []
  if (meetOrSlice === undefined && text !== '' && !/^x(?:Min|Mid|Max)Y(?:Min|Mid|Max)$/.test(text))
    throw new NotVectors('preserveAspectRatio')
  return { isStretched: false, covers: meetOrSlice === 'slice', x: shares[x] ?? 1, y: shares[y] ?? 1 }
}
