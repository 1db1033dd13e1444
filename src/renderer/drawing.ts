// Reads a sanitized SVG drawing as shapes with colors and gradients. Other features throw NotVectors: such a drawing is printed as
// a picture.
import { paintOf } from './drawing-paint.ts'
import { initialStyle, lengthOf, numbersIn, type Style, styleOf, transformOf } from './drawing-style.ts'
import {
  type DrawnText,
  drawnText,
  initialTextStyle,
  type OutlinedText,
  type TextStyle,
  textStyleOf,
} from './drawing-text.ts'
import { type Node, NotVectors, type Tree, treeOf } from './drawing-tree.ts'
import { viewportOf } from './drawing-viewport.ts'
import { type Clip, plainStroke, type ShapeMark, type Stroke } from './marks.ts'
import { type Matrix, multiply, type Rectangle } from './matrix.ts'
import { ellipse, extentOf, type Outline, polygon, rectangle, transformed } from './outline.ts'
import { parsePath } from './path-data.ts'
import { Undrawable } from './refusal.ts'

/** A shape of a drawing. */
export interface DrawnShape {
  mark: ShapeMark
  /** From the mark to the space of the document. */
  matrix: Matrix
  /** In the space of the document. */
  clips: Clip[]
  /** Opacity: of a clipped shape as a whole, else of its fill and of its stroke separately. */
  alpha: number
  /** Whether it is not painted; it still counts in the order of shapes, by which designs store fills. */
  isHidden: boolean
  /** The rectangle that fabric measures, if it is not that around the outline. */
  box?: Rectangle
}

/** A drawing that is painted as vectors. */
export interface Drawing {
  /** Size of the document; 0 if it has none. */
  width: number
  height: number
  /** In the order in which they are painted. */
  shapes: DrawnShape[]
  /** Texts, which take their places among the shapes when their fonts are loaded (`lettered`). */
  texts: PendingText[]
}

/** A text whose font is not loaded yet; an empty shape holds its place. */
export interface PendingText {
  /** The index of its shape. */
  index: number
  text: DrawnText
  /** Returns the shape with the paint of the text element. */
  shapeWith(outlined: OutlinedText): DrawnShape
}

