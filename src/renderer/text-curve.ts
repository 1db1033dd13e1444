// Text on a circle.
import { type Drawn, type PlacedLine, placed, type Spot } from './text-drawn.ts'
import type { TextElement } from './text-element.ts'
import type { Line } from './text-lines.ts'

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
    if (at > length) at %= length
    else if (at < 0) at += length
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
