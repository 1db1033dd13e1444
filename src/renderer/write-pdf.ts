// The pages of a PDF with their boxes and marks, and what the file says of itself.
import { type PdfInks, type PressInks, Writer } from './emit-pdf.ts'
import { multiply } from './matrix.ts'
import { bledSize, ontoPage, type PageBox } from './page.ts'
import type { Document } from './pdf-document.ts'
import { marginWithMarks, marksText, point } from './pdf-finishing.ts'
import type { PageForm, PdfPage } from './pdf-page.ts'
import { declarePdfX, type OutputIntent } from './pdf-x.ts'
import type { Imposition } from './sheet.ts'
import { writeSheets } from './write-sheets.ts'

/** What a file for the press needs. */
export interface PdfPress extends PressInks {
  intent: OutputIntent
  title: string
}

export interface PdfForm {
  hideMarks: boolean
  id: Buffer
  press: PdfPress | undefined
  /** Undefined if each page is one of the file. */
  imposition: Imposition | undefined
}

const hasMarks = ({ bleed }: PageBox, hideMarks: boolean) => bleed > 0 && !hideMarks

/** Writes the pages, and ends the document. */
export function writePdf(
  doc: Document,
  pages: PdfPage[],
  inks: PdfInks,
  { hideMarks, id, press, imposition }: PdfForm,
): void {
  // The file contains neither a time nor random values: the same design gives the same bytes, except for the press.
  delete doc.info.CreationDate
  doc.endMetadata = () => {}
  doc._id = id
  const writer = new Writer(doc, inks, press)
  const Group = press && { Group: { Type: 'Group', S: 'Transparency', CS: 'DeviceCMYK' } }
  if (imposition) writeSheets(doc, writer, pages, imposition, { hideMarks, Group })
  else for (const page of pages) writePage(doc, writer, page, { hideMarks, Group })
  if (press) declarePdfX(doc, press.intent, { id, title: press.title, now: new Date() })
  doc.end()
}

function writePage(
  doc: Document,
  writer: Writer,
  { page, marks }: PdfPage,
  { hideMarks, Group }: PageForm,
): void {
  const slug = hasMarks(page, hideMarks) ? marginWithMarks : 0
  const edge = page.bleed + slug
  const size: [number, number] = [(page.width + 2 * edge) * point, (page.height + 2 * edge) * point]
  doc.addPage({ size, margin: 0 })
  const box = (from: number) => [from * point, from * point, size[0] - from * point, size[1] - from * point]
  Object.assign(doc.page.dictionary.data, { BleedBox: box(slug), TrimBox: box(edge), ...Group })
  const { width, height } = bledSize(page)
  writer.page(
    marks,
    multiply([1, 0, 0, 1, slug * point, slug * point], ontoPage(page, width * point, height * point)),
    page,
  )
  if (slug > 0) writer.registrationMarks(marksText(page, edge))
  writer.finishing(marks, page, edge)
}
