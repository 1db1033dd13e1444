// Computes the rectangle that marks may cover: an upper bound, for code that limits its work to it.
import type { Face } from './face.ts'
import { glyphMatrix, type Mark, type Stroke, type TextMark } from './marks.ts'
import {
  boundsOf,
  grown,
  identity,
  intersection,
  type Matrix,
  multiply,
  type Rectangle,
  united,
} from './matrix.ts'
import { extentOf, transformed } from './outline.ts'

/** The face of a text by its key. */
type FaceOf = (key: string) => Face | undefined

/**
 * The upright rectangle around all marks, transparent ones included; undefined if there are none within their clips.
 * @param matrix from the marks to the space of the rectangle, which must be the stage if there are shadows: their offset is in its pixels
 * @param face finds the faces of texts; a text without a face has no bounds
 */
export function boundsOfMarks(
  marks: readonly Mark[],
  matrix: Matrix = identity,
  face: FaceOf = () => undefined,
): Rectangle | undefined {
  return united(marks.map((mark) => boundsOfMark(mark, matrix, face)))
}

function boundsOfMark(mark: Mark, matrix: Matrix, face: FaceOf): Rectangle | undefined {
  if (mark.kind === 'picture') return boundsOf(matrix, mark)
  if (mark.kind === 'shape')
    return grown(extentOf(transformed(mark.outline, matrix)), reachOf(mark.stroke) * stretch(matrix))
  if (mark.kind === 'text') return boundsOfText(mark, matrix, face(mark.font))
  if (mark.kind === 'shadow') {
    const caster = boundsOfMarks(mark.marks, matrix, face)
    // A Gaussian blur is invisible beyond three standard deviations.
    return caster && grown({ ...caster, x: caster.x + mark.dx, y: caster.y + mark.dy }, 3 * mark.sigma)
  }
  const inner = boundsOfMarks(mark.marks, mark.matrix ? multiply(matrix, mark.matrix) : matrix, face)
  return (mark.clips ?? []).reduce<Rectangle | undefined>(
    (area, clip) => area && intersection(area, extentOf(transformed(clip.outline, matrix))),
    inner,
  )
}

function boundsOfText(mark: TextMark, matrix: Matrix, face: Face | undefined): Rectangle | undefined {
  const glyphs = mark.words.flatMap((word) =>
    word.glyphs.flatMap((glyph) => {
      const extent = face?.extent(glyph.id)
      return extent ? [boundsOf(multiply(matrix, glyphMatrix(word, glyph, mark.size)), extent)] : []
    }),
  )
  const bounds = united(glyphs)
  return bounds && grown(bounds, (reachOf(mark.stroke) + mark.bolder) * stretch(matrix))
}

/** How far a line reaches beyond an outline at most, at its sharpest corner. */
const reachOf = (stroke: Stroke | undefined) => (stroke ? stroke.width * Math.max(1, stroke.miter) : 0)

/** How much the matrix lengthens a line along one of the axes at most. */
const stretch = ([a, b, c, d]: Matrix) => Math.max(Math.hypot(a, b), Math.hypot(c, d))
