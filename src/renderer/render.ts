// Renders one task from design to file. Runs in the renderer's own process; the files that it needs are fetched outside.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileNameOf, uniqueName } from '../core/print-name.ts'
import { fileTypes, hasSignature, typesFor } from '../files/file-types.ts'
import { inBlackInk } from './black-ink.ts'
import { compose, maskClip, type Placed } from './compose.ts'
import { isPdf } from './customer-pdf.ts'
import { isBlank, type Sheet, sheetsOf } from './design-pages.ts'
import { type Loaded, load } from './materials.ts'
import { needsOf } from './needs.ts'
import { type PdfAbout, pdfOf, pixelFile, svgFile } from './output.ts'
import { assertDrawable, pixelSize, sizeNote } from './output-limits.ts'
import { bledSize, type PageBox, type PdfPage, pointsOf } from './page.ts'
import { inspect, pressLimits, warnOfInk } from './preflight.ts'
import { type Finding, Findings, mirrorFinding, shown, Undrawable } from './refusal.ts'
import { reportOf } from './report.ts'
import { type Imposition, imposed } from './sheet.ts'
import type { LoadedFonts, Needs, Outcome, PageReport, PreviewTask, PrintTask, Report, Task } from './task.ts'
import { type ZipFile, zipOf } from './zip.ts'

/** Fetches fonts. */
export type Fetch = (needs: Needs) => Promise<LoadedFonts>

/** Told how much of the work is done, from 0 to 1. */
export type Progress = (done: number) => Promise<void>

/** Parts of the work after which its pages are composed, and then painted. */
const [fetched, laidOut] = [0.2, 0.5]

export async function render(
  task: Task,
  fetch: Fetch,
  progress: Progress = async () => {},
): Promise<Outcome> {
  const findings = new Findings()
  const sheets = sheetsOf(task, findings)
  if (sheets.length === 0) refuseEmpty(findings)
  // A preflight tells everything that it finds.
  if (findings.refusals.length > 0 && task.kind !== 'preflight')
    return { kind: 'refused', refusals: findings.refusals }
  const needs = needsOf(
    sheets.map(({ scene }) => scene),
    sheets.flatMap(({ page }) => page.masks),
  )
  const files = { ...(await fetch({ fonts: needs.fonts })), pictures: task.pictures }
  const loaded = await load(needs, files, {
    fetch,
    maxPicturePixels: task.maxPicturePixels,
    isPreview: task.kind === 'preview',
    cmykProfile: task.kind === 'preview' || pressOf(task) ? undefined : task.cmykProfile,
  })
  const fontGifts = [...files.fonts, ...loaded.drawnFonts.loadedFiles]
  for (const message of new Set([...fontGifts.flatMap(({ notes = [] }) => notes), ...loaded.notes]))
    findings.warn({ code: 'font', view: null, element: null, message })
  const pages: PdfPage[] = []
  const reports: PageReport[] = []
  const drawn: { view: string; page: PageBox; placed: Placed[] }[] = []
  const press = pressOf(task)
  const checks =
    task.kind === 'preview'
      ? { minDpi: undefined, press: undefined, keepsCmyk: false, isVectors: false, faces: loaded.faces }
      : {
          minDpi: task.minDpi,
          press: task.limits ?? pressLimits,
          keepsCmyk: press !== undefined,
          isVectors: task.format === 'svg-pdf',
          faces: loaded.faces,
        }
  const printedSheets: Sheet[] = []
  for (const [index, sheet] of sheets.entries()) {
    const { scene, page, siblings, printingBox } = sheet
    await progress(fetched + ((laidOut - fetched) * index) / sheets.length)
    const composed = compose(scene, printingBox, loaded, findings)
    const placed = press
      ? composed.map((each) => ({ ...each, marks: inBlackInk(each.marks, pointsOf(page), press.blackInk) }))
      : composed
    const pageReport = inspect(scene.title, { page, siblings }, placed, findings, checks)
    if (task.kind !== 'preview' && isBlank(placed, page, loaded.faces)) {
      const isLeftOut = siblings.every((each) => isBlank(placed, each, loaded.faces))
      if (!findings.hasRefused(scene.title)) findings.warn(blankFinding(scene.title, page, isLeftOut))
      if (isLeftOut) continue
    }
    printedSheets.push(sheet)
    reports.push(pageReport)
    drawn.push({ view: scene.title, page, placed })
    const clips =
      findings.try(scene.title, null, () => page.masks.map((mask) => maskClip(mask, loaded))) ?? []
    const marks = placed.flatMap((each) => each.marks)
    const drawnPage: PdfPage = { page, marks: clips.length > 0 ? [{ kind: 'group', clips, marks }] : marks }
    pages.push(drawnPage)
    if (task.kind === 'preview') continue
    findings.try(scene.title, null, () => assertDrawable(drawnPage, loaded, task))
    const note = sizeNote(page, task)
    if (note) findings.warn({ code: 'page', view: scene.title, element: null, message: note })
  }
  if (pages.length === 0) refuseEmpty(findings)
  if (press) await warnOfInk(drawn, loaded.pictures, press, findings).catch((error) => findings.caught(error))
  warnOfFallbacks(loaded, findings)
  if (task.kind !== 'preview' && task.mirror) findings.warn(mirrorFinding)
  const fonts = [...needs.fonts, ...loaded.drawnFonts.needs].map((need, index) => ({
    ...need,
    substitute: fontGifts[index]?.substitute ?? null,
    missing: 'cause' in (fontGifts[index] ?? {}),
  }))
  const imposition = impositionOf(task, printedSheets, findings)
  const positions = printedSheets.map(({ position }) => position)
  const isWhole = positions.every((position, index) => position === index)
  const report = {
    ...reportOf({ pages: reports, fonts }, findings, imposition),
    ...(isWhole ? {} : { positions }),
  }
  if (task.kind === 'preflight') return { kind: 'checked', refusals: findings.refusals, report }
  if (findings.refusals.length > 0) return { kind: 'refused', refusals: findings.refusals }
  const about: PdfAbout = {
    title: reports[0]?.view ?? 'Print',
    imposition,
    drawn: (index) => progress(laidOut + ((1 - laidOut) * index) / pages.length),
  }
  try {
    const { type, bytes } = await (task.kind === 'preview'
      ? previewed(task, pages, loaded)
      : printed(task, pages, loaded, report, about))
    const path = join(task.folder, `result.${type}`)
    await writeFile(path, bytes, { mode: 0o600 })
    return { kind: 'done', path, type, report }
  } catch (error) {
    findings.caught(error)
    return { kind: 'refused', refusals: findings.refusals }
  }
}

