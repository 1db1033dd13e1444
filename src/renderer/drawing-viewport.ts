// Where the outermost svg element puts its view box, as fabric.js 5 reads it.
import { lengthOf, numbersIn } from './drawing-style.ts'
import { type Node, NotVectors } from './drawing-tree.ts'
import { identity, type Matrix } from './matrix.ts'

/** Size and transform of the outermost svg element. */
export function viewportOf({ attributes }: Node): { width: number; height: number; matrix: Matrix } {
  const box = numbersIn(attributes.get('viewBox') ?? '')
  const size = (name: string) => {
    const text = attributes.get(name)
    return text === undefined || text.trim() === '100%' ? undefined : lengthOf(text)
  }
  const [givenWidth, givenHeight] = [size('width'), size('height')]
  if (box.length !== 4) return { width: givenWidth ?? 0, height: givenHeight ?? 0, matrix: identity }
  const [x = 0, y = 0, w = 0, h = 0] = box
  if (!(w > 0 && h > 0)) throw new NotVectors('viewBox')
  const [width, height] =
    givenWidth === undefined || givenHeight === undefined ? [w, h] : [givenWidth, givenHeight]
  const fit = fitOf(attributes.get('preserveAspectRatio')?.trim() ?? '')
  const [sx, sy] = [width / w, height / h]
  const s = fit.covers ? Math.max(sx, sy) : Math.min(sx, sy)
  const [ax, ay] = fit.isStretched ? [sx, sy] : [s, s]
  const [dx, dy] = [(width - w * ax) * fit.x - x * ax, (height - h * ay) * fit.y - y * ay]
  return { width, height, matrix: [ax, 0, 0, ay, dx, dy] }
}

const shares: Record<string, number> = { Min: 0, Mid: 0.5, Max: 1 }

/** Without the attribute fabric.js moves the drawing to the far end and not to the middle. */
function fitOf(text: string): { isStretched: boolean; covers: boolean; x: number; y: number } {
  if (/^none(\s|$)/.test(text)) return { isStretched: true, covers: false, x: 0, y: 0 }
  const [, x = 'Max', y = 'Max', how] = /^x(Min|Mid|Max)Y(Min|Mid|Max)(?: (meet|slice))?$/.exec(text) ?? []
  if (how === undefined && text !== '' && !/^x(?:Min|Mid|Max)Y(?:Min|Mid|Max)$/.test(text))
    throw new NotVectors('preserveAspectRatio')
  return { isStretched: false, covers: how === 'slice', x: shares[x] ?? 1, y: shares[y] ?? 1 }
}
