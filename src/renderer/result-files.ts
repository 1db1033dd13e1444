// Writes composed pages as the file of a task: a print file, an archive of several files, or a preview.
import { fileNameOf, uniqueName } from '../core/print-name.ts'
import { fileTypes, hasSignature, typesFor } from '../files/file-types.ts'
import { isPdf } from './customer-pdf.ts'
import type { Loaded } from './materials.ts'
import { pixelSize } from './output-limits.ts'
import type { DrawnPage } from './page.ts'
import { type PdfSettings, pdfOf } from './pdf-file.ts'
import { pixelFile } from './raster-file.ts'
import { Undrawable } from './refusal.ts'
import { svgFile } from './svg-file.ts'
import type { PreviewTask, PrintTask, Report } from './task.ts'
import { type ZipFile, zipOf } from './zip-writer.ts'

/** The file that a task results in. */
interface ResultFile {
  type: 'pdf' | 'png' | 'jpeg' | 'svg' | 'zip'
  bytes: Buffer
}

type NamedFile = ResultFile & { name: string }

/**
 * The print file of composed pages: one file, or a ZIP archive of several and of what the task includes.
 * @param pdfSettings for other formats only its `beforePage` matters
 */
export async function printResult(
  task: PrintTask,
  pages: DrawnPage[],
  loaded: Loaded,
  report: Report,
  pdfSettings: PdfSettings,
): Promise<ResultFile> {
  const nameOf = fileNames(task, report)
  const files = await pageFiles(task, pages, loaded, { ...pdfSettings, nameOf })
  const [only] = files
  const isAlone = !task.includeFonts && !task.includePictures && !task.summary && task.ticket === undefined
  if (isAlone && only && files.length === 1) return { type: only.type, bytes: only.bytes }
  const archive: ZipFile[] = files.map(({ name, bytes }) => ({ name, bytes }))
  if (task.includeFonts) archive.push(...fontFiles(loaded))
  if (task.includePictures) archive.push(...pictureFiles(loaded))
  if (task.ticket !== undefined)
    archive.push({ name: nameOf('ticket', 'html'), bytes: Buffer.from(task.ticket) })
  if (task.summary)
    archive.push({ name: 'summary.json', bytes: Buffer.from(`${JSON.stringify(report, null, 2)}\n`) })
  return { type: 'zip', bytes: await zipOf(archive) }
}

/** The font files of the design, those of fallbacks included. A file that is drawn in several styles is included once. */
function fontFiles({ faces }: Loaded): ZipFile[] {
  const nameByFile = new Map([...faces.values()].map(({ name, bytes }) => [bytes, name]))
  return [...nameByFile].map(([bytes, name], index) => ({
    name: `fonts/${index + 1}-${plainName(name)}.ttf`,
    bytes,
  }))
}

/** The picture files of the design, unchanged. */
const pictureFiles = ({ originals }: Loaded): ZipFile[] =>
  [...originals.values()].map((bytes, index) => ({
    name: `images/${index + 1}.${extensionOf(bytes)}`,
    bytes,
  }))

/** A PDF of all pages, or a file for each page. */
async function pageFiles(
  task: PrintTask,
  pages: DrawnPage[],
  loaded: Loaded,
  { nameOf, ...pdfSettings }: PdfSettings & { nameOf: NameOf },
): Promise<NamedFile[]> {
  const { format, dpi } = task
  if (format === 'svg-pdf') {
    const bytes = await pdfOf(task, pages, loaded, pdfSettings)
    return [{ name: nameOf('print', 'pdf'), type: 'pdf', bytes }]
  }
  const files: NamedFile[] = []
  for (const [index, page] of pages.entries()) {
    await pdfSettings.beforePage(index)
    const name = nameOf(`page-${index + 1}`, format === 'jpeg' ? 'jpg' : format, index)
    if (format === 'svg') files.push({ name, type: 'svg', bytes: await svgFile(page, loaded, task) })
    else {
      const size = pixelSize(page.page, task)
      const raster = { type: format, ...size, dpi, mirror: task.mirror }
      files.push({ name, type: format, bytes: await pixelFile(page, loaded, raster) })
    }
  }
  return files
}

/**
 * Returns the name of a file of an archive, different from those of the files before.
 * @param name for tasks without a template, different for each file
 * @param index of the page that the file contains; undefined for a file of all pages, and for the ticket
 */
type NameOf = (name: string, extension: string, index?: number) => string

/** Names by the template of the task. A page's name contains its view: where the template asks for it, else at the end. */
function fileNames({ fileName }: PrintTask, { pages }: Report): NameOf {
  const taken = new Set<string>()
  return (name, extension, index) => {
    if (!fileName) return `${name}.${extension}`
    const { template, texts } = fileName
    const view = index === undefined ? '' : (pages[index]?.view ?? '')
    const pattern = index === undefined || template.includes('{view}') ? template : `${template}-{view}`
    return uniqueName(fileNameOf(pattern, { ...texts, view }) || name, extension, taken)
  }
}

/** The preview of a view as PNG, at most as wide as the task asks for. */
export async function previewResult(
  task: PreviewTask,
  pages: DrawnPage[],
  loaded: Loaded,
): Promise<ResultFile> {
  const [page] = pages
  if (!page) throw new Undrawable('design', 'The design has no such view.')
  const { box } = page.page
  const width = Math.max(
    1,
    Math.min(task.width, Math.floor(Math.sqrt((task.maxPixels * box.width) / box.height))),
  )
  const height = Math.max(1, Math.round((width * box.height) / box.width))
  return { type: 'png', bytes: await pixelFile(page, loaded, { type: 'png', width, height, dpi: undefined }) }
}

/** The name of a family as part of a file name. */
const plainName = (name: string) => name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 80) || 'font'

/** The extension of a picture by its first bytes; `svg` for a file without a signature, because all others have one. */
function extensionOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  const type = isPdf(bytes) ? 'pdf' : typesFor('embedded').find((candidate) => hasSignature(start, candidate))
  return fileTypes[type ?? 'svg'].extensions[0]
}