/** Unless a refusal says why there is nothing. */
function refuseEmpty(findings: Findings): void {
  const message = 'The design holds nothing to print.'
  if (findings.refusals.length === 0) findings.refuse({ code: 'design', view: null, element: null, message })
}

/** Of a view with several print areas, each is a page; a view of which none shows anything is left out. */
function blankFinding(view: string, { name }: PageBox, isLeftOut: boolean): Finding {
  const message = isLeftOut
    ? 'The view shows nothing that is printed, and is left out.'
    : `The print area ${shown(name ?? '')} shows nothing that is printed; its page is blank.`
  return { code: 'page', view, element: null, message }
}

/** Where the pages lie on sheets; undefined if each is one of the file. */
function impositionOf(task: Task, sheets: readonly Sheet[], findings: Findings): Imposition | undefined {
  if (task.kind === 'preview' || !task.sheet || task.format !== 'svg-pdf') return undefined
  const { sheet } = task
  const sizes = sheets.map(({ page }) => bledSize(page))
  const copies = sheets.map((each) => each.copies)
  return findings.try(null, null, () => ({ sheet, sheets: imposed(sizes, copies, sheet) }))
}

/** Only a PDF is made for the press. */
const pressOf = (task: Task) =>
  task.kind !== 'preview' && task.format === 'svg-pdf' ? task.press : undefined

function warnOfFallbacks({ faces }: Loaded, findings: Findings): void {
  for (const { name, fallbacks } of faces.values()) {
    for (const { face, used } of fallbacks) {
      if (used.size === 0) continue
      const some = [...used].slice(0, 20).join(' ')
      const made = Object.entries(face.made).flatMap(([style, isMade]) => (isMade ? [style] : []))
      const style = made.length > 0 ? ` made ${made.join(' and ')}` : ''
      const message = `The font ${shown(name)} lacks ${some}, which is printed in ${shown(face.name)}${style}.`
      findings.warn({ code: 'glyph', view: null, element: null, message })
    }
  }
}

