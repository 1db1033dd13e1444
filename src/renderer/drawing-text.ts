// Reads text in a drawing as fabric.js 5 does: each text element is one line of all its words in one style; and turns it into
// outlines when its font is loaded.
import { lengthOf } from './drawing-style.ts'
import { declaredValue, type Node } from './drawing-tree.ts'
import { commonOf } from './element-common.ts'
import { wordOutlines } from './emit-svg.ts'
import type { Face } from './face.ts'
import type { Mark } from './marks.ts'
import { type Matrix, type Rectangle, translate } from './matrix.ts'
import { type Outline, type Segment, transformed } from './outline.ts'
import { Undrawable } from './refusal.ts'
import type { FontNeed } from './task.ts'
import { layText } from './text.ts'
import { type TextElement, textElement } from './text-element.ts'

/** The properties of text that elements inherit. */
export interface TextStyle {
  family: string
  /** Pixels; 0 for text that is not shown. */
  size: number
  isBold: boolean
  isItalic: boolean
  /** Letter spacing in em. */
  spacing: number
  /** What its position is: the beginning, the middle or the end of the baseline. */
  anchor: 'start' | 'middle' | 'end'
  /** The value of text-decoration. */
  decoration: string
}

/** The style that the root element inherits. */
export const initialTextStyle: TextStyle = {
  family: 'Times New Roman',
  size: 16,
  isBold: false,
  isItalic: false,
  spacing: 0,
  anchor: 'start',
  decoration: '',
}

/** The text style of an element. @param outer that of the element around it @throws NotVectors for lengths in unknown units, Undrawable */
export function textStyleOf(node: Node, outer: TextStyle): TextStyle {
  const declared = (name: string) => declaredValue(node, name)
  if (declared('font') !== undefined)
    throw new Undrawable('drawing', 'The drawing has text with the property font, which cannot be drawn.')
  const [fontSize, spacing] = [declared('font-size'), declared('letter-spacing')]
  const size = fontSize === undefined ? outer.size : sizeIn(fontSize, outer.size)
  const [weight, fontStyle] = [declared('font-weight'), declared('font-style')]
  const anchor = declared('text-anchor')
  return {
    family: declared('font-family') ?? outer.family,
    size,
    isBold: weight === undefined ? outer.isBold : /^bold/.test(weight) || Number(weight) >= 600,
    isItalic: fontStyle === undefined ? outer.isItalic : fontStyle !== 'normal',
    spacing: spacing === undefined ? outer.spacing : spacingIn(spacing, size),
    anchor: anchor === undefined ? outer.anchor : anchor === 'start' || anchor === 'end' ? anchor : 'middle',
    decoration: declared('text-decoration') ?? outer.decoration,
  }
}

/** A length in pixels, with em as a unit. */
const length = (value: string, em: number) =>
  value.endsWith('em') ? Number.parseFloat(value) * em : lengthOf(value)

/** The value of `letter-spacing` in em. @param size of the text in pixels */
const spacingIn = (value: string, size: number) =>
  value === 'normal' ? 0 : length(value, size) / (size || 1)

/** The font size in pixels as fabric.js reads it: 0, not shown, for a size with a name; a percentage counts as pixels. @param em the inherited size */
function sizeIn(value: string, em: number): number {
  if (/^[a-z-]+$/i.test(value)) return 0
  return length(value.replace(/%$/, ''), em || initialTextStyle.size)
}

/** A line of text whose font is not loaded yet. */
export interface DrawnText {
  /** The text as an element of a design, without a place. */
  element: TextElement
  /** The position of the beginning, middle or end of its baseline, depending on its anchor. */
  x: number
  y: number
  anchor: TextStyle['anchor']
}

/** Browsers show the standard font if they have none of the families. */
const standardFamily = 'serif'

/** The font that a text needs. */
export const needOfText = ({ element }: DrawnText): FontNeed => ({
  family: `${element.family}, ${standardFamily}`,
  bold: element.bold,
  italic: element.italic,
})

/** Characters of one text. */
const maxText = 2000

