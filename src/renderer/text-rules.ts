// Draws lines along text and backgrounds behind it as fabric.js 5 does: one rectangle for neighbors with the same line or color.
import { isDeepStrictEqual } from 'node:util'
import type { Color, Mark, ShapeMark } from './marks.ts'
import { rectangle } from './outline.ts'
import { belowBaseline, type PlacedLine } from './text-drawn.ts'
import type { TextElement } from './text-element.ts'
import type { Look } from './text-looks.ts'

/** How far the upper edge of a line is below the baseline, in em (fabric 5.3 `offsets`). */
const offsets = { underline: 0.1, linethrough: -0.315, overline: -0.88 } as const
/** A line along a text. */
export type RuleName = keyof typeof offsets

/**
 * The color of a line for a character; undefined if it is not painted. It remembers the last color, as the fill style of a canvas
 * does: a gradient or a pattern leaves it unchanged.
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

/**
 * The rectangles of one kind of line along a line of text (fabric 5.3 `_renderTextDecoration`). They span characters with the same
 * line, size and fill: `last` is the look of the current span, `from` its distance from the beginning, `long` its width.
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
  let [last, from, long] = [first, 0, 0]
  /** Adds the rectangle of the current span. @param colored the look that decides about the color @param more pixels to its width */
  const rule = (colored: Look, { size, shift }: Look, more = 0) => {
    const paint = brush(colored)
    const [x, y] = [leftOf(line, element, width, from, long), baseline + offsets[name] * size + shift]
    if (paint && has(colored) && long + more !== 0)
      marks.push({ ...bar(x, y, long + more, thickness, paint), isLettering: true })
  }
  for (const { look, box, left, spot } of charactersOf(line)) {
    if (spot && has(look)) {
      const paint = brush(last)
      const y = offsets[name] * look.size + look.shift
      if (paint)
        marks.push(
          onSpot(spot, { ...bar(-box.kerned / 2, y, box.kerned, thickness, paint), isLettering: true }),
        )
    } else if (!isAlike(look, last, name) && long > 0) {
      rule(last, last)
      ;[last, from, long] = [look, left, box.width]
    } else long += box.kerned
  }
  // With spacing, fabric also draws a line of one space where curved text would begin if it were straight.
  rule(line.looks.at(-1) ?? first, last, -spacing)
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
  /** The color of the current span, its distance from the beginning and its width. */
  let [last, from, long] = [line.looks[0]?.lineBackground, 0, 0]
  const addSpan = () => {
    if (last) marks.push(bar(leftOf(line, element, width, from, long), line.top, long, line.height, last))
  }
  for (const { look, box, left, spot } of charactersOf(line)) {
    const color = look.lineBackground
    if (spot) {
      const y = -line.height * (1 - belowBaseline)
      if (color) marks.push(onSpot(spot, bar(-box.width / 2, y, box.width, line.height, color)))
    } else if (!isDeepStrictEqual(color, last)) {
      addSpan()
      ;[last, from, long] = [color, left, box.width]
    } else long += box.kerned
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

/** The left edge of a span around the center of the text. */
const leftOf = (
  { start }: PlacedLine,
  { isBackward }: TextElement,
  width: number,
  from: number,
  long: number,
) => (isBackward ? width / 2 - start - from - long : start + from - width / 2)

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
