// Sheets of a PDF with several pages of the design on each, and crop marks between them.
import type { Writer } from './emit-pdf.ts'
import { type Matrix, multiply } from './matrix.ts'
import { type Outline, plain, rectangle } from './outline.ts'
import type { Document, Reference } from './pdf-document.ts'
import { cropText, pathText, point } from './pdf-finishing.ts'
import type { PageForm, PdfPage } from './pdf-page.ts'
import type { Imposition, Place } from './sheet.ts'

/** Each page of the design is written once, however often it is shown. */
export function writeSheets(
  doc: Document,
  writer: Writer,
  pages: readonly PdfPage[],
  { sheet, sheets }: Imposition,
  { hideMarks, Group }: PageForm,
): void {
  const forms = new Map<number, Reference>()
  const size: [number, number] = [sheet.width * point, sheet.height * point]
  for (const places of sheets) {
    doc.addPage({ size, margin: 0 })
    Object.assign(doc.page.dictionary.data, { TrimBox: [0, 0, ...size], ...Group })
    for (const place of places) {
      const known = forms.get(place.page)
      const form = known ?? formOf(writer, pages[place.page] as PdfPage, place)
      forms.set(place.page, form)
      const name = `Page${place.page + 1}`
      doc.page.xobjects[name] = form
      doc.save()
      doc.addContent(`1 0 0 1 ${plain(place.x * point, 5)} ${plain(place.y * point, 5)} cm /${name} Do`)
      doc.restore()
    }
    if (sheet.marks && !hideMarks) writer.registrationMarks(marksOf(pages, places, size))
  }
}

function formOf(writer: Writer, { page, marks }: PdfPage, place: Place): Reference {
  return writer.form(marks, page, turnOf(place), [0, 0, place.width * point, place.height * point])
}

/** From the upright page to where it lies, in points. */
const turnOf = ({ isTurned, width }: Place): Matrix =>
  isTurned ? [0, 1, -1, 0, width * point, 0] : [1, 0, 0, 1, 0, 0]

/** Crop marks wherever no page lies. */
function marksOf(pages: readonly PdfPage[], places: readonly Place[], size: [number, number]): string {
  const boxes = places.flatMap(({ x, y, width, height }) =>
    rectangle({ x: x * point, y: y * point, width: width * point, height: height * point }),
  )
  const sheet: Outline = rectangle({ x: 0, y: 0, width: size[0], height: size[1] })
  const marks = places.map((place) => {
    const { page } = pages[place.page] as PdfPage
    const matrix = multiply([1, 0, 0, 1, place.x * point, place.y * point], turnOf(place))
    return `q ${matrix.map((value) => plain(value, 5)).join(' ')} cm ${cropText(page, page.bleed)} S Q`
  })
  return `${pathText([...sheet, ...boxes])} W* n 0.25 w ${marks.join(' ')}`
}
