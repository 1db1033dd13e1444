// The rectangle that marks may cover: an upper bound, for code that limits its work to it.
import type { Face } from './face.ts'
import { glyphMatrix, type Mark, type TextMark } from './marks.ts'
import { around, boundsOf, identity, type Matrix, multiply, type Rectangle } from './matrix.ts'
import { extentOf, transformed } from './outline.ts'

/** Em around the origin of a glyph beyond which hardly any font draws. */
const glyphReach = 2

type FaceOf = (key: string) => Face

/** Undefined if nothing is painted. @param face for closer bounds of text */
export function boundsOfMarks(
  marks: readonly Mark[],
  matrix: Matrix = identity,
  face?: FaceOf,
): Rectangle | undefined {
  return united(marks.map((mark) => boundsOfMark(mark, matrix, face)))
}

function boundsOfMark(mark: Mark, matrix: Matrix, face: FaceOf | undefined): Rectangle | undefined {
  if (mark.kind === 'picture') return boundsOf(matrix, mark)
  if (mark.kind === 'shape') {
    const reach = mark.stroke ? mark.stroke.width * Math.max(1, mark.stroke.miter) : 0
    return grown(extentOf(transformed(mark.outline, matrix)), reach * stretch(matrix))
  }
  if (mark.kind === 'text' && face) return boundsOfText(mark, matrix, face(mark.font))
  if (mark.kind === 'text') {
    const points = mark.words.flatMap(({ x, y, angle, glyphs }) =>
      [glyphs.at(0), glyphs.at(-1)].map((glyph) => ({
        x: x + Math.cos(angle) * (glyph?.x ?? 0),
        y: y + Math.sin(angle) * (glyph?.x ?? 0),
      })),
    )
    return points.length === 0
      ? undefined
      : boundsOf(matrix, grown(around(points), mark.size * glyphReach + (mark.stroke?.width ?? 0) * 4))
  }
  if (mark.kind === 'shadow') {
    const own = boundsOfMarks(mark.marks, matrix, face)
    return own && grown({ ...own, x: own.x + mark.dx, y: own.y + mark.dy }, 3 * mark.sigma)
  }
  const inner = boundsOfMarks(mark.marks, mark.matrix ? multiply(matrix, mark.matrix) : matrix, face)
  return (mark.clips ?? []).reduce<Rectangle | undefined>(
    (area, clip) => area && common(area, extentOf(transformed(clip.outline, matrix))),
    inner,
  )
}

function boundsOfText(mark: TextMark, matrix: Matrix, face: Face): Rectangle | undefined {
  const glyphs = mark.words.flatMap((word) =>
    word.glyphs.flatMap((glyph) => {
      const extent = face.extent(glyph.id)
      return extent ? [boundsOf(multiply(matrix, glyphMatrix(word, glyph, mark.size)), extent)] : []
    }),
  )
  const whole = united(glyphs)
  const line = mark.stroke ? mark.stroke.width * Math.max(1, mark.stroke.miter) : 0
  return whole && grown(whole, (line + mark.bolder) * stretch(matrix))
}

const stretch = ([a, b, c, d]: Matrix) => Math.max(Math.hypot(a, b), Math.hypot(c, d))

export const grown = ({ x, y, width, height }: Rectangle, by: number): Rectangle => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})

export function united(areas: (Rectangle | undefined)[]): Rectangle | undefined {
  const corners = areas.flatMap((area) =>
    area ? [area, { x: area.x + area.width, y: area.y + area.height }] : [],
  )
  return corners.length === 0 ? undefined : around(corners)
}

/** undefined if they do not meet. */
export function common(a: Rectangle, b: Rectangle): Rectangle | undefined {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)]
  const width = Math.min(a.x + a.width, b.x + b.width) - x
  const height = Math.min(a.y + a.height, b.y + b.height) - y
  return width > 0 && height > 0 ? { x, y, width, height } : undefined
}
