// Which views and print areas of a design become pages, in their order; and which of these show nothing.
import { fromJson } from '../json/parse.ts'
import { boundsOfMarks } from './bounds.ts'
import type { Placed } from './compose.ts'
import { type StoredView, viewsOf } from './design.ts'
import type { Face } from './face.ts'
import { common, identity, type Rectangle } from './matrix.ts'
import { fetchedPictures, needsOf } from './needs.ts'
import { bledBox, type PageBox, pagesOf, printingBoxOf, stageOf } from './page.ts'
import { Findings, Undrawable } from './refusal.ts'
import { type Scene, sceneOf } from './scene.ts'
import type { PreviewTask, PrintTask, Task } from './task.ts'

/** Elements on all pages of a file. */
const maxElements = 50_000

/** A page, and what it shows. */
export interface Sheet {
  scene: Scene
  page: PageBox
  /** All pages of the scene. */
  siblings: PageBox[]
  printingBox: PageBox['box']
  copies: number
  /** The place among all pages of the design, those that are left out included. */
  position: number
}

export function sheetsOf(task: Task, findings: Findings): Sheet[] {
  const views = findings.try(null, null, () => viewsOf(parsed(task.design))) ?? []
  if (task.kind === 'preview') {
    const view = views[task.view]
    if (!view) return []
    const box = findings.try(view.title, null, () => ({ page: stageOf(view.options) }))
    if (!box) return []
    // A product that is not set up for print has no printing box yet.
    const printingBox = findings.try(view.title, null, () => printingBoxOf(view.options))
    return [
      {
        scene: sceneOf(view, findings, { isPreview: true }),
        page: box.page,
        siblings: [box.page],
        printingBox: printingBox ?? box.page.box,
        copies: 1,
        position: 0,
      },
    ]
  }
  const sheets: Sheet[] = []
  let count = 0
  let position = 0
  for (const view of views) {
    if (view.isLocked) {
      position += lockedPages(view, task)
      const message = 'The customer did not unlock this optional view; it is not printed.'
      findings.warn({ code: 'page', view: view.title, element: null, message })
      continue
    }
    const pages = findings.try(view.title, null, () => pagesOf(view.options, task)) ?? []
    for (const { note } of pages) {
      if (note) findings.warn({ code: 'page', view: view.title, element: null, message: note })
    }
    if (pages.length === 0) continue
    const printingBox = findings.try(view.title, null, () => printingBoxOf(view.options))
    if (!printingBox) continue
    for (const named of view.names.length > 0 ? view.names : [undefined]) {
      if (sheets.length + pages.length > task.maxPages) {
        const message = `The design has more than ${task.maxPages} pages.`
        findings.refuse({ code: 'limit', view: view.title, element: null, message })
        return sheets
      }
      const scene = sceneOf(view, findings, { named })
      count += scene.elements.length * pages.length
      if (count > maxElements) {
        const message = `The pages of the design have more than ${maxElements} elements together.`
        findings.refuse({ code: 'limit', view: view.title, element: null, message })
        return sheets
      }
      sheets.push(
        ...pages.map((page) => ({
          position: position++,
          scene,
          page,
          siblings: pages,
          printingBox,
          copies: task.isBundle ? view.copies : 1,
        })),
      )
    }
  }
  return sheets
}

/** The number of pages that a locked view would have. */
function lockedPages({ options }: StoredView, task: PrintTask): number {
  return new Findings().try(null, null, () => pagesOf(options, task).length) ?? 1
}

/** Names of the pictures that the pages need as files. What cannot be read is left for `sheetsOf` to report. */
export function neededPictures(task: PrintTask | PreviewTask): string[] {
  const findings = new Findings()
  const views = findings.try(null, null, () => viewsOf(parsed(task.design))) ?? []
  const drawn =
    task.kind === 'preview'
      ? views.slice(task.view, task.view + 1)
      : views.filter(({ isLocked }) => !isLocked)
  const pagesOfView = ({ options }: StoredView) =>
    task.kind === 'preview' ? [stageOf(options)] : pagesOf(options, task)
  const pages = drawn.flatMap((view) => findings.try(view.title, null, () => pagesOfView(view)) ?? [])
  // Names and numbers change texts alone.
  const scenes = drawn.map((view) => sceneOf(view, findings, { isPreview: task.kind === 'preview' }))
  if (findings.refusals.length > 0 && task.kind !== 'preflight') return []
  const masks = pages.flatMap((page) => page.masks)
  return fetchedPictures(needsOf(scenes, masks))
}

function parsed(design: string): unknown {
  try {
    return fromJson(design)
  } catch {
    throw new Undrawable('design', 'The design is not readable as JSON.')
  }
}

/** Whether nothing of the elements is painted on the page. */
export function isBlank(placed: readonly Placed[], page: PageBox, faces: ReadonlyMap<string, Face>): boolean {
  const box = bledBox(page)
  const isOn = (area: Rectangle | undefined) => area !== undefined && common(area, box) !== undefined
  return !placed.some(({ element, marks, area }) => {
    // A text of spaces has an area, but nothing in it.
    if (element.kind === 'picture' && marks.length > 0 && isOn(area)) return true
    return isOn(boundsOfMarks(marks, identity, (key) => faces.get(key)))
  })
}
