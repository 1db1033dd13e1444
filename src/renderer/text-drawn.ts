// Places the words of a text along a straight line; text-on-circle.ts places those of curved text. For text.ts and text-rules.ts.
import type { Face } from './face.ts'
import type { PlacedWord } from './marks.ts'
import type { Line } from './text-lines.ts'
import type { Look } from './text-looks.ts'

/** The height of a line for each pixel of its font size (fabric 5.3 `_fontSizeMult`). */
export const lineFactor = 1.13
/** The share of a line's height that is below its baseline (fabric 5.3 `_fontSizeFraction`). */
export const belowBaseline = 0.222

/** Words that are drawn at once, in one face: that of the look, or another for characters that it lacks. */
export interface DrawnWords {
  face: Face
  words: PlacedWord[]
  look: Look
}

/** The middle of a character on its circle. */
export interface Spot {
  x: number
  y: number
  /** Radians, clockwise. */
  angle: number
}

/** A line at its place; lengths are pixels around the center of the element. */
export interface PlacedLine extends Line {
  top: number
  /** The height of the line without the space to the next one. */
  height: number
  /** How far its beginning is to the right of that of the text. */
  start: number
  /** The places of the characters of curved text. */
  spots?: readonly Spot[]
}

/**
 * Control characters around text whose direction is from right to left (UAX #9: RLE and PDF). `Face.pieces` orders the words by them, also
 * digits, Latin words and spaces between them. Each one is a piece too, for which most fonts have no glyph; then nothing is drawn.
 */
const [embedding, embeddingEnd] = ['\u202b', '\u202c']

/** The words of text from right to left, whose right edge is at `right`. Spaces at its end are left out: they would be on the left. */
export function wordsEndingAt(look: Look, text: string, right: number, y: number): DrawnWords[] {
  let end = text.length
  while (text[end - 1] === ' ') end--
  const embedded = `${embedding}${text.slice(0, end)}${embeddingEnd}`
  const width = look.face.pieces(embedded).reduce((sum, piece) => sum + piece.face.shape(piece).width, 0)
  return placedWords(look, embedded, right - width * look.size, y)
}

/** The words of a text next to each other. @param left where the first begins, on the baseline at `y` @param angle of the baseline, in radians */
export function placedWords(look: Look, text: string, left: number, y: number, angle = 0): DrawnWords[] {
  const { size } = look
  const drawn: DrawnWords[] = []
  /** Em from the beginning of the text. */
  let along = 0
  for (const { face, ...piece } of look.face.pieces(text)) {
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
      else drawn.push({ face, words: [word], look })
    }
    along += width
  }
  return drawn
}
