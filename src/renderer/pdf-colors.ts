// Sets the colors of a PDF: RGB as in the design, or the inks of the press with its spot colors.
import type { Color, Gradient } from './marks.ts'
import { added, type Document, escapedName, type PdfObject } from './pdf-document.ts'
import type { Inks, PressColors } from './press-colors.ts'

/** The colors of one document. Methods that return operators also add the objects to which these refer to the current page. */
export interface PdfColors {
  /** Sets the color with which fills or strokes are painted next; a spot color by its own ink. */
  setColor(color: Color, use: 'fill' | 'stroke'): void
  /** Sets the gradient with which fills or strokes are painted next. Spot colors in it are converted to CMYK. */
  setGradient(gradient: Gradient, use: 'fill' | 'stroke'): void
  /** The operators that set the color of crop marks and targets, which are on every plate. */
  registration(): string
  /** The operator after which inks are printed over those below them. */
  overprint(): string
  /** Adds a spot color to the page and returns the id of its color space. @param inks percent of CMYK that look like it */
  separation(name: string, inks: Inks): string
}

/** The colors of a document. @param press undefined for files in RGB */
export function pdfColors(doc: Document, press: PressColors | undefined): PdfColors {
  const separations = new Map<string, { id: string; ref: PdfObject }>()
  let overprinting: PdfObject | undefined

  function separation(name: string, inks: Inks): string {
    const existing = separations.get(name)
    const { id, ref } = existing ?? {
      id: `Sep${separations.size + 1}`,
      ref: separationObject(doc, name, inks),
    }
    if (!existing) separations.set(name, { id, ref })
    doc.page.colorSpaces[id] = ref
    return id
  }

  /** Three channels up to 255, or percent of four inks; PDFKit takes both. */
  const channelsOf = (color: Color) => press?.inks(color) ?? [color.r, color.g, color.b]

  return {
    setColor(color, use) {
      const spot = press?.spot(color)
      const channels = channelsOf(color)
      if (use === 'fill') doc.fillColor(channels, color.a)
      else doc.strokeColor(channels, color.a)
      if (!spot) return
      // Replaces the color, but not its opacity, which was set with it.
      const id = separation(spot.name, spot.cmyk)
      doc.addContent(use === 'fill' ? `/${id} cs 1 scn` : `/${id} CS 1 SCN`)
    },
    setGradient({ kind, coords, stops, matrix }, use) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0] = coords
      const gradient =
        kind === 'linear' ? doc.linearGradient(a, b, c, d) : doc.radialGradient(a, b, 0, c, d, e)
      for (const { offset, color } of stops) gradient.stop(offset, channelsOf(color), color.a)
      gradient.setTransform(...matrix)
      if (use === 'fill') doc.fillColor(gradient)
      else doc.strokeColor(gradient)
    },
    registration: () => (press ? `/${separation('All', [100, 100, 100, 100])} CS 1 SCN` : '0 G'),
    overprint() {
      overprinting ??= added(doc, { Type: 'ExtGState', OP: true, op: true, OPM: 1 })
      doc.page.ext_gstates.GsOverprint = overprinting
      return '/GsOverprint gs'
    },
    separation,
  }
}

/** The color space of a spot color (PDF 32000-1 §8.6.6.4). */
function separationObject(doc: Document, name: string, inks: Inks): PdfObject {
  const C1 = inks.map((value) => value / 100)
  const tint = { FunctionType: 2, Domain: [0, 1], C0: [0, 0, 0, 0], C1, N: 1 }
  return added(doc, ['Separation', escapedName(Buffer.from(name)), 'DeviceCMYK', tint])
}
