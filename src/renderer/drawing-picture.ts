// Prepares a drawing that becomes a picture for librsvg, by editing its SVG: a size in pixels and a view box (librsvg reads other units
// differently from browsers), other fills, and texts as outlines.
import { findRoot } from '../files/svg/root.ts'
import { resized } from '../files/svg/size.ts'
import { lengthOf, numbersIn } from './drawing-style.ts'
import {
  type DrawnText,
  drawnText,
  initialTextStyle,
  type OutlinedText,
  type TextStyle,
  textStyleOf,
} from './drawing-text.ts'
import { type Node, NotVectors, type Tree, treeOf } from './drawing-tree.ts'
import type { Color } from './marks.ts'
import { decimal, pathData } from './outline.ts'
import { Undrawable } from './refusal.ts'

/** A drawing with its size in pixels. */
export interface SizedSvg {
  svg: string
  width: number
  height: number
}

/** The drawing with its size in pixels and a view box. @param svg sanitized @throws Undrawable if it has no size */
export function inPixels(svg: string): SizedSvg {
  const attributes = findRoot(svg)?.attributes()
  const [, , boxWidth = 0, boxHeight = 0] = numbersIn(attributes?.get('viewBox') ?? '')
  const hasBox = boxWidth > 0 && boxHeight > 0
  const [statedWidth, statedHeight] = [length(attributes?.get('width')), length(attributes?.get('height'))]
  const isStated = statedWidth !== undefined && statedHeight !== undefined
  // As in fabric.js, a width or height alone is ignored if there is a view box.
  const [width = 0, height = 0] = isStated || !hasBox ? [statedWidth, statedHeight] : [boxWidth, boxHeight]
  if (!(width > 0 && height > 0)) throw new Undrawable('drawing', 'The drawing has no size.')
  const size = { width: decimal(width, 6), height: decimal(height, 6) }
  return { svg: resized(svg, size, hasBox ? undefined : size), width, height }
}

/** The value of `width` or `height` in pixels; undefined for percentages, unknown units and a missing value. */
function length(text: string | undefined): number | undefined {
  try {
    return text === undefined || text.trim().endsWith('%') ? undefined : lengthOf(text)
  } catch (error) {
    if (error instanceof NotVectors) return undefined
    throw error
  }
}

/** Elements of which fabric.js 5 makes an object, and elements whose content it skips (fabric 5.3 `parseSVGDocument`). */
const shapes = new Set(['path', 'circle', 'polygon', 'polyline', 'ellipse', 'rect', 'line', 'image', 'text'])
const skipped = new Set(['pattern', 'defs', 'symbol', 'metadata', 'clipPath', 'mask', 'desc'])

/** The shapes of a drawing in document order, as fabric.js numbers them. */
function shapesIn(node: Node): Node[] {
  if (skipped.has(node.name)) return []
  const shapesInside = node.children.flatMap(shapesIn)
  return shapes.has(node.name) ? [node, ...shapesInside] : shapesInside
}

/**
 * The drawing with other fills: one for each shape in turn, undefined for no fill, 'own' for the fill of the drawing.
 * @param svg sanitized
 * @throws Undrawable for style sheets that are not understood
 */
export function withFills(svg: string, fills: readonly (Color | undefined | 'own')[]): string {
  const replacements = shapesIn(understoodTree(svg).root).flatMap((node, index): Replacement[] => {
    const fill = index < fills.length ? fills[index] : 'own'
    return fill === 'own' ? [] : [{ span: node.tag, text: tagOf(node, fill, svg.slice(...node.tag)) }]
  })
  return replaced(svg, replacements)
}

/** The parsed drawing. @throws Undrawable for style sheets that are not understood: they could override the fills */
function understoodTree(svg: string): Tree {
  try {
    return treeOf(svg)
  } catch (error) {
    if (!(error instanceof NotVectors)) throw error
    const message = 'The drawing has a style sheet that is not understood, so that its fills cannot change.'
    throw new Undrawable('drawing', message)
  }
}

/** A part of a drawing's file, by its offsets, and the text in its place. */
interface Replacement {
  span: [from: number, to: number]
  text: string
}

/** The drawing with some parts replaced. They are in the order of the file and do not overlap. */
function replaced(svg: string, replacements: readonly Replacement[]): string {
  let result = ''
  /** The end of the part that the result has already. */
  let copied = 0
  for (const { span, text } of replacements) {
    result += svg.slice(copied, span[0]) + text
    copied = span[1]
  }
  return result + svg.slice(copied)
}

/** The start tag with another fill. All styles become attributes, so that none overrides it. */
function tagOf({ name, attributes }: Node, fill: Color | undefined, tag: string): string {
  const newAttributes = new Map([...attributes].filter(([key]) => key !== 'style' && key !== 'class'))
  newAttributes.set('fill', fill ? `rgb(${fill.r},${fill.g},${fill.b})` : 'none')
  if (fill && fill.a < 1) newAttributes.set('fill-opacity', decimal(fill.a))
  return `<${name}${attributesText(newAttributes)}${tag.endsWith('/>') ? '/>' : '>'}`
}

const attributesText = (attributes: ReadonlyMap<string, string>) =>
  [...attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')

const escaped = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** A text element of a drawing. */
export interface RasterText {
  /** Undefined if it has no visible text. */
  text: DrawnText | undefined
  node: Node
}

/** The texts of a drawing in document order. @throws NotVectors for style sheets that are not understood, Undrawable */
export const textsOfPicture = (svg: string): RasterText[] => textsIn(treeOf(svg).root, initialTextStyle)

function textsIn(node: Node, outer: TextStyle): RasterText[] {
  const style = textStyleOf(node, outer)
  if (node.name === 'text') return [{ text: drawnText(node, style), node }]
  return node.children.flatMap((child) => textsIn(child, style))
}

/** Attributes of a text that the path in its place has, too; those of its position and font are in the outline. */
const attributesOfPath =
  /^(?:id|transform|opacity|display|visibility|color|filter|mask|clip-path|fill|fill-opacity|stroke.*)$/

/** The drawing with a path in place of each text. @throws Undrawable if a text cannot be outlined, or the drawing has no size */
export function withOutlines(
  svg: string,
  texts: readonly RasterText[],
  outlined: (text: DrawnText) => OutlinedText,
): SizedSvg {
  const replacements = texts.flatMap(({ text, node }): Replacement[] =>
    node.span ? [{ span: node.span, text: text ? pathOf(node, outlined(text)) : '' }] : [],
  )
  return inPixels(replaced(svg, replacements))
}

/** A path of the text's outline. A bold that the font lacks is made by a stroke in the color of the fill. */
function pathOf({ attributes }: Node, { outline, bolder }: OutlinedText): string {
  const pathAttributes = new Map([...attributes].filter(([name]) => attributesOfPath.test(name)))
  const isStroked = (pathAttributes.get('stroke') ?? 'none') !== 'none'
  if (bolder > 0 && !isStroked)
    pathAttributes
      .set('stroke', pathAttributes.get('fill') ?? 'currentColor')
      .set('stroke-width', decimal(bolder))
  return `<path fill-rule="nonzero" d="${pathData(outline)}"${attributesText(pathAttributes)}/>`
}
