// Text on a circle.
import type { Face } from './face.ts'
import type { Mark } from './marks.ts'
import {
  bar,
  belowBaseline,
  type FilledLine,
  type LineDrawing,
  lineFactor,
  ownFill,
  ownOf,
  placed,
  shareBefore,
} from './text-drawn.ts'
import type { TextElement } from './text-element.ts'
import type { Line } from './text-lines.ts'

/**
 * On a circle around the center: from its lowest point clockwise with the feet inwards; reversed, from its highest point
 * along the inner side. Centered text is therefore at the top, and reversed at the bottom. Each line runs on the same circle.
 */
export function curvedLine(element: TextElement, face: Face, line: FilledLine): LineDrawing {
  const { curve, size, align } = element
  if (!curve) return { strokes: [], rule: () => [], background: () => [] }
  const { radius, reverse } = curve
  const length = 2 * Math.PI * radius
  const whole = line.boxes.reduce((sum, { kerned }) => sum + kerned, 0)
  const atStart = align === 'left' ? !reverse : reverse
  let at = align === 'center' ? (length - whole) / 2 : atStart ? 0 : length - whole
  if (align.startsWith('justify')) at = 0
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
      const ahead = element.isBackward ? face.width(character) * size : 0
      const [dx, dy] = [-box.width / 2 - ahead, middle]
      return placed(
        face,
        character,
        spot.x + cos * dx - sin * dy,
        spot.y + sin * dx + cos * dy,
        size,
        spot.angle,
      ).map((drawn) => ({ ...drawn, ...ownOf(ownFill(line.fills, index)) }))
    }),
    rule: (offset) => [
      ...line.characters.flatMap((_, index) =>
        onSpot(index, (_width, kerned) => bar(-kerned / 2, offset * size, kerned, size / 15)),
      ),
      ...strayRule(element, line, offset),
    ],
    background: () =>
      line.characters.flatMap((_, index) =>
        onSpot(index, (width) => bar(-width / 2, -full * (1 - belowBaseline), width, full)),
      ),
  }
}

/** With spacing, fabric also draws a line of one space where the text would begin if it were straight. */
function strayRule(element: TextElement, { width, written }: Line, offset: number): Mark[] {
  const { curve, size, align, letterSpacing, lineHeight } = element
  if (!curve || letterSpacing === 0) return []
  const spacing = letterSpacing * size
  const start = -curve.radius + (2 * curve.radius - width) * shareBefore(align)
  const full = size * lineFactor
  const top = -curve.radius + full * (written.line * lineHeight + 1 - belowBaseline) + offset * size
  return [bar(Math.min(start, start - spacing), top, Math.abs(spacing), size / 15)]
}
