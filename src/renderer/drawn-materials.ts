// The fonts and pictures of a design as elements use them.
import type { Drawing } from './drawing.ts'
import type { RasterText } from './drawing-picture.ts'
import type { Face } from './face.ts'
import type { Change } from './filter-steps.ts'
import type { PrintedPdf } from './pdf-page-print.ts'
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
  | { kind: 'pdf'; pages: ReadonlyMap<number, PrintedPdf | Undrawable> }
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

/** A material that can be drawn as a picture in any resolution; `stretch` is stage pixels per pixel of the material. */
interface Scalable {
  id: string
  width: number
  height: number
  stretch: number
  change: Change | undefined
  /** Standard deviation, in pixels of the drawing. */
  blur: number
}

/** A drawing that can only be a picture. */
export interface RasterDrawing extends Scalable {
  svg: string
}

/** A page of a customer's PDF. */
export interface KeptPdf extends Scalable {
  pdf: PrintedPdf
}

export type KeptPicture = ReadyPicture | RasterDrawing | KeptPdf

export const isScalable = (kept: KeptPicture): kept is RasterDrawing | KeptPdf =>
  'svg' in kept || 'pdf' in kept
