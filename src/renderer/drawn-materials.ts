// Types of the fonts and pictures that the elements of a design use; materials.ts loads them.
import type { Drawing } from './drawing.ts'
import type { RasterText } from './drawing-picture.ts'
import type { Face } from './face.ts'
import type { Change } from './filter-steps.ts'
import type { PrintedPdf } from './pdf-page-print.ts'
import type { SourcePicture } from './picture.ts'
import type { ReadyPicture } from './picture-pixels.ts'
import type { Undrawable } from './refusal.ts'
import type { FontNeed } from './task.ts'

/** A picture file as it was read: pixels, a drawing as shapes, another drawing, a PDF, or why it cannot be used. */
export type Source =
  | { kind: 'pixels'; picture: SourcePicture }
  /** `note` is a sentence for the warnings of each element that shows it. */
  | { kind: 'vectors'; drawing: Drawing; note?: string | undefined }
  /** A drawing that can only be printed as a picture, in the resolution that the page needs. */
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

/** A drawing that is printed as a picture, with its texts, which become outlines when the fonts are loaded. */
export interface RasterLettering {
  svg: string
  texts: RasterText[]
}

/** The loaded fonts and pictures, as body.ts and clip.ts ask for them. */
export interface Materials {
  /** The face for a text of a size in pixels. @throws Undrawable if it was not loaded */
  face(need: FontNeed, size: number): Face
  /** The picture of a URL or `data:` URL; `unusable` if it was not loaded. Never throws. */
  source(name: string): Source
  /** Stores a picture with its changes for the output and returns its key, by which marks name it. Equal ids share a key. */
  keep(picture: KeptPicture): string
}

/** A material that can be drawn as a picture in any resolution. */
interface Scalable {
  /** Equal for equal pictures. */
  id: string
  width: number
  height: number
  /** Pixels of the stage for each pixel of the material. */
  stretch: number
  /** Filters and tint of its pixels; undefined if they stay. */
  change: Change | undefined
  /** Standard deviation of its blur, in pixels of the material; 0 for none. */
  blur: number
}

/** A drawing that is printed as a picture. */
export interface RasterDrawing extends Scalable {
  svg: string
}

/** A page of a customer's PDF. */
export interface KeptPdf extends Scalable {
  pdf: PrintedPdf
}

/** A picture that marks name by its key. */
export type KeptPicture = ReadyPicture | RasterDrawing | KeptPdf

/** Whether the picture can be drawn in any resolution; others are pixels. */
export const isScalable = (picture: KeptPicture): picture is RasterDrawing | KeptPdf =>
  'svg' in picture || 'pdf' in picture
