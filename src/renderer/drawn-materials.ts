// The fonts and pictures of a design as elements use them.
import type { Drawing } from './drawing.ts'
import type { RasterText } from './drawing-picture.ts'
import type { Face } from './face.ts'
import type { Change } from './filter-steps.ts'
import type { SourcePicture } from './picture.ts'
import type { ReadyPicture } from './picture-pixels.ts'
import type { Undrawable } from './refusal.ts'
import type { FontNeed } from './task.ts'

/** A picture as it was read from its source. */
export type Source =
  | { kind: 'pixels'; picture: SourcePicture }
  | { kind: 'vectors'; drawing: Drawing; note?: string | undefined }
  /** A drawing that can only be shown as a picture, at the size that the page needs. */
  | {
      kind: 'drawing'
      svg: string
      width: number
      height: number
      lettering?: RasterLettering
      note?: string | undefined
    }
  | { kind: 'unusable'; cause: Undrawable }

/** A drawing whose text is not outlined yet. */
export interface RasterLettering {
  svg: string
  texts: RasterText[]
}

export interface Materials {
  /** @param size pixels of the text */
  face(need: FontNeed, size: number): Face
  source(name: string): Source
  /** Keeps a picture and returns its key. */
  keep(picture: KeptPicture): string
}

/** A drawing that is shown as a picture: `stretch` pixels of the stage for each of its own. */
export interface RasterDrawing {
  id: string
  svg: string
  width: number
  height: number
  stretch: number
  change: Change | undefined
  /** Standard deviation, in pixels of the drawing. */
  blur: number
}

export type KeptPicture = ReadyPicture | RasterDrawing
