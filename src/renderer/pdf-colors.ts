// Colors as operators of a PDF: RGB as in the design, or the inks of the press with its spot colors.
import type { Color } from './marks.ts'
import { added, type Document, type Reference } from './pdf-document.ts'
import type { Inks, PressColors } from './press-colors.ts'

export interface PdfColors {
  /** Three channels up to 255, or percent of four inks, as PDFKit takes both. */
  parts(color: Color): readonly number[]
  /** Sets a plain color. */
  use(color: Color, use: 'fill' | 'stroke'): void
  /** Color of the marks of the page, which is on every plate. */
  registration(): string
  /** State of what is printed over the inks below it. */
  overprint(): string
  /** Sets an ink of its own for what follows. */
  separation(name: string, inks: Inks): string
}

export function pdfColors(doc: Document, press: PressColors | undefined): PdfColors {
  const separations = new Map<string, { id: string; ref: Reference }>()
  let overprinting: Reference | undefined

  /** @returns the id under which the page knows the ink */
  function separation(name: string, inks: Inks): string {
    const known = separations.get(name)
    const { id, ref } = known ?? { id: `Sep${separations.size + 1}`, ref: separationObject(doc, name, inks) }
    if (!known) separations.set(name, { id, ref })
    doc.page.colorSpaces[id] = ref
    return id
  }

  const partsOf = (color: Color) => press?.inks(color) ?? [color.r, color.g, color.b]

  return {
    parts: partsOf,
    use(color, use) {
      const spot = press?.spot(color)
      const parts = partsOf(color)
      if (use === 'fill') doc.fillColor(parts, color.a)
      else doc.strokeColor(parts, color.a)
      if (!spot) return
      const id = separation(spot.name, spot.cmyk)
      doc.addContent(use === 'fill' ? `/${id} cs 1 scn` : `/${id} CS 1 SCN`)
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

function separationObject(doc: Document, name: string, inks: Inks): Reference {
  const C1 = inks.map((value) => value / 100)
  const tint = { FunctionType: 2, Domain: [0, 1], C0: [0, 0, 0, 0], C1, N: 1 }
  return added(doc, ['Separation', nameOf(name), 'DeviceCMYK', tint])
}

/** PDFKit writes strings as names; other than plain characters are written by their codes. */
const nameOf = (name: string) =>
  [...Buffer.from(name)]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      return /[A-Za-z0-9_.+-]/.test(character) ? character : `#${byte.toString(16).padStart(2, '0')}`
    })
    .join('')
