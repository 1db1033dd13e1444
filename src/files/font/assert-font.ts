// How the font checks report a problem.
import { FileRejected } from '../rejected.ts'

/** Throws FileRejected unless the part is valid. `problem` completes the sentence "The font is damaged: …". */
export function assertFont(valid: boolean, problem: string): asserts valid {
  if (!valid) throw new FileRejected(`The font is damaged: ${problem}.`)
}
