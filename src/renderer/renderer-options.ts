// What a host may say about the built-in renderer.
import type { Fit } from './page.ts'
import type { SheetOptions } from './sheet.ts'

export interface RendererOptions {
  /** Uploaded families that replace other names, such as `{ Arial: 'Liberation Sans' }`. Default: none. */
  fonts?: Record<string, string>
  /** Refuses fonts and styles that are not uploaded, without substitutes of common fonts and synthesised styles. Default false. */
  strictFonts?: boolean
  /**
   * Folder with SVG drawings of emoji, named by their code points as in Twemoji, Noto Emoji or OpenMoji. Default: that of
   * the package `@twemoji/svg`, if it is installed; without one, emoji are printed in one color.
   */
  emoji?: string
  /** What is printed where the ratios of printing box and output differ; default `refuse`. */
  fit?: Fit
  /** `rgb`, or `pdfx4`: PDFs as PDF/X-4 in the inks of `profile`. Default `rgb`. */
  color?: 'rgb' | 'pdfx4'
  /** Path of the output profile (ICC, CMYK) of the press, for `pdfx4`; for `rgb` that of CMYK pictures that name none. */
  profile?: string
  /** Paths of output profiles by the names that print profiles give in `data.output.profile`, such as `FOGRA39`. */
  profiles?: Record<string, string>
  /** Name of the printing condition in the file, such as `FOGRA39`; default: the name of the profile's file. */
  condition?: string
  /** Prints black text over the inks below it, for `pdfx4`. Default false. */
  overprintBlack?: boolean
  /** Percent of all inks together above which a warning is given, for `pdfx4`; default 300. */
  maxInk?: number
  /** Maximum seconds for one design; default 120. */
  seconds?: number
  /** Maximum megabytes of memory for one design; default 1536. */
  megabytes?: number
  /** Maximum megapixels of a PNG or JPEG page; default 64. A2 at 300 dpi has 35. */
  megapixels?: number
  /** The sheets of exports with `pages: 'sheet'`. */
  sheet?: SheetOptions
  /** Maximum pages of one file; default 200. */
  pages?: number
  /** Maximum designs drawn at once; default 2. */
  jobs?: number
  /** Maximum prints in the queue, and maximum previews; default 50. More get 503. */
  waiting?: number
  /** Renders exports even if an export service is configured. Default false. */
  beforeService?: boolean
}
