// What a design contains, for those who check it: texts, names and numbers, fonts, colors, pictures, and where it is printed; and
// which of its pictures a check refuses, with another file in their place.

import { hash } from 'node:crypto'
import { fromJson } from '../../src/json/parse.ts'
import { variationOf } from '../../src/print/order-at-provider.ts'
import { type StoredView, viewsOf } from '../../src/renderer/design.ts'
import type { Rectangle } from '../../src/renderer/matrix.ts'
import { bledBox, type PageBox, pagesOf, stageOf } from '../../src/renderer/page.ts'
import type { Preflight } from '../../src/renderer/preflight-result.ts'
import { reportedTitle, Undrawable } from '../../src/renderer/refusal.ts'
import { currentNames } from '../../src/renderer/stored-names.ts'
import { flagOf, objectOf, type Properties } from '../../src/renderer/values.ts'

export interface ShownView {
  title: string
  /** What the preview shows; undefined where the view has no sound size. */
  stage: Rectangle | undefined
  /** Trim and bleed of each page, in pixels of the stage. */
  pages: { name: string | undefined; trim: Rectangle; bled: Rectangle; size: string }[]
  /** How many more pages the view has. */
  morePages: number
  /** Why there are no pages. */
  problem: string | undefined
  texts: string[]
  /** One line for each printed name, number and size. */
  names: string[]
  /** Whether the customer did not unlock it, so that it is not printed. */
  isLocked: boolean
}

export interface ShownDesign {
  views: ShownView[]
  /** How many more views the design has. */
  moreViews: number
  fonts: string[]
  colors: string[]
  pictures: string[]
  /** What the print provider is asked to print; '' if it is printed here after all, undefined if it always was. */
  variation: string | undefined
}

/** Maximum length of a list, and of a text in it. */
const maxListed = 200
const maxLength = 2000
/** Maximum number of pages that are shown of all views together. */
const maxPages = 100

const isPrinted = (given: Properties) => !flagOf(given, 'excludeFromExport') && !flagOf(given, 'uploadZone')
const isText = (type: unknown) => typeof type === 'string' && /text/i.test(type)

/** @param customization JSON text */
export function shownDesign(customization: string): ShownDesign {
  const value: unknown = fromJson(customization)
  const all = viewsOf(value)
  const elements = all.flatMap((view) => view.elements)
  const printed = elements.map(partsOf).filter(({ given }) => isPrinted(given))
  const texts = printed.filter(({ type }) => isText(type))
  const pictures = printed.filter(({ type }) => !isText(type))
  const holder = variationHolder(value)
  return {
    views: shownViews(all),
    moreViews: Math.max(0, all.length - maxListed),
    fonts: listed(texts.map(({ given }) => given.fontFamily)),
    colors: listed(printed.flatMap(({ given }) => [given.fill, given.svgFill, given.stroke].flat())),
    pictures: listed(
      pictures.map(({ source, title }) =>
        /^data:/i.test(source) ? `${shortened(title)} (inside the design)` : source,
      ),
    ),
    variation: holder && shortened(variationOf(holder) ?? ''),
  }
}

export const variationName = 'variation_printful'

/** The object in a design that says what a print provider prints. */
export function variationHolder(design: unknown): Properties | undefined {
  const content = objectOf(design)
  return [content, objectOf(content.svc_product)].find((part) => (part[variationName] ?? null) !== null)
}

function partsOf(element: Properties) {
  const given = currentNames(objectOf(element.parameters))
  const source = typeof element.source === 'string' ? element.source : ''
  const title = typeof element.title === 'string' ? element.title : ''
  return { given, source, title, type: element.type ?? given.type }
}

/** The views, with the first pages of all of them together. */
function shownViews(all: readonly StoredView[]): ShownView[] {
  let remaining = maxPages
  return all.slice(0, maxListed).map((stored) => {
    const view = shownView(stored, remaining)
    remaining -= view.pages.length
    return view
  })
}

