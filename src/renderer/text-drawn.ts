// What straight and curved lines of text have in common: words at their positions, and the looks of their characters.

import type { Face } from './face.ts'
import type { PlacedWord } from './marks.ts'
import type { TextElement } from './text-element.ts'
import type { Line } from './text-lines.ts'
import type { Look } from './text-looks.ts'

/** A line is so much higher than its font size, and the baseline so much of it above its bottom. */
export const lineFactor = 1.13
export const belowBaseline = 0.222

/** Words that are drawn at once, in one face: that of the look, or another for what it lacks. */
export interface Drawn {
  face: Face
  words: PlacedWord[]
  look: Look
}

/** The middle of a character on its circle. */
export interface Spot {
  x: number
  y: number
  angle: number
}

export interface PlacedLine extends Line {
  top: number
  /** Its height without what separates lines. */
  full: number
  /** How far its beginning is from that of the text, to the right. */
  start: number
  /** Of curved text. */
  spots?: readonly Spot[]
}

/** Characters around what is read from right to left. */
const [embedding, embeddingEnd] = ['\u202b', '\u202c']

/** Read from right to left; spaces at its end are at its left. */
export function endingAt(look: Look, text: string, right: number, y: number): Drawn[] {
  let end = text.length
  while (text[end - 1] === ' ') end--
  const words = `${embedding}${text.slice(0, end)}${embeddingEnd}`
  const width = look.face.pieces(words).reduce((sum, piece) => sum + piece.face.shape(piece).width, 0)
  return placed(look, words, right - width * look.size, y)
}

/** The words of a text that is drawn at once, next to each other. */
export function placed(look: Look, text: string, left: number, y: number, angle = 0): Drawn[] {
  const { size } = look
  const drawn: Drawn[] = []
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
 * On a circle around the center: from its lowest point clockwise with the feet inwards; reversed, from its highest point
 * along the inner side. Centered text is therefore at the top, and reversed at the bottom. Each line runs on the same circle.
 */
export function spotsOf({ curve, align }: TextElement, line: Line): Spot[] | undefined {
  if (!curve) return undefined
  const { radius, reverse } = curve
  const length = 2 * Math.PI * radius
  const whole = line.boxes.reduce((sum, { kerned }) => sum + kerned, 0)
  const atStart = align === 'left' ? !reverse : reverse
  let at = align === 'center' ? (length - whole) / 2 : atStart ? 0 : length - whole
  if (align.startsWith('justify')) at = 0
  const spots = new Array<Spot>(line.boxes.length)
  const order = [...line.boxes.keys()]
  for (const index of reverse ? order.reverse() : order) {
    const kerned = line.boxes[index]?.kerned ?? 0
    const turn = ((at + kerned / 2) / length) * 2 * Math.PI
    // Both begin at a pole and go clockwise.
    const pole = reverse ? -Math.PI / 2 : Math.PI / 2
    const [x, y] = [radius * Math.cos(pole + turn), radius * Math.sin(pole + turn)]
    spots[index] = { x, y, angle: turn - Math.PI }
    at += kerned
  }
  return spots
}

/** Each character by itself, with its middle on its spot. */
export function strokesOnCircle({ isBackward }: TextElement, line: PlacedLine): Drawn[] {
  return line.characters.flatMap((character, index) => {
    const [spot, box, look] = [line.spots?.[index], line.boxes[index], line.looks[index]]
    if (!spot || !box || !look || character === ' ') return []
    const [sin, cos] = [Math.sin(spot.angle), Math.cos(spot.angle)]
    const ahead = isBackward ? look.face.width(character) * look.size : 0
    const [dx, dy] = [-box.width / 2 - ahead, look.face.middle * look.size + look.shift]
    const [x, y] = [spot.x + cos * dx - sin * dy, spot.y + sin * dx + cos * dy]
    return placed(look, character, x, y, spot.angle)
  })
}
