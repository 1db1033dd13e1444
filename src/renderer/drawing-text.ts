// Text in a drawing as fabric.js 5 reads it: each text element is one line of all its words in one style, as outlines.

import { lengthOf } from './drawing-style.ts'
import { type Node, NotVectors, saidOf, textIn } from './drawing-tree.ts'
import { commonOf } from './element-common.ts'
import { wordOutlines } from './emit-svg.ts'
import type { Face } from './face.ts'
import type { Mark } from './marks.ts'
import { type Matrix, type Rectangle, translate } from './matrix.ts'
import { type Outline, type Segment, transformed } from './outline.ts'
import { Undrawable } from './refusal.ts'
import type { FontNeed } from './task.ts'
import { layText } from './text.ts'
import type { TextElement } from './text-element.ts'
import { textElement } from './text-element.ts'

/** What text inherits in a drawing. */
export interface TextStyle {
  family: string
  size: number
  isBold: boolean
  isItalic: boolean
  /** In em. */
  spacing: number
  anchor: 'start' | 'middle' | 'end'
  decoration: string
}

export const initialTextStyle: TextStyle = {
  family: 'Times New Roman',
  size: 16,
  isBold: false,
  isItalic: false,
  spacing: 0,
  anchor: 'start',
  decoration: '',
}

/** @throws NotVectors for lengths in unknown units */
export function textStyleOf(node: Node, outer: TextStyle): TextStyle {
  const styleOf = (name: string) => saidOf(node, name)
  if (styleOf('font') !== undefined)
    throw new Undrawable('drawing', 'The drawing has text with the property font, which cannot be drawn.')
  const [given, spacing] = [styleOf('font-size'), styleOf('letter-spacing')]
  const size = given === undefined ? outer.size : sizeIn(given, outer.size)
  const [weight, lean, anchor] = [styleOf('font-weight'), styleOf('font-style'), styleOf('text-anchor')]
  return {
    family: styleOf('font-family') ?? outer.family,
    size,
    isBold: weight === undefined ? outer.isBold : /^bold/.test(weight) || Number(weight) >= 600,
    isItalic: lean === undefined ? outer.isItalic : lean !== 'normal',
    spacing:
      spacing === undefined ? outer.spacing : spacing === 'normal' ? 0 : length(spacing, size) / (size || 1),
    anchor: anchor === undefined ? outer.anchor : anchor === 'start' || anchor === 'end' ? anchor : 'middle',
    decoration: styleOf('text-decoration') ?? outer.decoration,
  }
}

const length = (value: string, em: number) =>
  value.endsWith('em') ? Number.parseFloat(value) * em : lengthOf(value)

/** As fabric.js reads it: text whose size has a name is not shown, and a percentage counts pixels. */
function sizeIn(value: string, em: number): number {
  if (/^[a-z-]+$/i.test(value)) return 0
  return length(value.replace(/%$/, ''), em || initialTextStyle.size)
}

/** A line of text whose font is not read yet. */
export interface DrawnText {
  element: TextElement
  /** Where its baseline begins, ends or has its middle, as its anchor says. */
  x: number
  y: number
  anchor: TextStyle['anchor']
}

/** Browsers show the standard font where they have none of the names. */
const standard = 'serif'

export const needOfText = ({ element }: DrawnText): FontNeed => ({
  family: `${element.family}, ${standard}`,
  bold: element.bold,
  italic: element.italic,
})

const maxText = 2000

/** Undefined for text without words. */
export function drawnText(node: Node, style: TextStyle): DrawnText | undefined {
  const { attributes } = node
  const text = textIn(node)
    .replace(/^\s+|\s+$|\n+/g, '')
    .replace(/\s+/g, ' ')
  if (text === '' || style.size <= 0) return undefined
  if (text.length > maxText) throw new Undrawable('limit', 'The drawing has too long a text.')
  const at = (name: string) => lengthOf(attributes.get(name)?.split(/[\s,]+/)[0])
  const has = (name: string) => style.decoration.includes(name)
  const element: TextElement = {
    ...textElement('text', {}, {}, commonOf('', {})),
    text,
    family: style.family,
    bold: style.isBold,
    italic: style.isItalic,
    size: style.size,
    letterSpacing: style.spacing,
    lines: { underline: has('underline'), linethrough: has('line-through'), overline: has('overline') },
  }
  return { element, x: at('x') + at('dx'), y: at('y') + at('dy'), anchor: style.anchor }
}

/** As fabric counts from the baseline of a drawing to the top of a text, for each em. */
const topOf = (height: number, size: number) => height - (size * (0.07 + 0.222)) / 1.16

export interface OutlinedText {
  outline: Outline
  /** The box that fabric measures. */
  box: Rectangle
  /** Width of the line that makes it bold. */
  bolder: number
}

/** @param faces by the keys of the marks */
export function outlinedText(
  { element, x, y, anchor }: DrawnText,
  face: Face,
  faces: ReadonlyMap<string, Face>,
): OutlinedText {
  const { width, height, paint } = layText(element, () => face)
  const share = { start: 0, middle: 0.5, end: 1 }[anchor]
  const box = { x: x - width * share, y: y - topOf(height, element.size), width, height }
  const place = translate(box.x + width / 2, box.y + height / 2)
  const parts = paint.map(({ mark }) => outlineOf(mark, place, faces))
  const [words, lines] = [true, false].map((isText) =>
    parts.flatMap((part) => (part.isText === isText ? part.outline : [])),
  ) as [Outline, Outline]
  // Lines that run the other way round would take away where they cross the letters.
  const isAlike = areaOf(words) > 0 === areaOf(lines) > 0
  return {
    outline: [...words, ...(isAlike ? lines : mirroredRectangles(lines))],
    box,
    bolder: face.bolder(element.size),
  }
}

function outlineOf(
  mark: Mark,
  outer: Matrix,
  faces: ReadonlyMap<string, Face>,
): { outline: Outline; isText: boolean } {
  if (mark.kind === 'shape') return { outline: transformed(mark.outline, outer), isText: false }
  if (mark.kind !== 'text') throw new NotVectors('text')
  const face = faces.get(mark.font)
  if (!face) throw new Error('A mark refers to a font that was not loaded.')
  const outline = mark.words.flatMap((word) => wordOutlines(word, face, mark.size)).flat()
  return { outline: transformed(outline, outer), isText: true }
}

/** Positive if most of an outline runs clockwise. */
function areaOf(outline: Outline): number {
  let [sum, x, y] = [0, 0, 0]
  for (const segment of outline) {
    if (segment[0] === 'Z') continue
    const [nx, ny] = segment.slice(-2) as [number, number]
    if (segment[0] !== 'M') sum += x * ny - nx * y
    ;[x, y] = [nx, ny]
  }
  return sum
}

/** Rectangles in the other direction: the second corner and the fourth change places. */
function mirroredRectangles(outline: Outline): Outline {
  const turned: Segment[] = []
  for (let i = 0; i + 4 < outline.length; i += 5) {
    const [first, second, third, fourth, end] = outline.slice(i, i + 5)
    if (first && second && third && fourth && end) turned.push(first, fourth, third, second, end)
  }
  return turned
}
