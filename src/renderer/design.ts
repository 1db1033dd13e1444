// The views of a stored customization, in any of its forms.
import { type Bag, objectOf } from './values.ts'

export interface StoredView {
  title: string
  options: Bag
  elements: Bag[]
  /** One entry for each printed name, number and size. */
  names: Bag[]
}

/** @param customization parsed: a list of views, or the designer's whole order */
export function viewsOf(customization: unknown): StoredView[] {
  const own = objectOf(customization)
  const design = own.svc_product === undefined ? customization : own.svc_product
  const whole = objectOf(design)
  const views: unknown[] = [design, whole.product, whole.views, whole.product_data].find(Array.isArray) ?? []
  return views.map((view, index) => viewOf(objectOf(view), index))
}

function viewOf(view: Bag, index: number): StoredView {
  const { options, elements, title, ...others } = view
  const given = { ...others, ...objectOf(options) }
  const names = [view.names_numbers, given.names_numbers].find(Array.isArray) ?? []
  return {
    title: typeof title === 'string' && title !== '' ? title : `View ${index + 1}`,
    options: given,
    elements: (Array.isArray(elements) ? elements : []).map(objectOf),
    names: names.map(objectOf),
  }
}
