// A sanitised SVG drawing as marks: shapes with plain paint and gradients; for the rest NotVectors is thrown.
import {
  initialStyle,
  lengthOf,
  numbersIn,
  paintOf,
  type Style,
  styleOf,
  transformOf,
  viewportOf,
} from './drawing-style.ts'
import {
  type DrawnText,
  drawnText,
  initialTextStyle,
  needOfText,
  type OutlinedText,
  outlinedText,
  type TextStyle,
  textStyleOf,
} from './drawing-text.ts'
import { type Node, NotVectors, type Tree, treeOf } from './drawing-tree.ts'
import type { Face } from './face.ts'
import {
  type Clip,
  type Color,
  isGradient,
  type Paint,
  plainStroke,
  type ShapeMark,
  type Stroke,
} from './marks.ts'
import { boundsOf, identity, type Matrix, multiply, type Rectangle } from './matrix.ts'
import { ellipse, extentOf, type Outline, parsePath, polygon, rectangle, transformed } from './outline.ts'
import { Undrawable } from './refusal.ts'
import type { FontNeed } from './task.ts'

export interface DrawnShape {
  mark: ShapeMark
  matrix: Matrix
  clips: Clip[]
  /** Of a clipped shape as a whole, else of fill and stroke apart. */
  alpha: number
  /** Has a place in the order of shapes, but is not painted. */
  isHidden: boolean
  /** What fabric measures, if it is not the outline. */
  box?: Rectangle
}

export interface Drawing {
  /** Size of the document; 0 if it has none. */
  width: number
  height: number
  /** In the order in which they are painted; in the space of the document. */
  shapes: DrawnShape[]
  /** Shapes that are text, whose fonts have to be read. */
  texts: PendingText[]
}

export interface PendingText {
  /** Of the shape. */
  index: number
  text: DrawnText
  shape(outlined: OutlinedText): DrawnShape
}

const maxShapes = 20_000
const withoutLooks = new Set([
  'title',
  'desc',
  'metadata',
  'defs',
  'style',
  'linearGradient',
  'radialGradient',
  'clipPath',
  'symbol',
  'namedview',
])

/** @throws NotVectors if it can only be drawn as a picture, Undrawable if it is too large */
export function drawingOf(svg: string): Drawing {
  const tree = treeOf(svg)
  const { width, height, matrix } = viewportOf(tree.root)
  const reader = new Reader(tree)
  const style = { ...styleOf(tree.root, initialStyle), text: textStyleOf(tree.root, initialTextStyle) }
  reader.children(tree.root, style, matrix, [], 0)
  return { width, height, shapes: reader.shapes, texts: reader.texts }
}

/** Attributes of a reference that move it. */
const placing = new Set(['x', 'y', 'width', 'height', 'href', 'id', 'transform', 'style', 'class'])

type TextedStyle = Style & { text: TextStyle }

class Reader {
  readonly shapes: DrawnShape[] = []
  readonly texts: PendingText[] = []
  readonly #tree: Tree

  constructor(tree: Tree) {
    this.#tree = tree
  }

  children(node: Node, style: TextedStyle, matrix: Matrix, clips: Clip[], depth: number): void {
    if (depth > 100) throw new Undrawable('limit', 'The drawing is nested too deep.')
    for (const child of node.children) this.#draw(child, style, matrix, clips, depth + 1)
  }

