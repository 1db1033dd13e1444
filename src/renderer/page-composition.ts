// Composes the pages of a task: lays out the elements of each page, checks them, and leaves out views that show nothing.
import { inBlackInk } from './black-ink.ts'
import { maskClip } from './clip.ts'
import { compose, type Placed } from './compose.ts'
import { isBlank, type PrintPage } from './design-pages.ts'
import type { Loaded } from './materials.ts'
import { assertDrawable, sizeNote } from './output-limits.ts'
import { type DrawnPage, type PageBox, pointsOf } from './page.ts'
import { checkPage, type PageChecks } from './page-checks.ts'
import { type Finding, type Findings, quoted } from './refusal.ts'
import type { PageReport, Task } from './task.ts'

/** A page that is ready to be painted. */
export interface ComposedPage {
  source: PrintPage
  /** Its elements, for the warnings about inks. */
  placed: Placed[]
  drawn: DrawnPage
  report: PageReport
}

/** The press of a task; undefined for files in RGB: previews, formats other than PDF, and PDFs without a press. */
export const pressOf = (task: Task) =>
  task.kind !== 'preview' && task.format === 'svg-pdf' ? task.press : undefined

/** Composes the page and checks it; findings are added. Returns undefined if it is left out because no page of its view shows anything. */
export function composedPage(
  task: Task,
  source: PrintPage,
  loaded: Loaded,
  findings: Findings,
): ComposedPage | undefined {
  const { scene, page, siblings, printingBox } = source
  const view = scene.title
  const placed = inPressInks(task, compose(scene, printingBox, loaded, findings), page)
  const report = checkPage(view, { page, siblings }, placed, findings, checksOf(task, page, loaded))
  if (task.kind !== 'preview' && isBlank(placed, page, loaded.faces)) {
    const isLeftOut = siblings.every((sibling) => isBlank(placed, sibling, loaded.faces))
    if (!findings.hasRefused(view)) findings.warn(blankFinding(view, page, { isLeftOut }))
    if (isLeftOut) return undefined
  }
  const clips = findings.try(view, null, () => page.masks.map((mask) => maskClip(mask, loaded))) ?? []
  const marks = placed.flatMap((element) => element.marks)
  const drawn: DrawnPage = { page, marks: clips.length > 0 ? [{ kind: 'group', clips, marks }] : marks }
  if (task.kind !== 'preview') {
    findings.try(view, null, () => assertDrawable(drawn, loaded, task))
    const note = sizeNote(page, task)
    if (note) findings.warn({ code: 'page', view, element: null, message: note })
  }
  return { source, placed, drawn, report }
}

/** The elements with the grays that black ink alone prints; unchanged unless the file is made for a press. */
function inPressInks(task: Task, placed: Placed[], page: PageBox): Placed[] {
  const press = pressOf(task)
  if (!press) return placed
  return placed.map((element) => ({
    ...element,
    marks: inBlackInk(element.marks, pointsOf(page), press.blackInk),
  }))
}

/** What is checked on a page. */
function checksOf(task: Task, { finishing }: PageBox, { faces }: Loaded): PageChecks {
  if (task.kind === 'preview')
    return {
      minDpi: undefined,
      isForPrint: false,
      keepsCmyk: false,
      isOnWhite: false,
      isVectors: false,
      faces,
    }
  return {
    minDpi: task.minDpi,
    isForPrint: true,
    keepsCmyk: pressOf(task) !== undefined,
    // A PNG is transparent. A white underprint makes white text visible on any material.
    isOnWhite: task.format !== 'png' && finishing.whiteUnderprint === undefined,
    isVectors: task.format === 'svg-pdf',
    faces,
  }
}

/** The warning about a page that shows nothing: a blank print area, or a view of which no area shows anything. */
function blankFinding(view: string, { name }: PageBox, { isLeftOut }: { isLeftOut: boolean }): Finding {
  const message = isLeftOut
    ? 'The view shows nothing that is printed, and is left out.'
    : `The print area ${quoted(name ?? '')} shows nothing that is printed; its page is blank.`
  return { code: 'page', view, element: null, message }
}