interface Result {
  type: 'pdf' | 'png' | 'jpeg' | 'svg' | 'zip'
  bytes: Buffer
}

async function printed(
  task: PrintTask,
  pages: PdfPage[],
  loaded: Loaded,
  report: Report,
  about: PdfAbout,
): Promise<Result> {
  const named = namesIn(task, report)
  const files = await printFiles(task, pages, loaded, { ...about, named })
  const [only] = files
  const isAlone = !task.includeFonts && !task.includePictures && !task.summary && task.ticket === undefined
  if (isAlone && only && files.length === 1) {
    return { type: only.type, bytes: only.bytes }
  }
  const extra: ZipFile[] = []
  if (task.includeFonts) {
    // One file may be drawn in several styles.
    const files = new Map([...loaded.faces.values()].map(({ name, bytes }) => [bytes, name]))
    for (const [index, [bytes, name]] of [...files].entries()) {
      extra.push({ name: `fonts/${index + 1}-${plainName(name)}.ttf`, bytes })
    }
  }
  if (task.includePictures) {
    for (const [index, bytes] of [...loaded.originals.values()].entries()) {
      extra.push({ name: `images/${index + 1}.${extensionOf(bytes)}`, bytes })
    }
  }
  if (task.ticket !== undefined)
    extra.push({ name: named('ticket', 'html'), bytes: Buffer.from(task.ticket) })
  if (task.summary)
    extra.push({ name: 'summary.json', bytes: Buffer.from(`${JSON.stringify(report, null, 2)}\n`) })
  return { type: 'zip', bytes: await zipOf([...files.map(({ name, bytes }) => ({ name, bytes })), ...extra]) }
}

async function printFiles(
  task: PrintTask,
  pages: PdfPage[],
  loaded: Loaded,
  { named, ...about }: PdfAbout & { named: ReturnType<typeof namesIn> },
): Promise<(Result & { name: string })[]> {
  const { format, dpi } = task
  if (format === 'svg-pdf') {
    const bytes = await pdfOf(task, pages, loaded, about)
    return [{ name: named('print', 'pdf'), type: 'pdf', bytes }]
  }
  const files: (Result & { name: string })[] = []
  for (const [index, page] of pages.entries()) {
    await about.drawn(index)
    const name = named(`page-${index + 1}`, format === 'jpeg' ? 'jpg' : format, index)
    if (format === 'svg') files.push({ name, type: 'svg', bytes: await svgFile(page, loaded, task) })
    else {
      const size = pixelSize(page.page, task)
      const raster = { type: format, ...size, dpi, mirror: task.mirror }
      files.push({ name, type: format, bytes: await pixelFile(page, loaded, raster) })
    }
  }
  return files
}

/** Names of the files in an archive: of a page with its view, by the template or behind the name, and with its number. */
function namesIn({ fileName }: PrintTask, { pages }: Report) {
  const taken = new Set<string>()
  return (plain: string, extension: string, index?: number): string => {
    if (!fileName) return `${plain}.${extension}`
    const { template, texts } = fileName
    const view = index === undefined ? '' : (pages[index]?.view ?? '')
    const pattern = index === undefined || template.includes('{view}') ? template : `${template}-{view}`
    return uniqueName(fileNameOf(pattern, { ...texts, view }) || plain, extension, taken)
  }
}

async function previewed(task: PreviewTask, pages: PdfPage[], loaded: Loaded): Promise<Result> {
  const [page] = pages
  if (!page) throw new Undrawable('design', 'The design has no such view.')
  const { width: w, height: h } = page.page.box
  const width = Math.max(1, Math.min(task.width, Math.floor(Math.sqrt((task.maxPixels * w) / h))))
  const height = Math.max(1, Math.round((width * h) / w))
  return { type: 'png', bytes: await pixelFile(page, loaded, { type: 'png', width, height, dpi: undefined }) }
}

const plainName = (name: string) => name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 80) || 'font'

/** A drawing has no first bytes of its own. */
function extensionOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  const type = isPdf(bytes) ? 'pdf' : typesFor('embedded').find((each) => hasSignature(start, each))
  return fileTypes[type ?? 'svg'].extensions[0]
}
