// A drawing that becomes a picture: librsvg gets its size in pixels and a view box, since it takes other units for others.

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
import { type Node, NotVectors, treeOf } from './drawing-tree.ts'
import type { Color } from './marks.ts'
import { pathData, plain } from './outline.ts'
import { Undrawable } from './refusal.ts'

export interface SizedSvg {
  svg: string
  width: number
  height: number
}

/** @param svg sanitized @throws Undrawable if it has no size */
export function inPixels(svg: string): SizedSvg {
  const attributes = findRoot(svg)?.attributes()
  const [, , w = 0, h = 0] = numbersIn(attributes?.get('viewBox') ?? '')
  const hasBox = w > 0 && h > 0
  const [givenWidth, givenHeight] = [length(attributes?.get('width')), length(attributes?.get('height'))]
  const isGiven = givenWidth !== undefined && givenHeight !== undefined
  // As fabric.js does, a lone width or height is ignored where there is a view box.
  const [width = 0, height = 0] = isGiven || !hasBox ? [givenWidth, givenHeight] : [w, h]
  if (!(width > 0 && height > 0)) throw new Undrawable('drawing', 'The drawing has no size.')
  const size = { width: plain(width, 6), height: plain(height, 6) }
  return { svg: resized(svg, size, hasBox ? undefined : size), width, height }
}

function length(text: string | undefined): number | undefined {
  try {
    return text === undefined || text.trim().endsWith('%') ? undefined : lengthOf(text)
  } catch (error) {
    if (error instanceof NotVectors) return undefined
    throw error
  }
}

/** What fabric.js 5 makes an object of, and what it does not look into. */
const shapes = new Set(['path', 'circle', 'polygon', 'polyline', 'ellipse', 'rect', 'line', 'image', 'text'])
const without = new Set(['pattern', 'defs', 'symbol', 'metadata', 'clipPath', 'mask', 'desc'])

/** @param svg sanitized @throws NotVectors for style sheets that are not understood, Undrawable */
export function withFills(svg: string, fills: readonly (Color | undefined | 'own')[]): string {
  let [done, at, count] = ['', 0, 0]
  const visit = (node: Node) => {
    if (without.has(node.name)) return
    if (shapes.has(node.name)) {
      const fill = count < fills.length ? fills[count] : 'own'
      count++
      if (fill !== 'own' && node.tag) {
        done += svg.slice(at, node.tag[0]) + tagOf(node, fill, svg.slice(...node.tag))
        at = node.tag[1]
      }
    }
    for (const child of node.children) visit(child)
  }
  visit(treeOf(svg).root)
  return done + svg.slice(at)
}

/** With what style sheets say as attributes, so that the fill is in force. */
function tagOf({ name, attributes }: Node, fill: Color | undefined, tag: string): string {
  const keptAttributes = new Map([...attributes].filter(([key]) => key !== 'style' && key !== 'class'))
  keptAttributes.set('fill', fill ? `rgb(${fill.r},${fill.g},${fill.b})` : 'none')
  if (fill && fill.a < 1) keptAttributes.set('fill-opacity', plain(fill.a))
  const written = [...keptAttributes].map(([key, value]) => ` ${key}="${escaped(value)}"`).join('')
  return `<${name}${written}${tag.endsWith('/>') ? '/>' : '>'}`
}

const escaped = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

export interface RasterText {
  /** Undefined if nothing of it is shown. */
  text: DrawnText | undefined
  node: Node
}

/** The texts in their order. @throws NotVectors for style sheets that are not understood, Undrawable */
export function textsOfPicture(svg: string): RasterText[] {
  const texts: RasterText[] = []
  const visit = (node: Node, outer: TextStyle) => {
    const style = textStyleOf(node, outer)
    const text = node.name === 'text' ? drawnText(node, style) : undefined
    if (node.name === 'text') texts.push({ text, node })
    else for (const child of node.children) visit(child, style)
  }
  visit(treeOf(svg).root, initialTextStyle)
  return texts
}

/** What paths keep of a text. */
const keptNames =
  /^(?:id|transform|opacity|display|visibility|color|filter|mask|clip-path|fill|fill-opacity|stroke.*)$/

/** @throws Undrawable */
export function withOutlines(
  svg: string,
  texts: readonly RasterText[],
  outlined: (text: DrawnText) => OutlinedText,
): SizedSvg {
  let [done, at] = ['', 0]
  for (const { text, node } of texts) {
    const [from, to] = node.span ?? [at, at]
    done += svg.slice(at, from) + (text ? pathOf(node, outlined(text)) : '')
    at = to
  }
  return inPixels(done + svg.slice(at))
}

function pathOf({ attributes }: Node, { outline, bolder }: OutlinedText): string {
  const keptAttributes = new Map([...attributes].filter(([name]) => keptNames.test(name)))
  const isStroked = (keptAttributes.get('stroke') ?? 'none') !== 'none'
  if (bolder > 0 && !isStroked)
    keptAttributes
      .set('stroke', keptAttributes.get('fill') ?? 'currentColor')
      .set('stroke-width', plain(bolder))
  const written = [...keptAttributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')
  return `<path fill-rule="nonzero" d="${pathData(outline)}"${written}/>`
}
