// Lays out a text element: all its marks in the order in which fabric.js 5 paints them, around the element's center.
import { black } from './color.ts'
import { wordOutlines } from './emit-svg.ts'
import type { Face } from './face.ts'
import { type Ink, paintWith } from './ink.ts'
import {
  isGradient,
  type Mark,
  type Paint,
  plainStroke,
  type ShapeMark,
  type Stroke,
  type TextMark,
} from './marks.ts'
import type { Matrix } from './matrix.ts'
import {
  belowBaseline,
  type DrawnWords,
  lineFactor,
  type PlacedLine,
  placedWords,
  wordsEndingAt,
} from './text-drawn.ts'
import type { TextElement } from './text-element.ts'
import { justify, type Line, linesOf } from './text-lines.ts'
import { type FaceOf, type Look, looksOf } from './text-looks.ts'
import { spotsOf, wordsOnCircle } from './text-on-circle.ts'
import { backgroundsOf, brushOf, type RuleName, rulesOf } from './text-rules.ts'

/** A mark of an element, and whether it casts the element's shadow. */
export interface Painted {
  mark: Mark
  casts: boolean
}

/** A text that was laid out. */
export interface LaidOut {
  /** Pixels of the text before the element is scaled; of curved text, of its circle. */
  width: number
  height: number
  /** The marks around the center of the element, before it is scaled and turned. */
  paint: Painted[]
}

/** Fills words with a repeated picture (pattern.ts). */
export type Tiled = (mark: TextMark, face: Face) => Mark

/**
 * Lays out a text.
 * @param tiledIn for text with a pattern: returns the function that fills its words, for the size of the element
 * @throws Undrawable if a font cannot be used, or lacks a character
 */
export function layText(
  element: TextElement,
  faceOf: FaceOf,
  tiledIn?: (size: { width: number; height: number }) => Tiled,
): LaidOut {
  const { align, curve } = element
  const lines = linesOf(element, looksOf(element, faceOf))
  const [width, height] = curve
    ? [2 * curve.radius, 2 * curve.radius]
    : [lines.width, heightOf(element, lines.lines)]
  if (align.startsWith('justify')) justify(lines, { isLastToo: align === 'justify' })
  const drawn = painted(element, placedLines(element, lines.lines, width, height), {
    width,
    paintOf: (ink) => paintWith(ink, { width, height }, element.strokeWidth),
    tiled: tiledIn?.({ width, height }),
  })
  return { width, height, paint: drawn }
}

/** The height of all lines; the space between lines does not follow the last one. */
const heightOf = ({ lineHeight }: TextElement, lines: readonly Line[]): number =>
  lines.reduce(
    (sum, { size }, index) => sum + size * lineFactor * (index < lines.length - 1 ? lineHeight : 1),
    0,
  )

/** The lines at their places, from top to bottom. */
function placedLines(
  element: TextElement,
  lines: readonly Line[],
  width: number,
  height: number,
): PlacedLine[] {
  let top = -height / 2
  return lines.map((line) => {
    const lineHeight = line.size * lineFactor
    const spots = spotsOf(element, line)
    const start = startOf(element, line, width)
    const placedLine = { ...line, top, height: lineHeight, start, ...(spots && { spots }) }
    top += lineHeight * element.lineHeight
    return placedLine
  })
}

/** How far the beginning of a line is to the right of that of the text, by its alignment. */
function startOf({ align, isBackward }: TextElement, line: Line, width: number): number {
  // A justified line begins at the edge even if it has no space that could be widened.
  if (align === 'justify' || (align.startsWith('justify') && line.isWrapped)) return 0
  const slack = width - line.width
  const share = align.endsWith('center') ? 0.5 : align.endsWith('right') ? 1 : 0
  return slack * (share - (isBackward ? 1 : 0))
}

interface TextPaint {
  /** Pixels of the text. */
  width: number
  /** The paint of an ink on this element. */
  paintOf: (ink: Ink) => Paint
  /** Fills words with the pattern. */
  tiled: Tiled | undefined
}

