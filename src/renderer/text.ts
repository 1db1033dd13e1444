// Lays a text element out: every stroke of paint in the order in which fabric.js 5 applies it, around the element's center.
import { isDeepStrictEqual } from 'node:util'
import { black } from './color.ts'
import type { Outlined } from './element-common.ts'
import { wordOutlines } from './emit-svg.ts'
import type { Face } from './face.ts'
import { type Ink, paintWith } from './ink.ts'
import { isGradient, type Mark, type Paint, type Stroke, type TextMark } from './marks.ts'
import type { Matrix } from './matrix.ts'
import { Undrawable } from './refusal.ts'
import { curvedLine } from './text-curve.ts'
import {
  bar,
  belowBaseline,
  type Drawn,
  endingAt,
  type FilledLine,
  type LineDrawing,
  lineFactor,
  ownFill,
  ownOf,
  placed,
  shareBefore,
  withFills,
} from './text-drawn.ts'
import type { TextElement } from './text-element.ts'
import { justify, type Line, type Lines, linesOf } from './text-lines.ts'

/** One stroke of paint, and whether it casts the element's shadow. */
export interface Painted {
  mark: Mark
  casts: boolean
}

export interface LaidOut {
  width: number
  height: number
  /** Around the center of the element, before it is scaled and turned. */
  paint: Painted[]
}

const decorations = { underline: 0.1, linethrough: -0.315, overline: -0.88 } as const

/** @throws Undrawable */
export function layText(element: TextElement, face: Face): LaidOut {
  const { size, lineHeight, align, curve } = element
  const lines = linesOf(element, face)
  const isPlain = element.pattern === undefined && (!element.fill || !('kind' in element.fill))
  if (element.characterFills && (!isPlain || Object.values(element.lines).includes(true)))
    throw new Undrawable('feature', 'The property styles cannot be drawn on patterns and on text with lines.')
  const isJustified = align.startsWith('justify')
  const full = size * lineFactor
  const height = curve ? 2 * curve.radius : full * (lineHeight * (lines.lines.length - 1) + 1)
  const width = curve ? 2 * curve.radius : lines.width
  if (isJustified) justify(lines, align === 'justify')
  const drawings = curve
    ? lines.lines.map((line) => curvedLine(element, face, withFills(line, element)))
    : straightLines(element, face, lines, height)
  const inks = inksOf(element, width, height)
  return { width, height, paint: painted(element, drawings, inks) }
}

interface Inks {
  paintOf: (ink: Ink) => Paint
  fill: Paint | undefined
  stroke: Stroke | undefined
}

function inksOf({ fill, stroke, strokeWidth }: TextElement, width: number, height: number): Inks {
  const paint = (ink: Outlined['ink']) => paintWith(ink, width, height, strokeWidth)
  return {
    paintOf: paint,
    fill: fill && paint(fill),
    stroke: stroke && { ...stroke, paint: paint(stroke.ink) },
  }
}

function painted(element: TextElement, drawings: LineDrawing[], { paintOf, fill, stroke }: Inks): Painted[] {
  const { lineBackground, size, lines, paintFirst, pattern, background } = element
  const paint: Painted[] = []
  // The first decoration takes the shadow away from what follows.
  let casts = true
  const add = (marks: Mark[]) => {
    paint.push(...marks.map((mark) => ({ mark, casts })))
  }
  // Where the fill is no color, the last one remains: black, or that of what is behind the element.
  const isPlain = pattern === undefined && (!fill || !isGradient(fill))
  const ruled = isPlain ? fill : (background ?? black)
  const decorate = (name: keyof typeof decorations) => {
    if (!lines[name]) return
    if (ruled)
      add(drawings.flatMap((drawing) => drawing.rule(decorations[name])).map((mark) => filled(mark, ruled)))
    casts = false
  }
  if (lineBackground) {
    add(drawings.flatMap((drawing) => drawing.background()).map((mark) => filled(mark, lineBackground)))
    casts = false
  }
  decorate('underline')
  const texts = drawings.flatMap((drawing) => drawing.strokes).filter(({ words }) => words.length > 0)
  const addFill = () => {
    add(
      texts.flatMap((drawn): Mark[] => {
        if (drawn.face.picture) return pictured(drawn, size)
        const paint = drawn.own ? drawn.own.fill && paintOf(drawn.own.fill) : fill
        return paint ? [{ ...textMark(drawn, size), fill: paint }] : []
      }),
    )
  }
  const addStroke = () => {
    if (!stroke) return
    casts = false
    add(texts.filter(({ face }) => !face.picture).map((drawn) => lined(drawn, size, stroke)))
  }
  for (const step of paintFirst === 'stroke' ? [addStroke, addFill] : [addFill, addStroke]) step()
  decorate('overline')
  decorate('linethrough')
  return paint
}

