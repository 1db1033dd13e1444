// Writes pages of marks as a PDF: prepares their pictures and shadows, creates the document, and writes the pages.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { castShadow, smooth } from './cast-shadow.ts'
import type { PdfResources } from './emit-pdf.ts'
import { type Mark, picturesIn, type ShadowMark, shadowsIn } from './marks.ts'
import type { Loaded } from './materials.ts'
import { drawingDpi, inch, shadowDpi, shadowScale } from './output-limits.ts'
import type { DrawnPage, PageBox } from './page.ts'
import type { Document } from './pdf-document.ts'
import type { PdfPicture } from './pdf-picture.ts'
import { pictureForPdf } from './picture-for-pdf.ts'
import { pictureForPress } from './picture-for-press.ts'
import { type PressTask, pressColors } from './press-colors.ts'
import type { Imposition } from './sheet.ts'
import { svgResources } from './svg-pictures.ts'
import type { PrintTask } from './task.ts'
import { writePdf } from './write-pdf.ts'

type PdfKit = new (options: Record<string, unknown>) => Document

/** What the PDF of a task is made with, besides the task. */
export interface PdfSettings {
  /** For PDF/X-4, which requires one. */
  title: string
  /** Undefined if each page is one of the file. */
  imposition: Imposition | undefined
  /** Awaited with the index of each page before its pictures and shadows are prepared, to report progress. */
  beforePage: (index: number) => Promise<void>
}

/** The PDF of all pages. @throws Undrawable for a picture beyond the limits */
export async function pdfOf(
  task: PrintTask,
  pages: DrawnPage[],
  loaded: Loaded,
  { title, imposition, beforePage }: PdfSettings,
): Promise<Buffer> {
  const { design, cropMarks, mirror = false, outlines = false, press } = task
  const { pictures, shadows } = await preparedPictures(task, pages, loaded, beforePage)
  const doc = await newDocument()
  const pdf = buffer(doc)
  const resources: PdfResources = {
    font: (key) => loadedFile(loaded.faces.get(key)),
    picture: (key) => loadedFile(pictures.get(key)),
    shadow: (mark) => shadows.get(mark),
  }
  const id = createHash('md5').update(design).digest()
  const pressOptions = press && { ...(await pressOutput(pages, press)), title }
  writePdf(doc, pages, resources, { cropMarks, mirror, outlines, id, press: pressOptions, imposition })
  return pdf
}

/** What the pages show besides shapes and text. */
interface PreparedPictures {
  /** By their keys in marks, and shadows by the keys in `shadows`. */
  pictures: Map<string, PdfPicture>
  shadows: Map<ShadowMark, NonNullable<ReturnType<PdfResources['shadow']>>>
}

/** Prepares pictures, each once, and shadows page by page, in inks if the PDF is for a press. @param beforePage see {@link PdfSettings} */
async function preparedPictures(
  { dpi, maxPixels, press }: PrintTask,
  pages: DrawnPage[],
  loaded: Loaded,
  beforePage: PdfSettings['beforePage'],
): Promise<PreparedPictures> {
  const pictures: PreparedPictures['pictures'] = new Map()
  const shadows: PreparedPictures['shadows'] = new Map()
  const scales = pictureScales(pages)
  for (const [index, { page, marks }] of pages.entries()) {
    await beforePage(index)
    const scale = inchesPerPixel(page)
    const resources = await svgResources(loaded, shadowPictures(marks), {
      perStage: scale * drawingDpi,
      maxPixels,
    })
    for (const key of picturesIn(marks, { withShadows: false })) {
      const picture = loaded.pictures.get(key)
      if (!picture || pictures.has(key)) continue
      const pixelsPerStage = (scales.get(key) ?? scale) * drawingDpi
      const options = { pixelsPerStage, maxPixels, isForPress: press !== undefined }
      pictures.set(key, await pictureForPdf(picture, options))
    }
    for (const mark of shadowsIn(marks)) {
      const castScale = shadowScale(scale, dpi)
      const cast = await castShadow(mark, page, resources, { x: castScale, y: castScale }, maxPixels)
      if (!cast) continue
      const { data, info } = await smooth(cast, scale * shadowDpi.least, maxPixels)
      const key = `S${shadows.size + 1}`
      pictures.set(key, { kind: 'pixels', rgba: data, width: info.width, height: info.height, isSoft: true })
      shadows.set(mark, { key, ...cast.area })
    }
  }
  if (press) {
    for (const [key, picture] of pictures) pictures.set(key, await pictureForPress(picture, press.profile))
  }
  return { pictures, shadows }
}

/** Inches for each pixel of the stage. */
const inchesPerPixel = ({ width, box }: PageBox) => width / box.width / inch

/** The largest `inchesPerPixel` of the pages that show each picture: a picture is embedded once for all of them. */
function pictureScales(pages: readonly DrawnPage[]): Map<string, number> {
  const scales = new Map<string, number>()
  for (const { page, marks } of pages)
    for (const key of picturesIn(marks, { withShadows: false }))
      scales.set(key, Math.max(scales.get(key) ?? 0, inchesPerPixel(page)))
  return scales
}

/** Keys of the pictures that cast shadows. */
const shadowPictures = (marks: readonly Mark[]): Set<string> =>
  new Set(shadowsIn(marks).flatMap((mark) => [...picturesIn(mark.marks, { withShadows: true })]))

/** A document without pages. Its bytes have to be read while it is written. */
async function newDocument(): Promise<Document> {
  const PdfKit = (await import('pdfkit')).default as unknown as PdfKit
  return new PdfKit({
    autoFirstPage: false,
    compress: true,
    // The version on which PDF/X-4 is based.
    pdfVersion: '1.6',
    info: { Producer: 'svc-api', Creator: 'svc-api' },
  })
}

/** How colors are written in the inks of a press. */
const pressOutput = async (pages: readonly DrawnPage[], press: PressTask) => ({
  colors: await pressColors(
    pages.flatMap(({ marks }) => marks),
    press,
  ),
  intent: { profile: await readFile(press.profile), condition: press.condition },
  overprintBlack: press.overprintBlack,
})

/** The font or picture that a mark refers to. @throws Error if it was not loaded, which is a mistake of this program */
function loadedFile<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A mark refers to a file that was not loaded.')
  return value
}
