// Draws underlines and so on along text, and backgrounds behind it, as fabric.js 5 does: one rectangle for neighbors with the same line
// or color.
import { isDeepStrictEqual } from 'node:util'
import type { Color, Mark, ShapeMark } from './marks.ts'
import { rectangle } from './outline.ts'
import { belowBaseline, type PlacedLine } from './text-drawn.ts'
import type { TextElement } from './text-element.ts'
import type { Look } from './text-looks.ts'

/** How far the upper edge of a line is below the baseline, in em (fabric 5.3 `offsets`). */
const offsets = { underline: 0.1, linethrough: -0.315, overline: -0.88 } as const
/** A kind of line along a text. */
export type RuleName = keyof typeof offsets

/**
 * Returns the color of the line along a character; undefined if it is not painted. It remembers the last color, as the fill style of a
 * canvas does: a gradient or a pattern leaves it unchanged. So the order of calls matters: that of painting.
 */
export type Brush = (look: Look) => Color | undefined

/** A brush with its first color. */
export function brushOf(first: Color): Brush {
  let color = first
  return ({ fill, isPatterned }) => {
    if (!fill && !isPatterned) return undefined
    if (fill && !isPatterned && !('kind' in fill)) color = fill
    return color
  }
}

/** Neighboring characters that share a rectangle: its distance from the beginning of the line, and its width. */
interface Span {
  from: number
  width: number
}

/**
 * The rectangles of one kind of line along a line of text (fabric 5.3 `_renderTextDecoration`): one for neighbors with the same line,
 * size and fill, and one for each character of curved text.
 * @param width of the text
 */
export function rulesOf(
  line: PlacedLine,
  name: RuleName,
  element: TextElement,
  width: number,
  brush: Brush,
): Mark[] {
  const marks: Mark[] = []
  const baseline = line.top + line.height * (1 - belowBaseline)
  const thickness = element.size / 15
  const spacing = element.letterSpacing * element.size
  const [first] = line.looks
  if (!first) return []
  const has = (look: Look) => look.lines[name] && (look.fill !== undefined || look.isPatterned)
  /** The current span, and the look of its characters. */
  let [look, span]: [Look, Span] = [first, { from: 0, width: 0 }]
  /** Adds the rectangle of the current span. @param colored the look that decides whether and in which color @param added pixels to its width */
  const addSpan = (colored: Look, added = 0) => {
    const paint = brush(colored)
    const [x, y] = [leftOf(line, element, width, span), baseline + offsets[name] * look.size + look.shift]
    if (paint && has(colored) && span.width + added !== 0)
      marks.push({ ...bar(x, y, span.width + added, thickness, paint), isLettering: true })
  }
  for (const { look: nextLook, box, left, spot } of charactersOf(line)) {
    if (spot && has(nextLook)) {
      // As in fabric, in the color of the current span, which may be that of earlier characters.
      const paint = brush(look)
      const y = offsets[name] * nextLook.size + nextLook.shift
      if (paint)
        marks.push(
          onSpot(spot, { ...bar(-box.kerned / 2, y, box.kerned, thickness, paint), isLettering: true }),
        )
    } else if (!isAlike(nextLook, look, name) && span.width > 0) {
      addSpan(look)
      ;[look, span] = [nextLook, { from: left, width: box.width }]
    } else span.width += box.kerned
  }
  // With spacing, fabric also draws a line of one space where curved text would begin if it were straight.
  addSpan(line.looks.at(-1) ?? first, -spacing)
  return marks
}

/** Whether two characters share a rectangle of the line. */
const isAlike = (a: Look, b: Look, name: RuleName) =>
  a === b ||
  (a.lines[name] === b.lines[name] &&
    a.size === b.size &&
    a.shift === b.shift &&
    a.isPatterned === b.isPatterned &&
    isDeepStrictEqual(a.fill, b.fill))

/** The rectangles behind characters with a background (fabric 5.3 `_renderTextLinesBackground`). @param width of the text */
export function backgroundsOf(line: PlacedLine, element: TextElement, width: number): Mark[] {
  const marks: Mark[] = []
  /** The current span, and the color behind its characters. */
  let [color, span]: [Color | undefined, Span] = [line.looks[0]?.lineBackground, { from: 0, width: 0 }]
  const addSpan = () => {
    if (!color) return
    marks.push(bar(leftOf(line, element, width, span), line.top, span.width, line.height, color))
  }
  for (const { look, box, left, spot } of charactersOf(line)) {
    const nextColor = look.lineBackground
    if (spot) {
      const y = -line.height * (1 - belowBaseline)
      if (nextColor) marks.push(onSpot(spot, bar(-box.width / 2, y, box.width, line.height, nextColor)))
    } else if (!isDeepStrictEqual(nextColor, color)) {
      addSpan()
      ;[color, span] = [nextColor, { from: left, width: box.width }]
    } else span.width += box.kerned
  }
  if (!line.spots) addSpan()
  return marks
}

/** The characters of a line: look, measures, distance `left` from the beginning, and the spot of a curved one. */
function* charactersOf({ looks, boxes, spots }: PlacedLine) {
  let end = 0
  for (const [index, look] of looks.entries()) {
    const box = boxes[index] ?? { width: 0, kerned: 0 }
    const left = index === 0 ? 0 : end + box.kerned - box.width
    end = left + box.width
    yield { look, box, left, spot: spots?.[index] }
  }
}

/** The left edge of a span, from the center of the text. @param width of the text */
const leftOf = ({ start }: PlacedLine, { isBackward }: TextElement, width: number, span: Span) =>
  isBackward ? width / 2 - start - span.from - span.width : start + span.from - width / 2

/** A filled rectangle; a negative width extends to the left. */
const bar = (x: number, y: number, width: number, height: number, fill: Color): ShapeMark => ({
  kind: 'shape',
  outline: rectangle({ x: Math.min(x, x + width), y, width: Math.abs(width), height }),
  rule: 'nonzero',
  fill,
})

/** The mark turned and moved to a spot. */
const onSpot = ({ x, y, angle }: { x: number; y: number; angle: number }, mark: Mark): Mark => {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  return { kind: 'group', matrix: [cos, sin, -sin, cos, x, y], marks: [mark] }
}
