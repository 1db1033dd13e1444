// Composes a page of a task: lays out its elements, checks them, and leaves out views that show nothing.
import { inBlackInk } from './black-ink.ts'
import { maskClip } from './clip.ts'
import { compose, type Placed } from './compose.ts'
import { isBlank, type PrintPage } from './design-pages.ts'
import type { Loaded } from './materials.ts'
import { assertDrawable, sizeNote } from './output-limits.ts'
import { type DrawnPage, type PageBox, pointsOf } from './page.ts'
import { checkElements } from './page-checks.ts'
import { type Finding, type Findings, quoted, reportedTitle } from './refusal.ts'
import type { BlackInk } from './renderer-options.ts'
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

/**
 * Composes the page, and checks it unless it is a preview, whose warnings are not shown. Findings are added, also refusals of elements.
 * Returns undefined if the page is left out because no page of its view shows anything.
 */
export function composedPage(
  task: Task,
  source: PrintPage,
  loaded: Loaded,
  findings: Findings,
): ComposedPage | undefined {
  const { scene, page, siblings, printingBox } = source
  const view = scene.title
  const composed = compose(scene, printingBox, loaded, findings)
  if (task.kind === 'preview') {
    const drawn = withinMasks(composed, source, loaded, findings)
    return { source, placed: composed, drawn, report: pageReport(view, page, []) }
  }
  const press = pressOf(task)
  const placed = press ? inPressInks(composed, page, press.blackInk) : composed
  const elements = checkElements(view, { page, siblings }, placed, findings, {
    minDpi: task.minDpi,
    keepsCmyk: press !== undefined,
    // A PNG is transparent. A white underprint makes white text visible on any material.
    isOnWhite: task.format !== 'png' && page.finishing.whiteUnderprint === undefined,
    isVectors: task.format === 'svg-pdf',
    faces: loaded.faces,
  })
  if (isBlank(placed, page, loaded.faces)) {
    const isLeftOut = siblings.every((sibling) => isBlank(placed, sibling, loaded.faces))
    if (!findings.hasRefused(view)) findings.warn(blankFinding(view, page, { isLeftOut }))
    if (isLeftOut) return undefined
  }
  const drawn = withinMasks(placed, source, loaded, findings)
  findings.try(view, null, () => assertDrawable(drawn, loaded, task))
  const note = sizeNote(page, task)
  if (note) findings.warn({ code: 'page', view, element: null, message: note })
  return { source, placed, drawn, report: pageReport(view, page, elements) }
}

/** The page with the marks of all elements, clipped by its masks. A mask that cannot clip is a refusal. */
function withinMasks(
  placed: readonly Placed[],
  { scene, page }: PrintPage,
  loaded: Loaded,
  findings: Findings,
): DrawnPage {
  const masks = () => page.masks.map((mask) => maskClip(mask, loaded))
  const clips = findings.try(scene.title, null, masks) ?? []
  const marks = placed.flatMap((element) => element.marks)
  return { page, marks: clips.length > 0 ? [{ kind: 'group', clips, marks }] : marks }
}

function pageReport(
  view: string,
  { name, width, height, bleed }: PageBox,
  elements: PageReport['elements'],
): PageReport {
  const area = name === undefined ? null : reportedTitle(name)
  return { view: reportedTitle(view), area, width, height, bleed, elements }
}

/** The elements with `inBlack` on the colors that black ink alone prints. */
const inPressInks = (placed: readonly Placed[], page: PageBox, blackInk: BlackInk): Placed[] =>
  placed.map((element) => ({ ...element, marks: inBlackInk(element.marks, pointsOf(page), blackInk) }))

/** The warning about a page that shows nothing: a blank print area, or a view of which no area shows anything. */
function blankFinding(view: string, { name }: PageBox, { isLeftOut }: { isLeftOut: boolean }): Finding {
  const message = isLeftOut
    ? 'The view shows nothing that is printed, and is left out.'
    : `The print area ${quoted(name ?? '')} shows nothing that is printed; its page is blank.`
  return { code: 'page', view, element: null, message }
}