/** The marks of the text in the order of fabric 5.3 `Text._render`: backgrounds, underlines, fill and stroke, other lines. */
function painted(element: TextElement, lines: PlacedLine[], { width, paintOf, tiled }: TextPaint): Painted[] {
  const { lineBackground, paintFirst, background, shadow, stroke, styles } = element
  const paint: Painted[] = []
  // fabric removes the shadow after the first decoration, so that later marks cast none.
  let casts = true
  const add = (marks: Mark[]) => {
    paint.push(...marks.map((mark) => ({ mark, casts })))
  }
  // The fill style of the canvas is first that of the background, or black.
  const brush = brushOf(background ?? black)
  const decorate = (name: RuleName) => {
    if (!element.lines[name] && !styles?.names.has(name)) return
    add(lines.flatMap((line) => rulesOf(line, name, element, width, brush)))
    casts = false
  }
  if (lineBackground || styles?.names.has('textBackgroundColor')) {
    add(lines.flatMap((line) => backgroundsOf(line, element, width)))
    casts = false
  }
  decorate('underline')
  const texts = lines
    .flatMap((line) => (line.spots ? wordsOnCircle(element, line) : wordsOnLine(element, line, width)))
    .filter(({ words }) => words.length > 0)
  const addFill = () => {
    add(
      texts.flatMap((drawn): Mark[] => {
        const { face, look } = drawn
        if (face.picture) return pictured(drawn)
        if (!look.fill) return []
        const fill = paintOf(look.fill)
        if (look.isPatterned && tiled) return [tiled({ ...textMark(drawn), fill }, face)]
        const bolder = face.bolder(look.size)
        if (isGradient(fill) && bolder > 0)
          return [{ ...outlined(drawn), fill, stroke: plainStroke(fill, bolder) }]
        return [{ ...textMark(drawn), fill }]
      }),
    )
  }
  const addStroke = () => {
    if (!stroke && !styles) return
    if (!shadow?.isOfStrokes) casts = false
    add(
      texts.flatMap((drawn) => {
        const { stroke: line } = drawn.look
        return line && !drawn.face.picture ? [lined(drawn, { ...line, paint: paintOf(line.ink) })] : []
      }),
    )
  }
  for (const step of paintFirst === 'stroke' ? [addStroke, addFill] : [addFill, addStroke]) step()
  decorate('overline')
  decorate('linethrough')
  return paint
}

/** The words as text, without fill and stroke. */
const textMark = ({ face, words, look: { size } }: DrawnWords): TextMark => ({
  kind: 'text',
  font: face.key,
  size,
  words,
  slant: face.slant,
  bolder: face.bolder(size),
})

/** The marks of colored glyphs. */
const pictured = ({ face, words, look: { size } }: DrawnWords): Mark[] =>
  words.flatMap(({ x, y, angle, glyphs }) =>
    glyphs.flatMap(({ id, x: along }): Mark[] => {
      const mark = face.picture?.(id)
      const [sin, cos] = [size * Math.sin(angle), size * Math.cos(angle)]
      const place: Matrix = [cos, sin, -sin, cos, x + (along * cos) / size, y + (along * sin) / size]
      return mark ? [{ kind: 'group', matrix: place, isWhole: true, marks: [mark] }] : []
    }),
  )

/** The words as a stroke. One with a gradient as shapes: some PDF readers paint gradients along paths, but not along text. */
function lined(drawn: DrawnWords, stroke: Stroke): Mark {
  const wider = { ...stroke, width: stroke.width + drawn.face.bolder(drawn.look.size) }
  if (!isGradient(stroke.paint)) return { ...textMark(drawn), bolder: 0, stroke: wider }
  return { ...outlined(drawn), stroke: wider }
}

/** The words as a shape, without fill and stroke. */
const outlined = ({ face, words, look: { size } }: DrawnWords): ShapeMark => ({
  kind: 'shape',
  outline: words.flatMap((word) => wordOutlines(word, face, size)).flat(),
  rule: 'nonzero',
  isLettering: true,
})

/**
 * The words of a straight line, in the chunks that fabric 5.3 `_renderChars` draws at once: a whole line without spacing; the words
 * of a justified line; single characters with letter spacing; and characters with different looks separately.
 */
function wordsOnLine(
  { align, letterSpacing, isBackward }: TextElement,
  line: PlacedLine,
  width: number,
): DrawnWords[] {
  const { characters, boxes, looks } = line
  const [first] = looks
  if (!first) return []
  const y = line.top + line.height * (1 - belowBaseline)
  const sign = isBackward ? -1 : 1
  /** Where the next chunk begins. */
  let x = (-sign * width) / 2 + line.start
  const draw = (look: Look, text: string): DrawnWords[] =>
    isBackward ? wordsEndingAt(look, text, x, y + look.shift) : placedWords(look, text, x, y + look.shift)
  const isJustified = align.startsWith('justify')
  if (letterSpacing === 0 && !isJustified && looks.every(({ key }) => key === first.key))
    return draw(first, characters.join(''))
  const drawn: DrawnWords[] = []
  let [chunk, chunkWidth] = ['', 0]
  /** The look of the chunk, and of the character after the current one. */
  let [chunkLook, nextLook]: [Look | undefined, Look | undefined] = [undefined, undefined]
  for (const [index, look] of looks.entries()) {
    const { width, kerned } = boxes[index] ?? { width: 0, kerned: 0 }
    if (chunkWidth === 0) {
      x += sign * (kerned - width)
      chunkWidth += width
    } else {
      chunkWidth += kerned
    }
    chunk += characters[index] ?? ''
    let isEnd =
      index === looks.length - 1 || letterSpacing !== 0 || (isJustified && characters[index] === ' ')
    if (!isEnd) {
      chunkLook ??= look
      nextLook = looks[index + 1]
      isEnd = chunkLook.key !== nextLook?.key
    }
    if (!isEnd) continue
    drawn.push(...draw(look, chunk))
    // As in fabric, what follows a space of a justified line is compared with that space.
    chunkLook = nextLook
    x += sign * chunkWidth
    ;[chunk, chunkWidth] = ['', 0]
  }
  return drawn
}