  #draw(node: Node, outer: TextedStyle, outerMatrix: Matrix, outerClips: Clip[], depth: number): void {
    if (withoutLooks.has(node.name)) return
    if (node.name === 'use') {
      this.#use(node, outer, outerMatrix, outerClips, depth)
      return
    }
    const style = { ...styleOf(node, outer), text: textStyleOf(node, outer.text) }
    const matrix = multiply(outerMatrix, transformOf(node.attributes.get('transform')))
    // As in fabric.js, the element's own transform does not move its clip.
    const clip = this.#clipOf(node, outerMatrix)
    const clips = clip ? [...outerClips, clip] : outerClips
    if (node.name === 'g' || node.name === 'a') this.children(node, style, matrix, clips, depth)
    else this.#shape(node, style, matrix, clips)
  }

  /** As in fabric.js, attributes of the reference replace those of what it refers to. */
  #use(node: Node, outer: TextedStyle, outerMatrix: Matrix, outerClips: Clip[], depth: number): void {
    const target = this.#tree.byId.get((node.attributes.get('href') ?? '').replace(/^#/, ''))
    if (!target) return
    if (target.name === 'symbol' || target.name === 'svg') throw new NotVectors(target.name)
    if (depth > 100) throw new Undrawable('limit', 'The drawing is nested too deep.')
    const { attributes } = node
    const ownAttributes = [...attributes].filter(([name]) => !placing.has(name))
    const merged: Node = { ...target, attributes: new Map([...target.attributes, ...ownAttributes]) }
    const clip = this.#clipOf(merged, outerMatrix)
    merged.attributes.delete('clip-path')
    const place: Matrix = [1, 0, 0, 1, lengthOf(attributes.get('x')), lengthOf(attributes.get('y'))]
    const matrix = multiply(outerMatrix, multiply(transformOf(attributes.get('transform')), place))
    this.#draw(merged, outer, matrix, clip ? [...outerClips, clip] : outerClips, depth + 1)
  }

  #shape(node: Node, style: TextedStyle, matrix: Matrix, clips: Clip[]): void {
    const text = node.name === 'text' ? drawnText(node, style.text) : undefined
    const outline = node.name === 'text' ? [] : outlineOf(node)
    if (style.hidden)
      throw new Undrawable('drawing', 'The drawing hides shapes with the property visibility.')
    if (this.shapes.length >= maxShapes) throw new Undrawable('limit', 'The drawing has too many shapes.')
    const index = this.shapes.length
    if ((outline.length === 0 && !text) || !style.visible) {
      this.shapes.push({
        mark: { kind: 'shape', outline, rule: 'nonzero' },
        matrix,
        clips: [],
        alpha: 1,
        isHidden: true,
      })
      return
    }
    if (text)
      this.texts.push({
        index,
        text,
        shape: ({ outline, box, bolder }) => ({
          ...this.#painted(outline, box, style, { matrix, clips, bolder }),
          box,
        }),
      })
    const place = { matrix, clips, bolder: 0 }
    this.shapes.push(this.#painted(outline, extentOf(outline), style, place))
  }

  #painted(
    outline: Outline,
    extent: Rectangle,
    style: Style,
    { matrix, clips, bolder }: { matrix: Matrix; clips: Clip[]; bolder: number },
  ): DrawnShape {
    const tree = this.#tree
    // Filled, a straight line would be a hairline of one pixel of the device.
    const hasArea = extent.width > 0 && extent.height > 0
    const fill = hasArea ? paintOf(style.fill, style.fillOpacity, extent, tree) : undefined
    const line = paintOf(style.stroke, style.strokeOpacity, extent, tree)
    const own: Stroke | undefined =
      line && style.strokeWidth > 0
        ? { paint: line, width: style.strokeWidth + bolder, ...pick(style) }
        : undefined
    const stroke = own ?? (bolder > 0 && fill ? plainStroke(fill, bolder) : undefined)
    const mark: ShapeMark = { kind: 'shape', outline, rule: style.fillRule, fill, stroke }
    return { mark, matrix, clips, alpha: style.opacity, isHidden: false }
  }

  #clipOf(node: Node, matrix: Matrix): Clip | undefined {
    const text = node.attributes.get('clip-path')
    if (text === undefined || text === 'none') return undefined
    const [, id = ''] = /^url\(\s*["']?#([^"')\s]+)["']?\s*\)$/.exec(text) ?? []
    const target = this.#tree.byId.get(id)
    if (target?.name !== 'clipPath') throw new NotVectors('clip-path')
    if (target.attributes.get('clipPathUnits') === 'objectBoundingBox') throw new NotVectors('clipPathUnits')
    if (target.attributes.has('clip-path')) throw new NotVectors('clip-path')
    const base = multiply(matrix, transformOf(target.attributes.get('transform')))
    const rules = new Set<string>()
    const outline = target.children.flatMap((child) => {
      if (withoutLooks.has(child.name)) return []
      if (child.attributes.has('clip-path')) throw new NotVectors('clip-path')
      rules.add(child.attributes.get('clip-rule') ?? 'nonzero')
      return transformed(outlineOf(child), multiply(base, transformOf(child.attributes.get('transform'))))
    })
    const isEvenOdd = rules.has('evenodd')
    if (isEvenOdd && target.children.length > 1) throw new NotVectors('clip-rule')
    return { outline, rule: isEvenOdd ? 'evenodd' : 'nonzero' }
  }
}

