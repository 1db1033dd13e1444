// Draws the word MIRROR beside a mirrored page, as lines, without a font.
import { multiply, scale, translate } from './matrix.ts'
import { decimal, type Outline, transformed } from './outline.ts'
import { parsePath } from './path-data.ts'
import { pointsPerMm } from './pdf-finishing.ts'
import { pathText } from './pdf-operators.ts'

/** Paths of the letters on a grid of 4 by 6, y downwards. */
const letters: Record<string, Outline> = {
  M: parsePath('M0 6V0L2 3 4 0V6'),
  I: parsePath('M2 0V6'),
  R: parsePath('M0 6V0H3L4 1V2L3 3H0 1.5L4 6'),
  O: parsePath('M1 0H3L4 1V5L3 6H1L0 5V1L1 0'),
}

const word = 'MIRROR'
/** Units of the grid from the beginning of one letter to that of the next, and of the word. */
const [step, length] = [6, 6 * word.length - 2]
/** Millimetres that stay free on both sides of the word, and the least and greatest height of its letters. */
const [clearance, minHeight, maxHeight] = [3, 1.2, 3]

/**
 * The operators that draw the word, in points from the upper left corner of the paper.
 * @param left millimetres from the edge of the paper to the word with its clearance
 * @param middle of the letters, in millimetres from the upper edge
 * @param width millimetres for the word with its clearance; it takes more if its letters would be lower than `minHeight`
 */
export function mirrorWord(left: number, middle: number, width: number): string {
  const fitting = (6 * (width - 2 * clearance)) / length
  const height = Math.min(Math.max(fitting, minHeight), maxHeight)
  const unit = (height / 6) * pointsPerMm
  const corner = translate((left + clearance) * pointsPerMm, (middle - height / 2) * pointsPerMm)
  const matrix = multiply(corner, scale(unit, unit))
  const outline = [...word].flatMap((letter, index) =>
    transformed(letters[letter] ?? [], translate(step * index, 0)),
  )
  return `${decimal(0.7 * unit, 3)} w 1 J 1 j ${pathText(transformed(outline, matrix))} S`
}
