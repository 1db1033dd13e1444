// Neon text: the designer paints it four times in white, each with a glow around it.
import { black, white } from './color.ts'
import type { TextElement } from './text-element.ts'

/** In pixels of the stage: two in white, and two in the color of the text. */
const blurs = [5, 10, 40, 80]
const whiteOnes = 2

/** The text as it is painted, one upon the other. */
export function neonLayers(element: TextElement): TextElement[] {
  const { fill } = element
  const color = fill && !('kind' in fill) ? fill : black
  return blurs.map((blur, index) => ({
    ...element,
    fill: white,
    shadow: { color: index < whiteOnes ? white : color, blur, dx: 0, dy: 0 },
  }))
}