const pick = ({ cap, join, miter, dash, dashOffset }: Style) => ({ cap, join, miter, dash, dashOffset })

/** @throws NotVectors for anything that is not a basic shape */
function outlineOf({ name, attributes }: Node): Outline {
  const at = (key: string) => lengthOf(attributes.get(key))
  if (name === 'path') return parsePath(attributes.get('d') ?? '')
  if (name === 'rect') {
    const [rx, ry] = [attributes.get('rx'), attributes.get('ry')]
    const box = { x: at('x'), y: at('y'), width: at('width'), height: at('height') }
    if (!(box.width > 0 && box.height > 0)) return []
    return rectangle(box, lengthOf(rx ?? ry), lengthOf(ry ?? rx))
  }
  if (name === 'circle') return ellipse(at('cx'), at('cy'), at('r'), at('r'))
  if (name === 'ellipse') return ellipse(at('cx'), at('cy'), at('rx'), at('ry'))
  if (name === 'line') return polygon([at('x1'), at('y1'), at('x2'), at('y2')], false)
  if (name === 'polyline' || name === 'polygon') {
    return polygon(numbersIn(attributes.get('points') ?? ''), name === 'polygon')
  }
  throw new NotVectors(name)
}

/** The drawing with its text as outlines. @throws Undrawable if a font is not there, or lacks a character */
export function lettered(
  drawing: Drawing,
  faceOf: (need: FontNeed, size: number) => Face,
  faces: ReadonlyMap<string, Face>,
): Drawing {
  const shapes = [...drawing.shapes]
  for (const { index, text, shape } of drawing.texts)
    shapes[index] = shape(outlinedText(text, faceOf(needOfText(text), text.element.size), faces))
  return { ...drawing, shapes, texts: [] }
}

/** Shapes with other fills; `own` keeps that of the drawing. */
export function refilled(shapes: DrawnShape[], fills: readonly (Color | undefined | 'own')[]): DrawnShape[] {
  return shapes.map((shape, index) => {
    const fill = index < fills.length ? fills[index] : 'own'
    return fill === 'own' || shape.isHidden ? shape : { ...shape, mark: { ...shape.mark, fill } }
  })
}

/** Shapes in other colors. */
export function recolored(shapes: DrawnShape[], change: (color: Color) => Color): DrawnShape[] {
  const other = (paint: Paint): Paint =>
    isGradient(paint)
      ? { ...paint, stops: paint.stops.map((stop) => ({ ...stop, color: change(stop.color) })) }
      : change(paint)
  return shapes.map((shape) => {
    const { fill, stroke } = shape.mark
    const lined = stroke && { ...stroke, paint: other(stroke.paint) }
    return { ...shape, mark: { ...shape.mark, fill: fill && other(fill), stroke: lined } }
  })
}

/** The rectangle around all shapes, without their strokes. */
export const extentOfShapes = (shapes: DrawnShape[]): Rectangle =>
  boundsOf(
    identity,
    extentOf(
      shapes.flatMap(({ mark, matrix, box }) => transformed(box ? rectangle(box) : mark.outline, matrix)),
    ),
  )
