// Lays a text element out: every stroke of paint in the order in which fabric.js 5 applies it, around the element's center.
import { isDeepStrictEqual } from 'node:util'
import type { Outlined } from './element-common.ts'
import { wordOutlines } from './emit-svg.ts'
import type { Face } from './face.ts'
import { type Ink, paintWith } from './ink.ts'
import { isGradient, type Mark, type Paint, type PlacedWord, type Stroke, type TextMark } from './marks.ts'
import type { Matrix } from './matrix.ts'
import { rectangle } from './outline.ts'
import { Undrawable } from './refusal.ts'
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

/** A line is so much higher than its font size, and the baseline so much of it above its bottom. */
const lineFactor = 1.13
const belowBaseline = 0.222
const decorations = { underline: 0.1, linethrough: -0.315, overline: -0.88 } as const

/** @throws Undrawable */
export function layText(element: TextElement, face: Face): LaidOut {
  const { size, lineHeight, align, curve } = element
  const lines = linesOf(element, face)
  if (curve && element.letterSpacing !== 0 && Object.values(element.lines).includes(true))
    throw new Undrawable('feature', 'Curved text with letter spacing cannot be underlined or struck through.')
  const isPlain = element.pattern === undefined && (!element.fill || !('kind' in element.fill))
  if (!isPlain && Object.values(element.lines).includes(true))
    throw new Undrawable('feature', 'Text with a gradient or pattern cannot be underlined or struck through.')
  if (element.characterFills && (!isPlain || Object.values(element.lines).includes(true)))
    throw new Undrawable('feature', 'The property styles cannot be drawn on patterns and on text with lines.')
  const isJustified = align.startsWith('justify')
  if (curve && isJustified) throw new Undrawable('feature', 'Curved text cannot be justified.')
  const full = size * lineFactor
  const height = curve ? 2 * curve.radius : full * (lineHeight * (lines.lines.length - 1) + 1)
  const width = curve ? 2 * curve.radius : lines.width
  if (isJustified) justify(lines, align === 'justify')
  const drawings = curve
    ? lines.lines.map((line, index) =>
        curvedLine(element, face, { ...line, fills: element.characterFills?.get(index) }),
      )
    : straightLines(element, face, lines, height)
  const inks = inksOf(element, width, height)
  return { width, height, paint: painted(element, drawings, inks) }
}

/** Words that are drawn at once, in one face. */
interface Drawn {
  face: Face
  words: PlacedWord[]
  /** Instead of that of the text; undefined values paint nothing. */
  own?: { fill: Ink | undefined }
}

/** The positions of the parts of one line. */
interface LineDrawing {
  /** Each array is drawn at once, and casts its shadow at once. */
  strokes: Drawn[]
  /** Rectangles of a decoration whose upper edge is so far below the baseline, in em. */
  rule(offset: number): Mark[]
  background(): Mark[]
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
  const { lineBackground, size, lines, paintFirst } = element
  const paint: Painted[] = []
  // The first decoration takes the shadow away from what follows.
  let casts = true
  const add = (marks: Mark[]) => {
    paint.push(...marks.map((mark) => ({ mark, casts })))
  }
  const decorate = (name: keyof typeof decorations) => {
    if (!lines[name]) return
    if (fill)
      add(drawings.flatMap((drawing) => drawing.rule(decorations[name])).map((mark) => filled(mark, fill)))
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

const bar = (x: number, y: number, width: number, height: number): Mark => ({
  kind: 'shape',
  outline: rectangle({ x, y, width, height }),
  rule: 'nonzero',
})

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
    const left = -width / 2 + slack * (isFull(align, line) ? 0 : shareBefore(align))
    const inked = line.boxes.reduce((sum, { kerned }) => sum + kerned, 0)
    return {
      strokes: strokesOf(
        element,
        face,
        { ...line, fills: element.characterFills?.get(index) },
        left,
        baseline,
      ),
      rule: (offset) =>
        line.characters.length === 0
          ? []
          : [bar(left, baseline + offset * size, inked - letterSpacing * size, size / 15)],
      background: () => (line.characters.length === 0 ? [] : [bar(left, top, inked, full)]),
    }
  })
}

/** Whether the line is meant to have the full width, even if no space in it could be widened. */
const isFull = (align: TextElement['align'], line: Line) =>
  align === 'justify' || (align.startsWith('justify') && line.isWrapped)

/** How much of the slack of a line is before it. */
function shareBefore(align: TextElement['align']): number {
  if (align.endsWith('center')) return 0.5
  return align.endsWith('right') ? 1 : 0
}

/** Characters around what is read from right to left. */
const [embedding, embeddingEnd] = ['\u202b', '\u202c']

/** Without spacing a line is drawn at once; justified word by word; with spacing character by character. */
type FilledLine = Line & { fills: ReadonlyMap<number, Ink | undefined> | undefined }

const ownOf = (own: Drawn['own']) => (own ? { own } : {})

/** The fill of a character, if it has one of its own. */
const ownFill = (fills: FilledLine['fills'], index: number): Drawn['own'] =>
  fills?.has(index) ? { fill: fills.get(index) } : undefined

