// Writes the pages of a PDF: one page for each page of the design, or press sheets with several; with boxes and crop marks.
import { type PdfResources, PdfWriter, type PressInks, type WriterLook } from './emit-pdf.ts'
import { identity, type Matrix, multiply, translate } from './matrix.ts'
import { mirrorWord } from './mirror-word.ts'
import { decimal, type Outline, rectangle } from './outline.ts'
import { userUnit } from './output-limits.ts'
import type { DrawnPage } from './page.ts'
import type { Document, PdfObject } from './pdf-document.ts'
import { cropMarksPath, cropMarksText, marginWithMarks, pointsPerMm } from './pdf-finishing.ts'
import { pathText } from './pdf-operators.ts'
import { declarePdfX, type OutputIntent } from './pdf-x.ts'
import type { Imposition, SheetPlace } from './sheet.ts'

/** The settings of a file for the press. */
export interface PdfPress extends PressInks {
  intent: OutputIntent
  title: string
}

/** How the file is written. */
export interface PdfLook extends PageLook {
  /** The identifier of the file: 16 bytes that depend on the design alone. */
  id: Buffer
  /** Undefined for files in RGB. */
  press: PdfPress | undefined
  /** Where pages lie on press sheets; undefined if each page is one of the file. */
  imposition: Imposition | undefined
}

interface PageLook extends WriterLook {
  /** Whether crop marks are drawn. */
  cropMarks: boolean
}

/** Writes the pages into a new document, and ends it. */
export function writePdf(
  doc: Document,
  pages: DrawnPage[],
  resources: PdfResources,
  { id, press, imposition, ...look }: PdfLook,
): void {
  // No time and no random values: the same design gives the same bytes. Only PDF/X-4 requires the time (pdf-x.ts).
  delete doc.info.CreationDate
  doc.endMetadata = () => {}
  doc._id = id
  const writer = new PdfWriter(doc, resources, press, look)
  const Group = { Type: 'Group', S: 'Transparency', CS: 'DeviceCMYK' }
  doc.on('pageAdded', () => {
    const { data } = doc.page.dictionary
    // PDFKit writes the default unit, and tools of print shops warn of any. writePage sets that of a long page.
    delete data.UserUnit
    if (press) Object.assign(data, { Group })
  })
  if (imposition) writeSheets(doc, writer, pages, imposition, look)
  else for (const page of pages) writePage(doc, writer, page, look)
  if (press) declarePdfX(doc, press.intent, { id, title: press.title, now: new Date() })
  doc.end()
}

/** Writes a page with its bleed, crop marks and finishing. One that is too long for a PDF is written smaller, with a `UserUnit`. */
function writePage(
  doc: Document,
  writer: PdfWriter,
  { page: millimetrePage, marks }: DrawnPage,
  { cropMarks, mirror }: PageLook,
): void {
  const unit = userUnit(millimetrePage)
  const { width, height, bleed } = millimetrePage
  const page = { ...millimetrePage, width: width / unit, height: height / unit, bleed: bleed / unit }
  /** Millimetres around the bleed for the crop marks. */
  const slug = page.bleed > 0 && cropMarks ? marginWithMarks : 0
  const edge = page.bleed + slug
  const size: [number, number] = [
    (page.width + 2 * edge) * pointsPerMm,
    (page.height + 2 * edge) * pointsPerMm,
  ]
  doc.addPage({ size, margin: 0 })
  /** The box that is smaller than the paper by a length in millimetres. */
  const box = (inset: number) => [
    inset * pointsPerMm,
    inset * pointsPerMm,
    size[0] - inset * pointsPerMm,
    size[1] - inset * pointsPerMm,
  ]
  Object.assign(doc.page.dictionary.data, { BleedBox: box(slug), TrimBox: box(edge) })
  if (unit > 1) Object.assign(doc.page.dictionary.data, { UserUnit: unit })
  writer.page(marks, page, slug * pointsPerMm)
  if (slug > 0) {
    writer.registrationMarks(cropMarksText(page, edge))
    const middle = page.height + 2 * edge - slug / 2
    if (mirror) writer.registrationMarks(mirrorWord(edge, middle, page.width / 2))
  }
  writer.finishing(marks, page, edge)
}

/** Millimetres of the least margin of a sheet in which the word MIRROR has room. */
const minWordMargin = 4

/**
 * Writes press sheets. Each page of the design is written once, as a form, however often it is shown. Crop marks need both the option of
 * the sheet and that of the task; without them the word MIRROR is missing, too.
 */
function writeSheets(
  doc: Document,
  writer: PdfWriter,
  pages: readonly DrawnPage[],
  { sheet, sheets }: Imposition,
  { cropMarks, mirror }: PageLook,
): void {
  const forms = new Map<number, PdfObject>()
  const size: [number, number] = [sheet.width * pointsPerMm, sheet.height * pointsPerMm]
  for (const places of sheets) {
    doc.addPage({ size, margin: 0 })
    Object.assign(doc.page.dictionary.data, { TrimBox: [0, 0, ...size] })
    for (const place of places) {
      const { page, marks } = pages[place.page] as DrawnPage
      const box = [0, 0, place.width * pointsPerMm, place.height * pointsPerMm]
      const form = forms.get(place.page) ?? writer.form(marks, page, placeMatrix(place), box)
      forms.set(place.page, form)
      const name = `Page${place.page + 1}`
      doc.page.xobjects[name] = form
      doc.save()
      doc.addContent(
        `1 0 0 1 ${decimal(place.x * pointsPerMm, 5)} ${decimal(place.y * pointsPerMm, 5)} cm /${name} Do`,
      )
      doc.restore()
    }
    if (!(sheet.marks && cropMarks)) continue
    writer.registrationMarks(sheetCropMarks(pages, places, size))
    const [first] = places
    if (mirror && first && sheet.margin >= minWordMargin) {
      const { bleed } = (pages[first.page] as DrawnPage).page
      writer.registrationMarks(mirrorWord(first.x + bleed, sheet.margin / 2, first.width - 2 * bleed))
    }
  }
}

/** The matrix from the upright page to its place, in points from the corner of the place. */
const placeMatrix = ({ isTurned, width }: SheetPlace): Matrix =>
  isTurned ? [0, 1, -1, 0, width * pointsPerMm, 0] : identity

/** The operators that draw the crop marks of all pages of a sheet, clipped to where no page lies. */
function sheetCropMarks(
  pages: readonly DrawnPage[],
  places: readonly SheetPlace[],
  size: [number, number],
): string {
  const boxes = places.flatMap(({ x, y, width, height }) =>
    rectangle({
      x: x * pointsPerMm,
      y: y * pointsPerMm,
      width: width * pointsPerMm,
      height: height * pointsPerMm,
    }),
  )
  const sheet: Outline = rectangle({ x: 0, y: 0, width: size[0], height: size[1] })
  const marks = places.map((place) => {
    const { page } = pages[place.page] as DrawnPage
    const matrix = multiply(translate(place.x * pointsPerMm, place.y * pointsPerMm), placeMatrix(place))
    return `q ${matrix.map((value) => decimal(value, 5)).join(' ')} cm ${cropMarksPath(page, page.bleed)} S Q`
  })
  return `${pathText([...sheet, ...boxes])} W* n 0.25 w ${marks.join(' ')}`
}
