// Places the characters of curved text on a circle; for text.ts.

import { type DrawnWords, type PlacedLine, placedWords, type Spot } from './text-drawn.ts'
import type { TextElement } from './text-element.ts'
import type { Line } from './text-lines.ts'

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
