// The tasks and outcomes of the renderer's process: plain values that are sent between processes.
import type { NameTexts } from '../core/print-name.ts'
import type { Fit, Format } from './page.ts'
import type { PressTask } from './press-colors.ts'
import type { Finding } from './refusal.ts'
import type { Place, Sheet } from './sheet.ts'

export interface PressLimits {
  /** Points; thinner lines are warned of. */
  line: number
  /** Millimetres between text and the trim. */
  margin: number
}

export interface PrintTask {
  /** A preflight says what a print would, without painting it. */
  kind: 'print' | 'preflight'
  /** JSON text of the customization; between processes it is passed in the file design.json in the folder. */
  design: string
  format: Format
  dpi: number
  /** Whether crop marks are drawn around pages with bleed. */
  cropMarks: boolean
  /** Pages are mirrored from left to right, as for transfers. */
  mirror?: boolean
  /** Text of a PDF is drawn as paths, without fonts. */
  outlines?: boolean
  includeFonts: boolean
  includePictures: boolean
  summary: boolean
  /** HTML that is put beside the print; between processes it is passed in the file ticket.html in the folder. */
  ticket?: string | undefined
  hasTicket?: boolean
  /** How files within an archive are named; without it, by their kind and page. */
  fileName?: { template: string; texts: NameTexts }
  /** Effective resolution below which a picture causes a warning; undefined if none is set. */
  minDpi: number | undefined
  fit?: Fit
  limits?: PressLimits
  /** The design is one that `bundleOf` made; a stored one that only looks like it is printed once. */
  isBundle?: boolean
  /** Several pages on each sheet of a PDF; undefined if each page is one of the file. */
  sheet?: Sheet | undefined
  /** Path of the profile of CMYK pictures that have none. */
  cmykProfile?: string | undefined
  /** Undefined for files in RGB. */
  press?: PressTask | undefined
  /** Maximum pixels of a page. */
  maxPixels: number
  /** Maximum pixels of one picture; undefined for the default. */
  maxPicturePixels?: number | undefined
  /** Maximum pages of the file. */
  maxPages: number
}

export interface PreviewTask {
  kind: 'preview'
  design: string
  /** Index of the view. */
  view: number
  /** Pixels. */
  width: number
  maxPixels: number
  maxPicturePixels?: number | undefined
}

/** `folder` is where the process writes its files. */
export type Task = (PrintTask | PreviewTask) & { folder: string; pictures: LoadedPictures }

/** Files by the names of pictures in the design. */
export type LoadedPictures = ReadonlyMap<string, LoadedFile>

export interface FontNeed {
  family: string
  bold: boolean
  italic: boolean
}

/** What is asked for while a design is drawn: fonts of its texts, then of those in its drawings. */
export interface Needs {
  fonts: FontNeed[]
}

/** A file on this machine, or why there is none. */
export type LoadedFile = { path: string } | { cause: string }

/** How a font file is used. */
export interface FontUse {
  substitute?: string
  /** Sentences for the warnings. */
  notes?: string[]
  /** Says which variant the family has not; it is made from this file unless the file declares that style. */
  lacking?: string
  /** Styles that are made from the file's, unless it declares them. */
  synthetic?: { bold: boolean; italic: boolean }
}

/** A font for characters that others lack. */
export interface FallbackFile {
  family: string
  path: string
  /** Read only for a text with such characters; undefined: for any that not every font has. */
  writing: RegExp | undefined
}

export interface LoadedFonts {
  /** In the order of the needs. */
  fonts: (LoadedFile & FontUse)[]
  /** In the order in which they are tried. */
  fallbacks: FallbackFile[]
  /** Folder of drawings of emoji. */
  emoji?: string | undefined
}

/** What a summary and a preflight contain. */
export interface Report {
  /** At most 1,000, with at most 2,000 elements in all. */
  pages: PageReport[]
  /** At most 200. */
  fonts: (FontNeed & { substitute: string | null; missing: boolean })[]
  warnings: Finding[]
  /** Where the pages lie, if they are imposed. */
  sheets?: Place[][]
  /** Places of the printed pages among all pages of the design; absent if none was left out. */
  positions?: number[]
}

export interface PageReport {
  view: string
  area: string | null
  /** Millimetres, without the bleed. */
  width: number
  height: number
  bleed: number
  elements: { title: string; type: 'text' | 'picture'; dpi: number | null }[]
}

export type Outcome =
  | { kind: 'done'; path: string; type: 'pdf' | 'png' | 'jpeg' | 'svg' | 'zip'; report: Report }
  | { kind: 'refused'; refusals: Finding[] }
  | { kind: 'checked'; refusals: Finding[]; report: Report }

/** What goes to the host's process: of a print only warnings, places of its pages, and numbers of sheets and of pieces on them. */
export type Answer =
  | (Omit<Extract<Outcome, { kind: 'done' }>, 'report'> & {
      warnings: Finding[]
      positions?: number[]
      sheets: number
      pieces: number
    })
  | Exclude<Outcome, { kind: 'done' }>
  /** `code` of an error of the system, such as `ENOSPC`. */
  | { kind: 'failed'; message: string; code?: string }
