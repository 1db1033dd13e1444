// Renders one task from design to file, in a child process (process.ts). The host's process fetches the files that it needs.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PrintPage, printPagesOf } from './design-pages.ts'
import { warnOfInk } from './ink-warnings.ts'
import { type Loaded, load } from './materials.ts'
import { needsOf } from './needs.ts'
import { bledSize } from './page.ts'
import { type ComposedPage, composedPage, pressOf } from './page-composition.ts'
import { Findings, mirrorFinding, quoted } from './refusal.ts'
import { reportOf } from './report.ts'
import { previewResult, printResult } from './result-files.ts'
import { type Imposition, imposed, orientedSize } from './sheet.ts'
import type { LoadedFonts, Needs, Outcome, Report, Task } from './task.ts'

/** Fetches fonts from the host's process. */
export type Fetch = (needs: Needs) => Promise<LoadedFonts>

/** Reports how much of the work is done, from 0 to 1. */
export type Progress = (done: number) => Promise<void>

/** How much of the work is done when the files are loaded, and when all pages are composed. */
const [fetchedShare, composedShare] = [0.2, 0.5]

/**
 * Renders a task: reads the design, loads fonts and pictures, composes the pages, then writes the file into the folder of the task,
 * unless it is a preflight. A design that cannot be printed exactly is refused, with all refusals that were found.
 * @throws other errors than Undrawable, such as those of a full disk
 */
export async function render(
  task: Task,
  fetch: Fetch,
  progress: Progress = async () => {},
): Promise<Outcome> {
  const findings = new Findings()
  const refused = (): Outcome => ({ kind: 'refused', refusals: findings.refusals })
  const printPages = printPagesOf(task, findings)
  if (printPages.length === 0) refuseEmpty(findings)
  // Prints and preflights go on, to report all refusals.
  if (findings.refusals.length > 0 && task.kind === 'preview') return refused()
  const { loaded, fonts } = await loadFor(task, printPages, fetch, findings)
  const pages: ComposedPage[] = []
  for (const [index, printPage] of printPages.entries()) {
    await progress(fetchedShare + ((composedShare - fetchedShare) * index) / printPages.length)
    const page = composedPage(task, printPage, loaded, findings)
    if (page) pages.push(page)
  }
  if (pages.length === 0) refuseEmpty(findings)
  await warnOfPrint(task, pages, loaded, findings)
  const imposition = impositionOf(task, pages, findings)
  const report = reportOf({ pages: pages.map((page) => page.report), fonts }, findings, imposition)
  const fullReport = { ...report, ...positionsOf(pages) }
  if (task.kind === 'preflight') return { kind: 'checked', refusals: findings.refusals, report: fullReport }
  if (findings.refusals.length > 0) return refused()
  const drawn = pages.map((page) => page.drawn)
  const pdfSettings = {
    title: pages[0]?.report.view ?? 'Print',
    imposition,
    beforePage: (index: number) => progress(composedShare + ((1 - composedShare) * index) / pages.length),
  }
  try {
    const { type, bytes } = await (task.kind === 'preview'
      ? previewResult(task, drawn, loaded)
      : printResult(task, drawn, loaded, fullReport, pdfSettings))
    const path = join(task.folder, `result.${type}`)
    await writeFile(path, bytes, { mode: 0o600 })
    return { kind: 'done', path, type, report: fullReport }
  } catch (error) {
    findings.caught(error)
    return refused()
  }
}

/** Loads the files that the pages need. `fonts` lists all needed fonts for the report. */
async function loadFor(
  task: Task,
  printPages: readonly PrintPage[],
  fetch: Fetch,
  findings: Findings,
): Promise<{ loaded: Loaded; fonts: Report['fonts'] }> {
  const needs = needsOf(
    printPages.map(({ scene }) => scene),
    printPages.flatMap(({ page }) => page.masks),
  )
  const files = { ...(await fetch({ fonts: needs.fonts })), pictures: task.pictures }
  const loaded = await load(needs, files, {
    fetch,
    maxPicturePixels: task.maxPicturePixels,
    isPreview: task.kind === 'preview',
    cmykProfile: task.kind === 'preview' || pressOf(task) ? undefined : task.cmykProfile,
  })
  const fontFiles = [...files.fonts, ...loaded.drawnFonts.loadedFiles]
  for (const message of new Set([...fontFiles.flatMap(({ notes = [] }) => notes), ...loaded.notes]))
    findings.warn({ code: 'font', view: null, element: null, message })
  const fonts = [...needs.fonts, ...loaded.drawnFonts.needs].map((need, index) => ({
    ...need,
    substitute: fontFiles[index]?.substitute ?? null,
    missing: 'cause' in (fontFiles[index] ?? {}),
  }))
  return { loaded, fonts }
}

/** Refuses a design without pages, unless another refusal gives the reason already. */
function refuseEmpty(findings: Findings): void {
  const message = 'The design holds nothing to print.'
  if (findings.refusals.length === 0) findings.refuse({ code: 'design', view: null, element: null, message })
}

/** Warns of inks, of characters in other fonts, and of mirrored pages. */
async function warnOfPrint(
  task: Task,
  pages: readonly ComposedPage[],
  loaded: Loaded,
  findings: Findings,
): Promise<void> {
  const press = pressOf(task)
  const inked = pages.map(({ source, placed }) => ({ view: source.scene.title, page: source.page, placed }))
  if (press) await warnOfInk(inked, loaded.pictures, press, findings).catch((error) => findings.caught(error))
  warnOfFallbacks(loaded, findings)
  if (task.kind !== 'preview' && task.mirror) findings.warn(mirrorFinding)
}

/** Warns of characters that a font lacks, with the font in which they are printed; `used` was filled while the text was laid out. */
function warnOfFallbacks({ faces }: Loaded, findings: Findings): void {
  for (const { name, fallbacks } of faces.values()) {
    for (const { face, used } of fallbacks) {
      if (used.size === 0) continue
      const characters = [...used].slice(0, 20).join(' ')
      const madeStyles = Object.entries(face.made).flatMap(([style, isMade]) => (isMade ? [style] : []))
      const style = madeStyles.length > 0 ? ` made ${madeStyles.join(' and ')}` : ''
      const message = `The font ${quoted(name)} lacks ${characters}, which is printed in ${quoted(face.name)}${style}.`
      findings.warn({ code: 'glyph', view: null, element: null, message })
    }
  }
}

/** Where the pages lie on press sheets; undefined if each page is one of the file, or if something was refused. */
function impositionOf(
  task: Task,
  pages: readonly ComposedPage[],
  findings: Findings,
): Imposition | undefined {
  if (task.kind === 'preview' || !task.sheet || task.format !== 'svg-pdf') return undefined
  const { sheet } = task
  const sizes = pages.map(({ source }) => bledSize(source.page))
  const copies = pages.map(({ source }) => source.copies)
  for (const [index, size] of sizes.entries())
    findings.try(pages[index]?.report.view ?? null, null, () => orientedSize(size, sheet))
  if (findings.refusals.length > 0) return undefined
  return findings.try(null, null, () => ({ sheet, sheets: imposed(sizes, copies, sheet) }))
}

/** The positions of the pages among all pages of the design, if some were left out. */
function positionsOf(pages: readonly ComposedPage[]): Pick<Report, 'positions'> {
  const positions = pages.map(({ source }) => source.position)
  return positions.every((position, index) => position === index) ? {} : { positions }
}
