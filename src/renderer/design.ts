// Reads stored customizations for the renderer, the desk and the tickets: finds the views in any form, bundles several designs as one,
// and reads entries of names and numbers.
import type { Finding } from './refusal.ts'
import { flagOf, objectOf, type Properties } from './values.ts'

/** A view of a product as a customer designed it. */
export interface StoredView {
  title: string
  /** The `options` of the view and its other stored properties: the size of its stage, print boxes and so on. */
  options: Properties
  elements: Properties[]
  /** One entry for each printed name, number and size. */
  names: Properties[]
  /** How often each of its pages is printed on press sheets. */
  copies: number
  /** An optional view that the customer did not unlock: it is not printed. */
  isLocked: boolean
}

/** Maximum copies of one design on press sheets. */
const maxCopies = 1000

/** One of several designs that are printed as one. */
export interface DesignPart {
  title: string
  copies: number
  /** The customization as JSON. */
  design: string
}

/** Several designs as the JSON of one customization, which `viewsOf` reads. Each `design` must be valid JSON: it is not parsed. */
export const bundleOf = (designs: readonly DesignPart[]): string =>
  `{"svc_bundle":[${designs
    .map(
      ({ title, copies, design }) =>
        `{"title":${JSON.stringify(title)},"copies":${copies},"design":${design}}`,
    )
    .join(',')}]}`

/**
 * The views of a customization; empty if it has none. Titles are distinct within one design, and begin with its title in a bundle.
 * @param customization parsed JSON: a list of views, an object with such a list (an order or a product of the designer), or a bundle of
 *   `bundleOf`
 */
export function viewsOf(customization: unknown): StoredView[] {
  const { svc_bundle: bundle } = objectOf(customization)
  if (!Array.isArray(bundle)) return viewsIn(customization)
  return bundle.map(objectOf).flatMap((part) => {
    const copies = Math.min(maxCopies, Math.max(1, Math.floor(Number(part.copies)) || 1))
    return viewsIn(part.design).map((view) => ({ ...view, copies, title: `${part.title}: ${view.title}` }))
  })
}

function viewsIn(customization: unknown): StoredView[] {
  const envelope = objectOf(customization)
  const design = envelope.svc_product === undefined ? customization : envelope.svc_product
  const content = objectOf(design)
  const views: unknown[] =
    [design, content.product, content.views, content.product_data].find(Array.isArray) ?? []
  return withDistinctTitles(views.map((view, index) => viewOf(objectOf(view), index)))
}

/** The views, with its position behind each title that an earlier view has, such as `Front (2)`: findings name views by their titles. */
function withDistinctTitles(views: readonly StoredView[]): StoredView[] {
  const taken = new Set<string>()
  return views.map((view, index) => {
    const title = taken.has(view.title) ? `${view.title} (${index + 1})` : view.title
    taken.add(title)
    return { ...view, title }
  })
}

function viewOf(view: Properties, index: number): StoredView {
  const { options, elements, title, ...otherProperties } = view
  const properties = { ...otherProperties, ...objectOf(options) }
  const names = [view.names_numbers, properties.names_numbers].find(Array.isArray) ?? []
  return {
    title: typeof title === 'string' && title !== '' ? title : `View ${index + 1}`,
    options: properties,
    elements: (Array.isArray(elements) ? elements : []).map(objectOf),
    names: names.map(objectOf),
    copies: 1,
    isLocked: isLockedView(view),
  }
}

/** Whether the customer did not unlock the view. The flag is stored in the view or in its options. */
export const isLockedView = (view: Properties): boolean =>
  flagOf(view, 'locked') || flagOf(objectOf(view.options), 'locked')

/** The warning if the entries of names and numbers, each printed once, are more or fewer than the copies; undefined without entries. */
export function entriesFinding(
  { title, names }: Pick<StoredView, 'title' | 'names'>,
  copies: number,
): Finding | undefined {
  const entries = names.length
  if (entries === 0 || entries === copies) return undefined
  const are = entries === 1 ? 'is 1 entry' : `are ${entries} entries`
  const pieces = copies === 1 ? '1 piece' : `${copies} pieces`
  const message = `There ${are} of names and numbers for ${pieces}; each entry is printed once.`
  return { code: 'page', view: title, element: null, message }
}

/** An entry of names and numbers in one line, such as `Kim · 7 · M`. */
export const nameText = (entry: Properties) =>
  Object.values(entry)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .join(' · ')
