// Lines and backgrounds of text as fabric.js 5 draws them: one rectangle for neighbors that have it alike.
import { isDeepStrictEqual } from 'node:util'
import type { Color, Mark, ShapeMark } from './marks.ts'
import { rectangle } from './outline.ts'
import { belowBaseline, type PlacedLine } from './text-drawn.ts'
import type { TextElement } from './text-element.ts'
import type { Look } from './text-looks.ts'

/** How far the upper edge of a line is below the baseline, in em. */
const offsets = { underline: 0.1, linethrough: -0.315, overline: -0.88 } as const
export type RuleName = keyof typeof offsets

/** Colors as a canvas keeps them: what is no color leaves the last one. */
export type Brush = (look: Look) => Color | undefined

export function brushOf(first: Color): Brush {
  let color = first
  return ({ fill, isPatterned }) => {
    if (!fill && !isPatterned) return undefined
    if (fill && !isPatterned && !('kind' in fill)) color = fill
    return color
  }
}

/** @param width of the whole text */
export function rulesOf(
  line: PlacedLine,
  name: RuleName,
  element: TextElement,
  width: number,
  brush: Brush,
): Mark[] {
  const marks: Mark[] = []
  const baseline = line.top + line.full * (1 - belowBaseline)
  const thick = element.size / 15
  const spacing = element.letterSpacing * element.size
  const [first] = line.looks
  if (!first) return []
  const has = (look: Look) => look.lines[name] && (look.fill !== undefined || look.isPatterned)
  let [last, from, long] = [first, 0, 0]
  const rule = (colored: Look, { size, shift }: Look, more = 0) => {
    const paint = brush(colored)
    const [x, y] = [leftOf(line, element, width, from, long), baseline + offsets[name] * size + shift]
    if (paint && has(colored) && long + more !== 0)
      marks.push({ ...bar(x, y, long + more, thick, paint), isLettering: true })
  }
  for (const { look, box, left, spot } of charactersOf(line)) {
    if (spot && has(look)) {
      const paint = brush(last)
      const y = offsets[name] * look.size + look.shift
      if (paint)
        marks.push(onSpot(spot, { ...bar(-box.kerned / 2, y, box.kerned, thick, paint), isLettering: true }))
    } else if (!isAlike(look, last, name) && long > 0) {
      rule(last, last)
      ;[last, from, long] = [look, left, box.width]
    } else long += box.kerned
  }
  // With spacing, fabric also draws a line of one space where curved text would begin if it were straight.
  rule(line.looks.at(-1) ?? first, last, -spacing)
  return marks
}

const isAlike = (a: Look, b: Look, name: RuleName) =>
  a === b ||
  (a.lines[name] === b.lines[name] &&
    a.size === b.size &&
    a.shift === b.shift &&
    a.isPatterned === b.isPatterned &&
    isDeepStrictEqual(a.fill, b.fill))

export function backgroundsOf(line: PlacedLine, element: TextElement, width: number): Mark[] {
  const marks: Mark[] = []
  let [last, from, long] = [line.looks[0]?.lineBackground, 0, 0]
  const back = () => {
    if (last) marks.push(bar(leftOf(line, element, width, from, long), line.top, long, line.full, last))
  }
  for (const { look, box, left, spot } of charactersOf(line)) {
    const color = look.lineBackground
    if (spot) {
      const y = -line.full * (1 - belowBaseline)
      if (color) marks.push(onSpot(spot, bar(-box.width / 2, y, box.width, line.full, color)))
    } else if (!isDeepStrictEqual(color, last)) {
      back()
      ;[last, from, long] = [color, left, box.width]
    } else long += box.kerned
  }
  if (!line.spots) back()
  return marks
}

/** Each with its distance from the beginning of the line. */
function* charactersOf({ looks, boxes, spots }: PlacedLine) {
  let end = 0
  for (const [index, look] of looks.entries()) {
    const box = boxes[index] ?? { width: 0, kerned: 0 }
    const left = index === 0 ? 0 : end + box.kerned - box.width
    end = left + box.width
    yield { look, box, left, spot: spots?.[index] }
  }
}

const leftOf = (
  { start }: PlacedLine,
  { isBackward }: TextElement,
  width: number,
  from: number,
  long: number,
) => (isBackward ? width / 2 - start - from - long : start + from - width / 2)

const bar = (x: number, y: number, width: number, height: number, fill: Color): ShapeMark => ({
  kind: 'shape',
  outline: rectangle({ x: Math.min(x, x + width), y, width: Math.abs(width), height }),
  rule: 'nonzero',
  fill,
})

const onSpot = ({ x, y, angle }: { x: number; y: number; angle: number }, mark: Mark): Mark => {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  return { kind: 'group', matrix: [cos, sin, -sin, cos, x, y], marks: [mark] }
}
