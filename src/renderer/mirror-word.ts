// Draws the word MIRROR beside a mirrored page, as lines, without a font.
import { type Matrix, multiply, translate } from './matrix.ts'
import { decimal, type Outline, transformed } from './outline.ts'
import { pointsPerMm } from './pdf-finishing.ts'
import { pathText } from './pdf-operators.ts'

/** Lines of the letters on a grid of 4 by 6, y downwards. */
const letters: Record<string, readonly (readonly [number, number])[]> = {
  M: [
    [0, 6],
    [0, 0],
    [2, 3],
    [4, 0],
    [4, 6],
  ],
  I: [
    [2, 0],
    [2, 6],
  ],
  R: [
    [0, 6],
    [0, 0],
    [3, 0],
    [4, 1],
    [4, 2],
    [3, 3],
    [0, 3],
    [1.5, 3],
    [4, 6],
  ],
  O: [
    [1, 0],
    [3, 0],
    [4, 1],
    [4, 5],
    [3, 6],
    [1, 6],
    [0, 5],
    [0, 1],
    [1, 0],
  ],
}

const word = 'MIRROR'
/** Units of the grid from one letter to the next, and of the whole word. */
const [step, length] = [6, 6 * word.length - 2]
/** Millimetres that stay free on both sides of the word, and the least and greatest height of its letters. */
const [clearance, minHeight, maxHeight] = [3, 1.2, 3]

/**
 * The operators that draw the word, in points from the upper left corner of the paper.
 * @param left millimetres from the edge of the paper
 * @param middle of the letters, in millimetres from the upper edge
 * @param width millimetres that the word may take with its clearance
 */
export function mirrorWord(left: number, middle: number, width: number): string {
  const fitting = (6 * (width - 2 * clearance)) / length
  const height = Math.min(Math.max(fitting, minHeight), maxHeight)
  const unit = (height / 6) * pointsPerMm
  const corner = translate((left + clearance) * pointsPerMm, (middle - height / 2) * pointsPerMm)
  const matrix = multiply(corner, [unit, 0, 0, unit, 0, 0] satisfies Matrix)
  const outline = [...word].flatMap((letter, index) =>
    (letters[letter] ?? []).map(([x, y], i): Outline[number] => [i === 0 ? 'M' : 'L', x + step * index, y]),
  )
  return `${decimal(0.7 * unit, 3)} w 1 J 1 j ${pathText(transformed(outline, matrix))} S`
}
