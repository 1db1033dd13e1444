// Places the words of a text along straight lines, and the characters of curved text on a circle; for text.ts and text-rules.ts.
import type { Face } from './face.ts'
import type { PlacedWord } from './marks.ts'
import type { TextElement } from './text-element.ts'
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

/** Control characters around text that runs from right to left. */
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

/**
 * The places of the characters of a line on a circle around the center; undefined for straight text. Text runs clockwise from the
 * lowest point with the feet inwards; reversed text runs from the highest point along the inner side. So centered text is at the
 * top, and reversed at the bottom. All lines run on the same circle.
 */
export function spotsOf({ curve, align }: TextElement, line: Line): Spot[] | undefined {
  if (!curve) return undefined
  const { radius, reverse } = curve
  const length = 2 * Math.PI * radius
  const textLength = line.boxes.reduce((sum, { kerned }) => sum + kerned, 0)
  const beginsAtPole = align === 'left' ? !reverse : reverse
  /** The distance from the pole along the circle. */
  let distance = align === 'center' ? (length - textLength) / 2 : beginsAtPole ? 0 : length - textLength
  if (align.startsWith('justify')) distance = 0
  const spots = new Array<Spot>(line.boxes.length)
  const order = [...line.boxes.keys()]
  for (const index of reverse ? order.reverse() : order) {
    const kerned = line.boxes[index]?.kerned ?? 0
    const turn = ((distance + kerned / 2) / length) * 2 * Math.PI
    const pole = reverse ? -Math.PI / 2 : Math.PI / 2
    const [x, y] = [radius * Math.cos(pole + turn), radius * Math.sin(pole + turn)]
    spots[index] = { x, y, angle: turn - Math.PI }
    distance += kerned
  }
  return spots
}

/** The characters of a curved line, each with its middle on its spot; spaces are left out. */
export function wordsOnCircle({ isBackward }: TextElement, line: PlacedLine): DrawnWords[] {
  return line.characters.flatMap((character, index) => {
    const [spot, box, look] = [line.spots?.[index], line.boxes[index], line.looks[index]]
    if (!spot || !box || !look || character === ' ') return []
    const [sin, cos] = [Math.sin(spot.angle), Math.cos(spot.angle)]
    // A canvas that writes from right to left paints the character to the left of its place.
    const offset = isBackward ? look.face.width(character) * look.size : 0
    const [dx, dy] = [-box.width / 2 - offset, look.face.middle * look.size + look.shift]
    const [x, y] = [spot.x + cos * dx - sin * dy, spot.y + sin * dx + cos * dy]
    return placedWords(look, character, x, y, spot.angle)
  })
}
