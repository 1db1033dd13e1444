// Lists what a design contains, for the page of an order: texts, names and numbers, fonts, colors, pictures, and the areas it is
// printed on.
import { fromJson } from '../../src/json/parse.ts'
import { variationOf } from '../../src/print/order-at-provider.ts'
import { nameText, type StoredView, viewsOf } from '../../src/renderer/design.ts'
import type { Rectangle } from '../../src/renderer/matrix.ts'
import { bledBox, type PageBox, pagesOf, stageOf } from '../../src/renderer/page.ts'
import { Undrawable } from '../../src/renderer/refusal.ts'
import { currentNames } from '../../src/renderer/stored-names.ts'
import { flagOf, objectOf, type Properties } from '../../src/renderer/values.ts'

/** The product of the print provider that a design is printed on. */
export interface ProviderProduct {
  /** Its number at the provider; '' if the shop prints the item itself. */
  variation: string
}

/** One view of a design as the page of its order shows it. Texts and lists are cut to the limits below. */
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

/** A design as the page of its order shows it. Texts and lists are cut to the limits below. */
export interface ShownDesign {
  views: ShownView[]
  /** How many more views the design has. */
  moreViews: number
  fonts: string[]
  colors: string[]
  pictures: string[]
  /** Set if the design names a product of the print provider, even an empty one. */
  provider: ProviderProduct | undefined
}

/** Maximum entries of a list. */
const maxListed = 200
/** Maximum characters of a text. */
const maxLength = 2000
/** Maximum number of pages that are shown of all views together. */
const maxPages = 100

const isPrinted = ({ parameters }: DesignElement) =>
  !flagOf(parameters, 'excludeFromExport') && !flagOf(parameters, 'uploadZone')

/** Lists the contents of a design. @param customization JSON text of the design */
export function shownDesign(customization: string): ShownDesign {
  const value: unknown = fromJson(customization)
  const views = viewsOf(value)
  const printed = views.flatMap(({ elements }) => elements.map(elementOf)).filter(isPrinted)
  const texts = printed.filter(({ isText }) => isText)
  const pictures = printed.filter(({ isText }) => !isText)
  const holder = variationHolder(value)
  return {
    views: shownViews(views),
    moreViews: Math.max(0, views.length - maxListed),
    fonts: listed(texts.map(({ parameters }) => parameters.fontFamily)),
    colors: listed(
      printed.flatMap(({ parameters: { fill, svgFill, stroke } }) => [fill, svgFill, stroke].flat()),
    ),
    pictures: listed(
      pictures.map(({ source, title }) =>
        /^data:/i.test(source) ? `${shortened(title)} (inside the design)` : source,
      ),
    ),
    provider: holder && { variation: shortened(variationOf(holder) ?? '') },
  }
}

/** The property of a design that contains the number of the provider's product. */
export const variationName = 'variation_printful'

/** The object within a design that has the property `variationName`: the design itself, or its `svc_product`. */
export function variationHolder(design: unknown): Properties | undefined {
  const content = objectOf(design)
  return [content, objectOf(content.svc_product)].find((holder) => (holder[variationName] ?? null) !== null)
}

/** An element of a design. Its parameters have current names, whichever names are stored; texts are '' if they are not set. */
export interface DesignElement {
  title: string
  source: string
  isText: boolean
  parameters: Properties
}

/** Reads a stored element. */
export function elementOf(stored: Properties): DesignElement {
  const parameters = currentNames(objectOf(stored.parameters))
  const source = typeof stored.source === 'string' ? stored.source : ''
  const title = typeof stored.title === 'string' ? stored.title : ''
  const type = stored.type ?? parameters.type
  return { title, source, isText: typeof type === 'string' && /text/i.test(type), parameters }
}

/** The views. Together they show at most `maxPages` pages: the first ones. */
function shownViews(views: readonly StoredView[]): ShownView[] {
  let remaining = maxPages
  return views.slice(0, maxListed).map((stored) => {
    const view = shownView(stored, remaining)
    remaining -= view.pages.length
    return view
  })
}

/** @param maxPages maximum number of pages that are shown of this view */
function shownView(view: StoredView, maxPages: number): ShownView {
  const texts = view.elements.map(elementOf).filter((element) => element.isText && isPrinted(element))
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
      .map(({ parameters: { text }, source }) => shortened(typeof text === 'string' ? text : source)),
    names: view.names.slice(0, maxListed).map((entry) => shortened(nameText(entry))),
  }
}

const shownPage = (page: PageBox) => ({
  name: page.name && shortened(page.name),
  trim: page.box,
  bled: bledBox(page),
  size: `${rounded(page.width)} × ${rounded(page.height)} mm${page.bleed > 0 ? `, bleed ${rounded(page.bleed)} mm` : ''}`,
})

const rounded = (millimetres: number) => Math.round(millimetres * 10) / 10

/** What the renderer computes, or why it cannot draw the view. */
function drawable<T>(compute: () => T): { value?: T; problem?: string } {
  try {
    return { value: compute() }
  } catch (error) {
    if (error instanceof Undrawable) return { problem: error.message }
    throw error
  }
}

/** The texts among the values, each once. */
function listed(values: readonly unknown[]): string[] {
  const texts = values.filter((value) => typeof value === 'string').filter((text) => text.trim() !== '')
  return [...new Set(texts)].slice(0, maxListed).map(shortened)
}

/** The text, cut to the length that pages show. */
export const shortened = (text: string) => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)
