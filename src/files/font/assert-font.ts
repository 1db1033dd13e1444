// How the checks of a font say what is wrong with it.
import { FileRejected } from '../rejected.ts'

/** Throws FileRejected unless the part is sound; `where` completes the sentence. */
export function assertFont(sound: boolean, where: string): asserts sound {
  if (!sound) throw new FileRejected(`The font is damaged: ${where}.`)
}