/** The text of a text element; undefined if it has no visible words. @throws NotVectors for a position in unknown units, Undrawable if it is too long */
export function drawnText(node: Node, style: TextStyle): DrawnText | undefined {
  const { attributes } = node
  const text = node.text
    .join('')
    .replace(/^\s+|\s+$|\n+/g, '')
    .replace(/\s+/g, ' ')
  if (text === '' || style.size <= 0) return undefined
  if (text.length > maxText) throw new Undrawable('limit', 'The drawing has too long a text.')
  // Of a list of positions, one for each character, fabric.js reads the first.
  const position = (name: string) => lengthOf(attributes.get(name)?.split(/[\s,]+/)[0])
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
  const [x, y] = [position('x') + position('dx'), position('y') + position('dy')]
  return { element, x, y, anchor: style.anchor }
}

/** The distance from the top of a text to its baseline (fabric 5.3 `Text.fromElement`). */
const ascentOf = (height: number, size: number) => height - (size * (0.07 + 0.222)) / 1.16

/** A text of a drawing as a shape. */
export interface OutlinedText {
  outline: Outline
  /** The box that fabric measures, in the space of the drawing. */
  box: Rectangle
  /** The width of the stroke that makes it bold; 0 for none. */
  bolder: number
}

/**
 * The outlines of a text and of the lines along it.
 * @param faces all faces by the keys that marks have
 * @throws Undrawable if the font lacks a character, or a character is an emoji in color
 */
export function outlinedText(
  { element, x, y, anchor }: DrawnText,
  face: Face,
  faces: ReadonlyMap<string, Face>,
): OutlinedText {
  const { width, height, paint } = layText(element, () => face)
  const share = { start: 0, middle: 0.5, end: 1 }[anchor]
  const box = { x: x - width * share, y: y - ascentOf(height, element.size), width, height }
  const place = translate(box.x + width / 2, box.y + height / 2)
  const parts = paint.map(({ mark }) => outlineOf(mark, place, faces))
  const letters = parts.flatMap((part) => (part.isText ? part.outline : []))
  const lines = parts.flatMap((part) => (part.isText ? [] : part.outline))
  // By the rule nonzero, lines that run the other way round would cut holes where they cross the letters.
  const runAlike = signedArea(letters) > 0 === signedArea(lines) > 0
  return {
    outline: [...letters, ...(runAlike ? lines : reversedRectangles(lines))],
    box,
    bolder: face.bolder(element.size),
  }
}

/** The outline of a word, or of a line along the text. */
function outlineOf(
  mark: Mark,
  outer: Matrix,
  faces: ReadonlyMap<string, Face>,
): { outline: Outline; isText: boolean } {
  if (mark.kind === 'shape') return { outline: transformed(mark.outline, outer), isText: false }
  if (mark.kind !== 'text')
    throw new Undrawable('drawing', 'The drawing has a text with an emoji in color, which cannot be drawn.')
  const face = faces.get(mark.font)
  if (!face) throw new Error('A mark refers to a font that was not loaded.')
  const outline = mark.words.flatMap((word) => wordOutlines(word, face, mark.size)).flat()
  return { outline: transformed(outline, outer), isText: true }
}

/** Twice the area that the polygon of the end points encloses (shoelace formula): positive if most of it runs clockwise. */
function signedArea(outline: Outline): number {
  let [sum, x, y] = [0, 0, 0]
  for (const segment of outline) {
    if (segment[0] === 'Z') continue
    // A segment ends with the coordinates of its end point.
    const [nextX, nextY] = segment.slice(-2) as [number, number]
    if (segment[0] !== 'M') sum += x * nextY - nextX * y
    ;[x, y] = [nextX, nextY]
  }
  return sum
}

/** Rectangles, of five segments each, in the other direction: the second corner and the fourth change places. */
function reversedRectangles(outline: Outline): Outline {
  const reversed: Segment[] = []
  for (let i = 0; i + 4 < outline.length; i += 5) {
    const [first, second, third, fourth, end] = outline.slice(i, i + 5)
    if (first && second && third && fourth && end) reversed.push(first, fourth, third, second, end)
  }
  return reversed
}