const textMark = ({ face, words }: Drawn, size: number): TextMark => ({
  kind: 'text',
  font: face.key,
  size,
  words,
  slant: face.slant,
  bolder: face.bolder(size),
})

/** Glyphs in colors of their own. */
const pictured = ({ face, words }: Drawn, size: number): Mark[] =>
  words.flatMap(({ x, y, angle, glyphs }) =>
    glyphs.flatMap(({ id, x: along }): Mark[] => {
      const mark = face.picture?.(id)
      const [sin, cos] = [size * Math.sin(angle), size * Math.cos(angle)]
      const place: Matrix = [cos, sin, -sin, cos, x + (along * cos) / size, y + (along * sin) / size]
      return mark ? [{ kind: 'group', matrix: place, isWhole: true, marks: [mark] }] : []
    }),
  )

/** Some readers of PDF paint gradients along paths, but not along text. */
function lined({ face, words }: Drawn, size: number, stroke: Stroke): Mark {
  const wider = { ...stroke, width: stroke.width + face.bolder(size) }
  if (!isGradient(stroke.paint)) return { ...textMark({ face, words }, size), bolder: 0, stroke: wider }
  const outline = words.flatMap((word) => wordOutlines(word, face, size)).flat()
  return { kind: 'shape', outline, rule: 'nonzero', stroke: wider }
}

function filled(mark: Mark, fill: Paint): Mark {
  if (mark.kind === 'shape') return { ...mark, fill }
  return mark.kind === 'group' ? { ...mark, marks: mark.marks.map((each) => filled(each, fill)) } : mark
}

function straightLines(
  element: TextElement,
  face: Face,
  { lines, width }: Lines,
  height: number,
): LineDrawing[] {
  const { size, lineHeight, align, letterSpacing } = element
  const full = size * lineFactor
  return lines.map((line, index): LineDrawing => {
    const top = -height / 2 + index * full * lineHeight
    const baseline = top + full * (1 - belowBaseline)
    const slack = width - line.width
    const isWide = isFull(align, line)
    const before = slack * (isWide ? 0 : shareBefore(align))
    const left = -width / 2 + before
    const right = isWide ? width / 2 : left + line.width
    const inked = line.boxes.reduce((sum, { kerned }) => sum + kerned, 0)
    const ruled = element.isBackward ? right - inked + 2 * (slack * (isWide ? 0 : 1) - before) : left
    return {
      strokes: strokesOf(element, face, withFills(line, element), { left, right, y: baseline }),
      rule: (offset) =>
        line.characters.length === 0
          ? []
          : [bar(ruled, baseline + offset * size, inked - letterSpacing * size, size / 15)],
      background: () => (line.characters.length === 0 ? [] : [bar(ruled, top, inked, full)]),
    }
  })
}

/** Whether the line is meant to have the full width, even if no space in it could be widened. */
const isFull = (align: TextElement['align'], line: Line) =>
  align === 'justify' || (align.startsWith('justify') && line.isWrapped)

function strokesOf(
  element: TextElement,
  face: Face,
  line: FilledLine,
  { left, right, y }: { left: number; right: number; y: number },
): Drawn[] {
  const { size, align, letterSpacing, isBackward } = element
  const isWhole = letterSpacing === 0 && !align.startsWith('justify')
  if (isWhole && !line.fills) {
    const text = line.characters.join('')
    return isBackward ? endingAt(face, text, right, y, size) : placed(face, text, left, y, size)
  }
  const strokes: Drawn[] = []
  const sign = isBackward ? -1 : 1
  let [x, chunk, chunkWidth] = [isBackward ? right : left, '', 0]
  for (const [index, character] of line.characters.entries()) {
    const { width, kerned } = line.boxes[index] ?? { width: 0, kerned: 0 }
    if (chunkWidth === 0) {
      x += sign * (kerned - width)
      chunkWidth += width
    } else {
      chunkWidth += kerned
    }
    chunk += character
    const isLast = index === line.characters.length - 1
    const own = ownFill(line.fills, index)
    const isAlike = isDeepStrictEqual(own, ownFill(line.fills, index + 1))
    if (!isLast && letterSpacing === 0 && isAlike && (isWhole || character !== ' ')) continue
    const drawn = isBackward ? endingAt(face, chunk, x, y, size) : placed(face, chunk, x, y, size)
    strokes.push(...drawn.map((each) => ({ ...each, ...ownOf(own) })))
    x += sign * chunkWidth
    ;[chunk, chunkWidth] = ['', 0]
  }
  return strokes
}
