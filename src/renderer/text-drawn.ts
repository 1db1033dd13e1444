// What straight and curved lines of text have in common: words at their positions, and the fills of their characters.
import type { Face } from './face.ts'
import type { Ink } from './ink.ts'
import type { Mark, PlacedWord } from './marks.ts'
import { rectangle } from './outline.ts'
import type { TextElement } from './text-element.ts'
import type { Line } from './text-lines.ts'

/** A line is so much higher than its font size, and the baseline so much of it above its bottom. */
export const lineFactor = 1.13
export const belowBaseline = 0.222

/** Words that are drawn at once, in one face. */
export interface Drawn {
  face: Face
  words: PlacedWord[]
  /** Instead of that of the text; undefined values paint nothing. */
  own?: { fill: Ink | undefined }
}

/** The positions of the parts of one line. */
export interface LineDrawing {
  /** Each array is drawn at once, and casts its shadow at once. */
  strokes: Drawn[]
  /** Rectangles of a decoration whose upper edge is so far below the baseline, in em. */
  rule(offset: number): Mark[]
  background(): Mark[]
}

export const bar = (x: number, y: number, width: number, height: number): Mark => ({
  kind: 'shape',
  outline: rectangle({ x, y, width, height }),
  rule: 'nonzero',
})

/** How much of the slack of a line is before it. */
export function shareBefore(align: TextElement['align']): number {
  if (align.endsWith('center')) return 0.5
  return align.endsWith('right') ? 1 : 0
}

/** Characters around what is read from right to left. */
const [embedding, embeddingEnd] = ['\u202b', '\u202c']

/** Without spacing a line is drawn at once; justified word by word; with spacing character by character. */
export type FilledLine = Line & { fills: ReadonlyMap<number, Ink | undefined> | undefined }

/** The fills of its characters, counted from the beginning of what is written. */
export function withFills(line: Line, { characterFills }: TextElement): FilledLine {
  const { line: row, offset } = line.written
  const fills = characterFills?.get(row)
  if (!fills || offset === 0) return { ...line, fills }
  return { ...line, fills: new Map([...fills].map(([index, fill]) => [index - offset, fill])) }
}

export const ownOf = (own: Drawn['own']) => (own ? { own } : {})

/** The fill of a character, if it has one of its own. */
export const ownFill = (fills: FilledLine['fills'], index: number): Drawn['own'] =>
  fills?.has(index) ? { fill: fills.get(index) } : undefined

/** Read from right to left; spaces at its end are at its left. */
export function endingAt(face: Face, text: string, right: number, y: number, size: number): Drawn[] {
  let end = text.length
  while (text[end - 1] === ' ') end--
  const words = text.slice(0, end)
  return placed(face, `${embedding}${words}${embeddingEnd}`, right - face.width(words) * size, y, size)
}

/** The words of a text that is drawn at once, next to each other. */
export function placed(own: Face, text: string, left: number, y: number, size: number, angle = 0): Drawn[] {
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
