// Declares the tasks and outcomes of the renderer's child processes: plain values that are sent between processes.
import type { NameTexts } from '../core/print-name.ts'
import type { Fit, Format } from './page.ts'
import type { PressTask } from './press-colors.ts'
import type { Finding } from './refusal.ts'
import type { PressSheet, SheetPlace } from './sheet.ts'

/** What an export chooses about its print file. */
export interface PrintChoices {
  format: Format
  dpi: number
  /** Whether crop marks are drawn around pages with bleed. */
  cropMarks: boolean
  /** Whether pages are mirrored from left to right, as for transfers. */
  mirror?: boolean
  /** Whether text of a PDF is drawn as paths, without fonts. */
  outlines?: boolean
  /** Whether the print file is an archive with the fonts, the pictures, or the report as `summary.json`. */
  includeFonts: boolean
  includePictures: boolean
  summary: boolean
  /** An HTML file that is added to the archive; between processes it is passed in the file ticket.html in the folder. */
  ticket?: string | undefined
  /** How files within an archive are named; without it, by their kind and page. */
  fileName?: { template: string; texts: NameTexts }
  /** The resolution below which a picture causes a warning; undefined if none is set. */
  minDpi: number | undefined
  /** Whether `bundleOf` (design.ts) made the design, whose copies then count; a stored design that only looks like a bundle is printed once. */
  isBundle?: boolean
}

/** The task to draw a print file, or to check what it would be like. */
export interface PrintTask extends PrintChoices {
  /** A preflight reports what a print would, without writing a file. */
  kind: 'print' | 'preflight'
  /** JSON text of the customization; between processes it is passed in the file design.json in the folder. */
  design: string
  /** Set between processes in place of `ticket`. */
  hasTicket?: boolean
  fit?: Fit
  /** The press sheets on which the pages of a PDF lie; undefined if each page is one of the file. */
  sheet?: PressSheet | undefined
  /** Path of the profile of CMYK pictures that have none, for files in RGB. */
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

/** The task to draw a view as a PNG. */
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

/** A task for a child process. `folder` is the temporary folder with its files, `pictures` are the files that were fetched. */
export type Task = (PrintTask | PreviewTask) & { folder: string; pictures: LoadedPictures }

/** Files by the names of pictures in the design. */
export type LoadedPictures = ReadonlyMap<string, LoadedFile>

/** A font that a text asks for. */
export interface FontNeed {
  /** A list of families as in CSS. */
  family: string
  bold: boolean
  italic: boolean
}

/** The question of a child process for fonts. It asks twice: for those of the design's texts, then for those of texts in its drawings. */
export interface Needs {
  fonts: FontNeed[]
}

/** A file on this machine, or why there is none. */
export type LoadedFile = { path: string } | { cause: string }

/** How a font file is used; see `ChosenFont`. */
export interface FontUse {
  /** The family that is drawn in place of the one in the design. */
  substitute?: string
  /** Sentences for the warnings. */
  notes?: string[]
  /** The beginning of a sentence that names the variant which the family lacks; loaded-faces.ts completes it. */
  lacking?: string
  /** Styles that are made from the file's, unless it declares them. */
  synthetic?: { bold: boolean; italic: boolean }
}

/** A font for characters that other fonts lack. */
export interface FallbackFile {
  family: string
  path: string
  /** The file is read only if a text matches; undefined: if a text has any characters that not every font has. */
  writing: RegExp | undefined
}

/** The answer of the host: the files of fonts. */
export interface LoadedFonts {
  /** In the order of the needs. */
  fonts: (LoadedFile & FontUse)[]
  /** In the order in which they are tried. */
  fallbacks: FallbackFile[]
  /** Folder of drawings of emoji. */
  emoji?: string | undefined
}

/** The content of a summary and of a preflight. */
export interface Report {
  /** At most 1,000, with at most 2,000 elements in all. */
  pages: PageReport[]
  /** At most 200. */
  fonts: (FontNeed & { substitute: string | null; missing: boolean })[]
  warnings: Finding[]
  /** Where the pages lie on press sheets, if they are imposed. */
  sheets?: SheetPlace[][]
  /** The positions of the printed pages among all pages of the design; absent if none was left out. */
  positions?: number[]
}

export interface PageReport {
  /** The title of the view. */
  view: string
  /** The name of the print area, if the view has several. */
  area: string | null
  /** Millimetres, without the bleed. */
  width: number
  height: number
  bleed: number
  elements: { title: string; type: 'text' | 'picture'; dpi: number | null }[]
}

/** The outcome of a task: the file of a print or preview, refusals of one, or the result of a preflight. */
export type Outcome =
  | { kind: 'done'; path: string; type: 'pdf' | 'png' | 'jpeg' | 'svg' | 'zip'; report: Report }
  | { kind: 'refused'; refusals: Finding[] }
  | { kind: 'checked'; refusals: Finding[]; report: Report }

/** The outcome as it is sent to the host: of the report of a file only warnings, positions, and the numbers of press sheets and pages on them. */
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
