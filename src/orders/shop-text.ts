// Converts names as WordPress stores them, with entities and markup, to plain text.
import { decodeHTML } from 'entities'

/** Characters of a stored text that are read. */
const maxText = 1000

/** Plain text of stored HTML, such as `Seán – Mug` of `Se&aacute;n &#8211; <b>Mug</b>`. */
export function shopText(stored: string | null | undefined): string {
  const text = (stored ?? '').slice(0, maxText)
  const withoutMarkup = text.includes('<') ? text.replace(/<\/?[a-z][^<>]*>/gi, ' ') : text
  const decoded = withoutMarkup.includes('&') ? decodeHTML(withoutMarkup) : withoutMarkup
  return decoded.replace(/\s+/g, ' ').trim()
}
