// Reads the picture files of a design as sources: pixels, drawings as shapes or as pictures, and PDFs; for materials.ts.
import { isPdf, openPdf } from './customer-pdf.ts'
import { drawingOf } from './drawing.ts'
import { noteOn, selectorNote, withVariables } from './drawing-notes.ts'
import { inPixels, type RasterText, textsOfPicture } from './drawing-picture.ts'
import { NotVectors, sanitized, unknownSelector } from './drawing-tree.ts'
import type { Source } from './drawn-materials.ts'
import { attempt, bytesOf } from './loaded-faces.ts'
import { isEmbedded, maxPictures, maxUrl } from './needs.ts'
import type { PrintedPdf } from './pdf-page-print.ts'
import { assertPdfPage } from './pdf-pixels.ts'
import { traitsOfPage } from './pdf-traits.ts'
import { type PictureOptions, readPicture } from './picture.ts'
import { quoted, Undrawable } from './refusal.ts'
import type { LoadedPictures } from './task.ts'

/** The bytes of a picture: of the file that was fetched for its URL, or those that `name` itself contains. @throws Undrawable if there are none */
export async function sourceBytes(name: string, pictures: LoadedPictures): Promise<Uint8Array> {
  if (isEmbedded(name)) return embeddedBytes(name)
  if (name.length > maxUrl)
    throw new Undrawable('picture', `${quoted(name)} is a URL of more than ${maxUrl} characters.`)
  const file = pictures.get(name)
  if (!file) throw new Undrawable('limit', `The design has more than ${maxPictures} pictures.`)
  return bytesOf(file, 'picture')
}

/** The bytes of a `data:` URL (RFC 2397), or of a drawing as text. @throws Undrawable if it is not a picture */
function embeddedBytes(url: string): Uint8Array {
  if (!/^data:/i.test(url)) return Buffer.from(url)
  const [, type = '', coding, data = ''] = /^data:([^,;]*)((?:;[^,;]*)*),(.*)$/is.exec(url) ?? []
  if (!/^image\//i.test(type))
    throw new Undrawable('picture', `The data of ${quoted(url.slice(0, 40))} are not a picture.`)
  return /;\s*base64$/i.test(coding ?? '') ? Buffer.from(data, 'base64') : Buffer.from(decoded(data))
}

function decoded(data: string): string {
  try {
    return decodeURIComponent(data)
  } catch {
    throw new Undrawable('picture', 'The data of the picture are not readable.')
  }
}

/**
 * Reads a picture file: as pixels, a drawing as shapes if possible, or a PDF.
 * @param pages numbers of the pages that elements show, if it is a PDF
 * @throws Undrawable if it cannot be read
 */
export async function sourceOf(
  bytes: Uint8Array,
  pages: Iterable<number>,
  options: PictureOptions,
): Promise<Source> {
  if (isPdf(bytes)) return pdfSource(bytes, pages)
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).toString(
    'latin1',
  )
  const isText =
    /^(?:\xef\xbb\xbf)?\s*</.test(start) || start.startsWith('\xff\xfe') || start.startsWith('\xfe\xff')
  if (!isText) return { kind: 'pixels', picture: await readPicture(bytes, options) }
  const sanitizedSvg = sanitized(bytes)
  const [svg, note] = [withVariables(sanitizedSvg), noteOn(sanitizedSvg)]
  try {
    return { kind: 'vectors', drawing: drawingOf(svg), note }
  } catch (error) {
    if (!(error instanceof NotVectors)) throw error
    const notes = [note, error.message === unknownSelector ? selectorNote : undefined].filter(Boolean)
    const picture: Source = {
      kind: 'drawing',
      note: notes.length > 0 ? notes.join(' ') : undefined,
      ...inPixels(svg),
    }
    return /<(?:[\w-]+:)?text[\s/>]/.test(svg)
      ? { ...picture, lettering: { svg, texts: textsBeside(svg) } }
      : picture
  }
}

/** Maximum pages of one PDF that a design shows. */
const maxPdfPages = 200

/** The pages of a PDF that elements show; a page that cannot be drawn is an error only of its elements. */
async function pdfSource(bytes: Uint8Array, numbers: Iterable<number>): Promise<Source> {
  const file = await openPdf(bytes)
  const pages = new Map<number, PrintedPdf | Undrawable>()
  for (const number of [...numbers].slice(0, maxPdfPages)) {
    const printed = await attempt(async () => {
      const page = file.page(number)
      // Refuses a page with too many parts before PDFium reads it.
      const traits = traitsOfPage(page)
      await assertPdfPage(page)
      return { page, traits }
    })
    pages.set(number, printed)
  }
  return { kind: 'pdf', pages }
}

/** The texts of a drawing that is printed as a picture. @throws Undrawable if they cannot be read */
function textsBeside(svg: string): RasterText[] {
  try {
    return textsOfPicture(svg)
  } catch (error) {
    if (!(error instanceof NotVectors)) throw error
    throw new Undrawable('drawing', 'The drawing holds text whose style sheet is not understood.')
  }
}
