// A preview as a picture that is loaded when it comes into view, or why there is none.
import { type Html, html } from '../../src/pages/html.ts'

/** What a preview shows: a view of an order's item, or of a product. */
export interface PreviewOf {
  type: string
  id: number
  /** 0 if the order has no items. */
  item: number
  view: number
}

interface Shown {
  width: number
  /** Where it is known, so that its place is kept until it is loaded. */
  height?: number | undefined
  alt: string
  failure?: string | undefined
  canPreview: boolean
}

export function picture(
  { type, id, item, view }: PreviewOf,
  { width, height, alt, failure, canPreview }: Shown,
): Html {
  if (!canPreview || failure) return html`<span class="blank" aria-hidden="true">No preview</span>`
  const src = `preview?type=${type}&id=${id}&item=${item}&view=${view}&width=${width}`
  return html`<img src="${src}" alt="${alt}" width="${width}"${height !== undefined && html` height="${height}"`} loading="lazy" decoding="async">`
}
