// Reads the size of a drawing and how its content fits into it, from the outermost svg element.
import { lengthOf, numbersIn } from './drawing-style.ts'
import { type Node, NotVectors } from './drawing-tree.ts'
import { identity, type Matrix } from './matrix.ts'

/**
 * The size of the outermost svg element in pixels (0 if unknown), and the matrix from its content to the size (SVG 2 §8.2).
 * @throws NotVectors for values that are not understood
 */
export function viewportOf({ attributes }: Node): { width: number; height: number; matrix: Matrix } {
  const box = numbersIn(attributes.get('viewBox') ?? '')
  const size = (name: string) => {
    const text = attributes.get(name)
    return text === undefined || text.trim() === '100%' ? undefined : lengthOf(text)
  }
  const [statedWidth, statedHeight] = [size('width'), size('height')]
  if (box.length !== 4) return { width: statedWidth ?? 0, height: statedHeight ?? 0, matrix: identity }
  const [x = 0, y = 0, boxWidth = 0, boxHeight = 0] = box
  if (!(boxWidth > 0 && boxHeight > 0)) throw new NotVectors('viewBox')
  const [width, height] =
    statedWidth === undefined || statedHeight === undefined
      ? [boxWidth, boxHeight]
      : [statedWidth, statedHeight]
  const fit = fitOf(attributes.get('preserveAspectRatio')?.trim() ?? '')
  const [scaleX, scaleY] = [width / boxWidth, height / boxHeight]
  const uniform = fit.isCut ? Math.max(scaleX, scaleY) : Math.min(scaleX, scaleY)
  const [ax, ay] = fit.isStretched ? [scaleX, scaleY] : [uniform, uniform]
  const dx = (width - boxWidth * ax) * fit.x - x * ax
  const dy = (height - boxHeight * ay) * fit.y - y * ay
  return { width, height, matrix: [ax, 0, 0, ay, dx, dy] }
}

/** Shares of the free space before the drawing. */
const shares: Record<string, number> = { Min: 0, Mid: 0.5, Max: 1 }

/** How a drawing fits into its size: `isCut` is slice, `x` and `y` are shares of the free space before it. */
interface Fit {
  isStretched: boolean
  isCut: boolean
  x: number
  y: number
}

/** The fit of preserveAspectRatio. Without it fabric.js moves the drawing to the far end, not to the middle as browsers do. */
function fitOf(text: string): Fit {
  if (/^none(\s|$)/.test(text)) return { isStretched: true, isCut: false, x: 0, y: 0 }
  const match = /^x(Min|Mid|Max)Y(Min|Mid|Max)(?: (meet|slice))?$/.exec(text)
  if (!match && text !== '') throw new NotVectors('preserveAspectRatio')
  const [, x = 'Max', y = 'Max', meetOrSlice] = match ?? []
  return { isStretched: false, isCut: meetOrSlice === 'slice', x: shares[x] ?? 1, y: shares[y] ?? 1 }
}
