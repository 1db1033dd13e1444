// Parts of a page of a customer's PDF: its content streams, and whether it has form fields or comments.
import { type CustomerPdf, type Dict, isDict, Name, Stream, type Value } from './customer-pdf.ts'

/** The most annotations of a page that are looked at. */
const maxAnnotations = 1000

/** The content streams of a page: `Contents` is one stream or an array of them. */
export function streamsOf(file: CustomerPdf, contents: Value | undefined): Stream[] {
  const resolved = file.resolve(contents)
  const parts = Array.isArray(resolved) ? resolved.map((item) => file.resolve(item)) : [resolved]
  return parts.filter((part) => part instanceof Stream)
}

/** Whether a page has annotations other than links and pop-ups, such as form fields and comments. @param page its dictionary */
export function hasAnnotations(file: CustomerPdf, page: Dict): boolean {
  const list = file.resolve(page.get('Annots'))
  if (!Array.isArray(list)) return false
  return list.slice(0, maxAnnotations).some((item) => {
    const annotation = file.resolve(item)
    const subtype = isDict(annotation) ? file.resolve(annotation.get('Subtype')) : null
    return subtype instanceof Name && subtype.text !== 'Link' && subtype.text !== 'Popup'
  })
}