function strokesOf(element: TextElement, face: Face, line: FilledLine, left: number, y: number): Drawn[] {
  const { size, align, letterSpacing } = element
  const text = line.characters.join('')
  const isWhole = letterSpacing === 0 && !align.startsWith('justify')
  if (isWhole && !line.fills)
    return placed(face, element.isBackward ? `${embedding}${text}${embeddingEnd}` : text, left, y, size)
  const strokes: Drawn[] = []
  let [x, chunk, chunkWidth] = [left, '', 0]
  for (const [index, character] of line.characters.entries()) {
    const { width, kerned } = line.boxes[index] ?? { width: 0, kerned: 0 }
    if (chunkWidth === 0) {
      x += kerned - width
      chunkWidth += width
    } else {
      chunkWidth += kerned
    }
    chunk += character
    const isLast = index === line.characters.length - 1
    const own = ownFill(line.fills, index)
    const isAlike = isDeepStrictEqual(own, ownFill(line.fills, index + 1))
    if (!isLast && letterSpacing === 0 && isAlike && (isWhole || character !== ' ')) continue
    strokes.push(...placed(face, chunk, x, y, size).map((drawn) => ({ ...drawn, ...ownOf(own) })))
    x += chunkWidth
    ;[chunk, chunkWidth] = ['', 0]
  }
  return strokes
}

/** The words of a text that is drawn at once, next to each other. */
function placed(own: Face, text: string, left: number, y: number, size: number, angle = 0): Drawn[] {
  const drawn: Drawn[] = []
  let along = 0
  for (const { face, ...piece } of own.pieces(text)) {
    const { glyphs, width } = face.shape(piece)
    if (piece.text !== ' ' && glyphs.length > 0) {
      const word = {
        x: left + along * size * Math.cos(angle),
        y: y + along * size * Math.sin(angle),
        angle,
        glyphs: glyphs.map(({ x: gx, y: gy, ...glyph }) => ({ ...glyph, x: gx * size, y: gy * size })),
      }
      const last = drawn.at(-1)
      if (last?.face === face) last.words.push(word)
      else drawn.push({ face, words: [word] })
    }
    along += width
  }
  return drawn
}

/**
 * On a circle around the center: from its lowest point clockwise with the feet inwards; reversed, from its highest point
 * along the inner side. Centered text is therefore at the top, and reversed at the bottom. Each line runs on the same circle.
 */
function curvedLine(element: TextElement, face: Face, line: FilledLine): LineDrawing {
  const { curve, size, align } = element
  if (!curve) return { strokes: [], rule: () => [], background: () => [] }
  const { radius, reverse } = curve
  const length = 2 * Math.PI * radius
  const whole = line.boxes.reduce((sum, { kerned }) => sum + kerned, 0)
  const atStart = align === 'left' ? !reverse : reverse
  let at = align === 'center' ? (length - whole) / 2 : atStart ? 0 : length - whole
  const spots = new Array<{ x: number; y: number; angle: number }>(line.boxes.length)
  const order = [...line.boxes.keys()]
  for (const index of reverse ? order.reverse() : order) {
    const kerned = line.boxes[index]?.kerned ?? 0
    if (at > length) at %= length
    else if (at < 0) at += length
    const turn = ((at + kerned / 2) / length) * 2 * Math.PI
    // Both begin at a pole and go clockwise.
    const pole = reverse ? -Math.PI / 2 : Math.PI / 2
    const [x, y] = [radius * Math.cos(pole + turn), radius * Math.sin(pole + turn)]
    spots[index] = { x, y, angle: turn - Math.PI }
    at += kerned
  }
  const middle = face.middle * size
  const onSpot = (index: number, draw: (width: number, kerned: number) => Mark): Mark[] => {
    const [spot, box] = [spots[index], line.boxes[index]]
    if (!spot || !box) return []
    const [sin, cos] = [Math.sin(spot.angle), Math.cos(spot.angle)]
    return [
      { kind: 'group', matrix: [cos, sin, -sin, cos, spot.x, spot.y], marks: [draw(box.width, box.kerned)] },
    ]
  }
  const full = size * lineFactor
  return {
    strokes: line.characters.flatMap((character, index) => {
      const [spot, box] = [spots[index], line.boxes[index]]
      if (!spot || !box || character === ' ') return []
      const [sin, cos] = [Math.sin(spot.angle), Math.cos(spot.angle)]
      const [dx, dy] = [-box.width / 2, middle]
      return placed(
        face,
        character,
        spot.x + cos * dx - sin * dy,
        spot.y + sin * dx + cos * dy,
        size,
        spot.angle,
      ).map((drawn) => ({ ...drawn, ...ownOf(ownFill(line.fills, index)) }))
    }),
    rule: (offset) =>
      line.characters.flatMap((_, index) =>
        onSpot(index, (_width, kerned) => bar(-kerned / 2, offset * size, kerned, size / 15)),
      ),
    background: () =>
      line.characters.flatMap((_, index) =>
        onSpot(index, (width) => bar(-width / 2, -full * (1 - belowBaseline), width, full)),
      ),
  }
}