const maxShapes = 20_000
const maxDepth = 100
/** Elements that paint nothing themselves. */
const unpainted = new Set([
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

/**
 * Reads a drawing.
 * @param svg sanitized
 * @throws NotVectors if it can only be printed as a picture; Undrawable if it is too large, not well-formed, or hides shapes by `visibility`
 */
export function drawingOf(svg: string): Drawing {
  const tree = treeOf(svg)
  const { width, height, matrix } = viewportOf(tree.root)
  const reader = new Reader(tree)
  const style = { ...styleOf(tree.root, initialStyle), text: textStyleOf(tree.root, initialTextStyle) }
  reader.children(tree.root, { style, matrix, clips: [], depth: 0 })
  return { width, height, shapes: reader.shapes, texts: reader.texts }
}

/** Attributes of a `use` that do not replace those of its target. */
const unmerged = new Set(['x', 'y', 'width', 'height', 'href', 'id', 'transform', 'style', 'class'])

type FullStyle = Style & { text: TextStyle }

/** What an element passes on to those inside of it. */
interface Context {
  style: FullStyle
  /** From the element's content to the document. */
  matrix: Matrix
  clips: Clip[]
  depth: number
}

/** Walks the elements of a drawing and collects its shapes. */
class Reader {
  readonly shapes: DrawnShape[] = []
  readonly texts: PendingText[] = []
  readonly #tree: Tree

  constructor(tree: Tree) {
    this.#tree = tree
  }

  children(node: Node, context: Context): void {
    if (context.depth > maxDepth) throw new Undrawable('limit', 'The drawing is nested too deep.')
    for (const child of node.children) this.#draw(child, { ...context, depth: context.depth + 1 })
  }

  #draw(node: Node, outer: Context): void {
    if (unpainted.has(node.name)) return
    if (node.name === 'use') {
      this.#use(node, outer)
      return
    }
    const context: Context = {
      style: { ...styleOf(node, outer.style), text: textStyleOf(node, outer.style.text) },
      matrix: multiply(outer.matrix, transformOf(node.attributes.get('transform'))),
      // As in fabric.js, the element's transform does not move its clip.
      clips: this.#clipsWith(node, outer),
      depth: outer.depth,
    }
    if (node.name === 'g' || node.name === 'a') this.children(node, context)
    else this.#shape(node, context)
  }

  /** Draws the target of a `use`. As in fabric.js, attributes of the `use` replace those of the target. */
  #use(node: Node, outer: Context): void {
    const target = this.#tree.byId.get((node.attributes.get('href') ?? '').replace(/^#/, ''))
    if (!target) return
    if (target.name === 'symbol' || target.name === 'svg') throw new NotVectors(target.name)
    if (outer.depth > maxDepth) throw new Undrawable('limit', 'The drawing is nested too deep.')
    const { attributes } = node
    const replacing = [...attributes].filter(([name]) => !unmerged.has(name))
    const merged: Node = { ...target, attributes: new Map([...target.attributes, ...replacing]) }
    const clips = this.#clipsWith(merged, outer)
    merged.attributes.delete('clip-path')
    const place: Matrix = [1, 0, 0, 1, lengthOf(attributes.get('x')), lengthOf(attributes.get('y'))]
    const matrix = multiply(outer.matrix, multiply(transformOf(attributes.get('transform')), place))
    this.#draw(merged, { style: outer.style, matrix, clips, depth: outer.depth + 1 })
  }

  #shape(node: Node, { style, matrix, clips }: Context): void {
    const text = node.name === 'text' ? drawnText(node, style.text) : undefined
    const outline = node.name === 'text' ? [] : outlineOf(node)
    if (style.isInvisible)
      throw new Undrawable('drawing', 'The drawing hides shapes with the property visibility.')
    if (this.shapes.length >= maxShapes) throw new Undrawable('limit', 'The drawing has too many shapes.')
    const index = this.shapes.length
    if ((outline.length === 0 && !text) || !style.isDisplayed) {
      const mark: ShapeMark = { kind: 'shape', outline, rule: 'nonzero' }
      this.shapes.push({ mark, matrix, clips: [], alpha: 1, isHidden: true })
      return
    }
    if (text) {
      const shapeWith = ({ outline, box, bolder }: OutlinedText) => ({
        ...this.#painted(outline, box, style, { matrix, clips, bolder }),
        box,
      })
      this.texts.push({ index, text, shapeWith })
    }
    // A paint that vectors lack is found now, before the outline of a text is known: later it could not become a picture any more.
    const extent = text ? { x: 0, y: 0, width: 1, height: 1 } : extentOf(outline)
    this.shapes.push(this.#painted(outline, extent, style, { matrix, clips, bolder: 0 }))
  }

  /** The shape with its paint. @param extent by which gradients are measured @param place.bolder width of a stroke that makes text bold */
  #painted(
    outline: Outline,
    extent: Rectangle,
    style: Style,
    { matrix, clips, bolder }: { matrix: Matrix; clips: Clip[]; bolder: number },
  ): DrawnShape {
    const tree = this.#tree
    // Filled, a straight line would be a hairline of one pixel of the device.
    const hasArea = extent.width > 0 && extent.height > 0
    const fill = hasArea ? paintOf(style.fill, { alpha: style.fillOpacity, extent, tree }) : undefined
    const strokePaint = paintOf(style.stroke, { alpha: style.strokeOpacity, extent, tree })
    const { cap, join, miter, dash, dashOffset } = style
    const drawnStroke: Stroke | undefined =
      strokePaint && style.strokeWidth > 0
        ? { paint: strokePaint, width: style.strokeWidth + bolder, cap, join, miter, dash, dashOffset }
        : undefined
    const stroke = drawnStroke ?? (bolder > 0 && fill ? plainStroke(fill, bolder) : undefined)
    const mark: ShapeMark = { kind: 'shape', outline, rule: style.fillRule, fill, stroke }
    return { mark, matrix, clips, alpha: style.opacity, isHidden: false }
  }

  /** The clips around an element and its clip. */
  #clipsWith(node: Node, outer: Context): Clip[] {
    const clip = this.#clipOf(node, outer.matrix)
    return clip ? [...outer.clips, clip] : outer.clips
  }

  /** The clip of an element's `clip-path`; undefined if it has none. @throws NotVectors for one that shapes cannot express */
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
      if (unpainted.has(child.name)) return []
      if (child.attributes.has('clip-path')) throw new NotVectors('clip-path')
      rules.add(child.attributes.get('clip-rule') ?? 'nonzero')
      return transformed(outlineOf(child), multiply(base, transformOf(child.attributes.get('transform'))))
    })
    const isEvenOdd = rules.has('evenodd')
    if (isEvenOdd && target.children.length > 1) throw new NotVectors('clip-rule')
    return { outline, rule: isEvenOdd ? 'evenodd' : 'nonzero' }
  }
}

/** The outline of a path or a basic shape (SVG 2 §9, §10); empty for a rectangle without an area. @throws NotVectors for any other element */
function outlineOf({ name, attributes }: Node): Outline {
  const length = (key: string) => lengthOf(attributes.get(key))
  if (name === 'path') return parsePath(attributes.get('d') ?? '')
  if (name === 'rect') {
    const [rx, ry] = [attributes.get('rx'), attributes.get('ry')]
    const box = { x: length('x'), y: length('y'), width: length('width'), height: length('height') }
    if (!(box.width > 0 && box.height > 0)) return []
    return rectangle(box, lengthOf(rx ?? ry), lengthOf(ry ?? rx))
  }
  if (name === 'circle') return ellipse(length('cx'), length('cy'), length('r'), length('r'))
  if (name === 'ellipse') return ellipse(length('cx'), length('cy'), length('rx'), length('ry'))
  if (name === 'line') return polygon([length('x1'), length('y1'), length('x2'), length('y2')], false)
  if (name === 'polyline' || name === 'polygon') {
    return polygon(numbersIn(attributes.get('points') ?? ''), name === 'polygon')
  }
  throw new NotVectors(name)
}
