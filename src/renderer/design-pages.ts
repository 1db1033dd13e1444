// Decides which views and print areas of a design become pages, in their order, which pictures these need, and which show nothing.
import { fromJson } from '../json/parse.ts'
import { boundsOfMarks } from './bounds.ts'
import type { Placed } from './compose.ts'
import { entriesFinding, type StoredView, viewsOf } from './design.ts'
import type { Face } from './face.ts'
import { identity, intersection, type Rectangle } from './matrix.ts'
import { fetchedPictures, needsOf } from './needs.ts'
import { bledBox, type PageBox, pagesOf, printingBoxOf, stageOf } from './page.ts'
import { Findings, Undrawable } from './refusal.ts'
import { type Scene, sceneOf } from './scene.ts'
import type { PreviewTask, PrintTask, Task } from './task.ts'

/** Elements on all pages of a file. */
const maxElements = 50_000

/** A page to print, and the view that it shows. */
export interface PrintPage {
  scene: Scene
  page: PageBox
  /** All pages of the scene, one for each print area. */
  siblings: PageBox[]
  printingBox: PageBox['box']
  /** How often it is printed on press sheets. */
  copies: number
  /** Its index among all pages of the design, counting those that are left out. */
  position: number
}

/** The pages of a task in their order: for a preview one, or none. What cannot be read becomes a refusal in `findings`. */
export function printPagesOf(task: Task, findings: Findings): PrintPage[] {
  const views = findings.try(null, null, () => viewsOf(parsed(task.design))) ?? []
  findings.setViews(views.map(({ title }) => title))
  if (task.kind !== 'preview') return pagesOfViews(views, task, findings)
  const view = views[task.view]
  return view ? previewPage(view, findings) : []
}

/** The whole stage of a view. */
function previewPage(view: StoredView, findings: Findings): PrintPage[] {
  const page = findings.try(view.title, null, () => stageOf(view.options))
  if (!page) return []
  // A product that is not set up for print has no printing box yet.
  const printingBox = findings.try(view.title, null, () => printingBoxOf(view.options)) ?? page.box
  const scene = sceneOf(view, findings, { isPreview: true })
  return [{ scene, page, siblings: [page], printingBox, copies: 1, position: 0 }]
}

/** The pages of all views, up to the limits on pages and elements. */
function pagesOfViews(views: readonly StoredView[], task: PrintTask, findings: Findings): PrintPage[] {
  const printPages: PrintPage[] = []
  let elements = 0
  let position = 0
  for (const view of views) {
    if (view.isLocked) {
      position += lockedPages(view, task)
      const message = 'The customer did not unlock this optional view; it is not printed.'
      findings.warn({ code: 'page', view: view.title, element: null, message })
      continue
    }
    const pages = pagesOfView(view, task, findings)
    if (pages.length === 0) continue
    const printingBox = findings.try(view.title, null, () => printingBoxOf(view.options))
    if (!printingBox) continue
    const entries = task.isBundle && task.sheet ? entriesFinding(view, view.copies) : undefined
    if (entries) findings.warn(entries)
    for (const nameEntry of view.names.length > 0 ? view.names : [undefined]) {
      if (printPages.length + pages.length > task.maxPages) {
        refuseLimit(findings, view, `The design has more than ${task.maxPages} pages.`)
        return printPages
      }
      const scene = sceneOf(view, findings, { nameEntry })
      elements += scene.elements.length * pages.length
      if (elements > maxElements) {
        const message = `The pages of the design have more than ${maxElements} elements together.`
        refuseLimit(findings, view, message)
        return printPages
      }
      const copies = task.isBundle && !nameEntry ? view.copies : 1
      for (const page of pages)
        printPages.push({ scene, page, siblings: pages, printingBox, copies, position: position++ })
    }
  }
  return printPages
}

/** The pages of a view, one for each print area; warns of boxes that are fitted. */
function pagesOfView(view: StoredView, task: PrintTask, findings: Findings): PageBox[] {
  const pages = findings.try(view.title, null, () => pagesOf(view.options, task)) ?? []
  for (const { note } of pages)
    if (note) findings.warn({ code: 'page', view: view.title, element: null, message: note })
  return pages
}

function refuseLimit(findings: Findings, { title }: StoredView, message: string): void {
  findings.refuse({ code: 'limit', view: title, element: null, message })
}

/** The number of pages that a locked view would have; 1 if that cannot be read. */
function lockedPages({ options }: StoredView, task: PrintTask): number {
  return new Findings().try(null, null, () => pagesOf(options, task).length) ?? 1
}

/**
 * The URLs of the pictures that the pages need as files, which the host fetches before `render` runs. Faults of the design are ignored:
 * `printPagesOf` reports them. A preview with one needs nothing, because it is refused.
 */
export function neededPictures(task: PrintTask | PreviewTask): string[] {
  const findings = new Findings()
  const views = findings.try(null, null, () => viewsOf(parsed(task.design))) ?? []
  const drawnViews =
    task.kind === 'preview'
      ? views.slice(task.view, task.view + 1)
      : views.filter(({ isLocked }) => !isLocked)
  const boxesOf = ({ options }: StoredView) =>
    task.kind === 'preview' ? [stageOf(options)] : pagesOf(options, task)
  const pages = drawnViews.flatMap((view) => findings.try(view.title, null, () => boxesOf(view)) ?? [])
  // Entries of names and numbers change texts, not pictures.
  const scenes = drawnViews.map((view) => sceneOf(view, findings, { isPreview: task.kind === 'preview' }))
  if (findings.refusals.length > 0 && task.kind === 'preview') return []
  const masks = pages.flatMap((page) => page.masks)
  return fetchedPictures(needsOf(scenes, masks))
}

/** @throws Undrawable if the text is not JSON */
function parsed(design: string): unknown {
  try {
    return fromJson(design)
  } catch {
    throw new Undrawable('design', 'The design is not readable as JSON.')
  }
}

/** Whether none of the elements paints anything on the page, by the rectangles around what they paint. */
export function isBlank(placed: readonly Placed[], page: PageBox, faces: ReadonlyMap<string, Face>): boolean {
  const box = bledBox(page)
  const touchesPage = (area: Rectangle | undefined) =>
    area !== undefined && intersection(area, box) !== undefined
  return !placed.some(({ element, marks, area }) => {
    // A text of spaces has an area, but nothing in it.
    if (element.kind === 'picture' && marks.length > 0 && touchesPage(area)) return true
    return touchesPage(boundsOfMarks(marks, identity, (key) => faces.get(key)))
  })
}