/** @param maxPages that are shown of it */
function shownView(view: StoredView, maxPages: number): ShownView {
  const texts = view.elements.map(partsOf).filter(({ type, given }) => isText(type) && isPrinted(given))
  const pages = drawable(() => pagesOf(view.options, { fit: 'contain', format: 'svg-pdf', dpi: 300 }))
  const stage = drawable(() => stageOf(view.options).box)
  return {
    title: shortened(view.title),
    isLocked: view.isLocked,
    stage: stage.value,
    pages: (pages.value ?? []).slice(0, maxPages).map(shownPage),
    morePages: Math.max(0, (pages.value ?? []).length - maxPages),
    problem: pages.problem ?? stage.problem,
    texts: texts
      .slice(0, maxListed)
      .map(({ given, source }) => shortened(typeof given.text === 'string' ? given.text : source)),
    names: view.names.slice(0, maxListed).map((entry) =>
      shortened(
        Object.values(entry)
          .filter((part) => typeof part === 'string' || typeof part === 'number')
          .join(' · '),
      ),
    ),
  }
}

const shownPage = (page: PageBox) => ({
  name: page.name && shortened(page.name),
  trim: page.box,
  bled: bledBox(page),
  size: `${rounded(page.width)} × ${rounded(page.height)} mm${page.bleed > 0 ? `, bleed ${rounded(page.bleed)} mm` : ''}`,
})

const rounded = (millimetres: number) => Math.round(millimetres * 10) / 10

function drawable<T>(read: () => T): { value?: T; problem?: string } {
  try {
    return { value: read() }
  } catch (error) {
    if (error instanceof Undrawable) return { problem: error.message }
    throw error
  }
}

/** Each text once. */
const listed = (values: readonly unknown[]): string[] => {
  const texts = values.filter((value) => typeof value === 'string' && value.trim() !== '') as string[]
  return [...new Set(texts)].slice(0, maxListed).map(shortened)
}

const shortened = (text: string) => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)

export interface LostPicture {
  /** Stands for its source in forms, because URLs may be of any length. */
  key: string
  view: string
  element: string
  /** Last part of its URL. */
  file: string
}

/** A picture as it is stored; pixels are null for a drawing without a size. */
interface Stored {
  url: string
  width: number | null
  height: number | null
}

const keyOf = (source: string) => hash('sha256', source).slice(0, 32)

const sourceOf = (element: Properties): string => {
  const given = objectOf(element.parameters)
  return [element.source, given.source].find(
    (source) => typeof source === 'string' && source !== '',
  ) as string
}

const isPicture = (element: Properties) => !isText(partsOf(element).type)

/** Each file once. @param design JSON text */
export function lostPictures(design: string, { findings }: Preflight): LostPicture[] {
  const refused = findings.filter(
    ({ level, code }) => level === 'refusal' && (code === 'picture' || code === 'drawing'),
  )
  if (refused.length === 0) return []
  const all = viewsOf(fromJson(design)).flatMap(({ title: view, elements }) =>
    elements.filter(isPicture).flatMap((element) => {
      const [source, { title }] = [sourceOf(element), partsOf(element)]
      const isRefused = refused.some(
        (finding) => finding.view === reportedTitle(view) && finding.element === reportedTitle(title),
      )
      return isRefused && source
        ? [{ key: keyOf(source), view: shortened(view), element: shortened(title), file: fileIn(source) }]
        : []
    }),
  )
  return [...new Map(all.map((lost) => [lost.key, lost])).values()]
}

const fileIn = (source: string) =>
  /^data:/i.test(source)
    ? 'inside the design'
    : (source.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '').slice(0, 100)

/**
 * Puts the picture in the place of the lost one, in the size of that on the print.
 * @param elements of a design; they are changed
 * @returns whether there was one
 */
export function replacePicture(elements: readonly Properties[], key: string, picture: Stored): boolean {
  const lost = elements.filter((element) => isPicture(element) && keyOf(sourceOf(element) ?? '') === key)
  for (const element of lost) Object.assign(element, replaced(element, picture))
  return lost.length > 0
}

function replaced(element: Properties, { url, width, height }: Stored): Properties {
  const given = objectOf(element.parameters)
  const parameters = { ...given, ...('source' in given && { source: url }) }
  const now = currentNames(given)
  const [before, above] = [Number(now.width), Number(now.height)]
  const isCropped = flagOf(given, 'cropped') || Number(now.cropX) > 0 || Number(now.cropY) > 0
  if (isCropped || !width || !height || !(before > 0 && above > 0)) return { source: url, parameters }
  // Into the same frame, without distorting it.
  const ratio = Math.min(before / width, above / height)
  const scaled = (name: string) => (Number(now[name] ?? 1) || 1) * ratio
  const size = { width, height, scaleX: scaled('scaleX'), scaleY: scaled('scaleY') }
  return { source: url, parameters: { ...parameters, ...size } }
}
