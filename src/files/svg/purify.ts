// Runs DOMPurify on jsdom as a second line of defense after rewrite.ts: DOMPurify knows the published exploits of browsers.
import createPurify from 'dompurify'
import { JSDOM } from 'jsdom'
import { allowedAttributes, allowedElements, svgNamespace } from './allowed.ts'

const purify = createPurify(new JSDOM('').window)

const config = {
  // In XML mode names are case-sensitive, and only these lists apply: the built-in ones are in lower case.
  PARSER_MEDIA_TYPE: 'application/xhtml+xml' as const,
  NAMESPACE: svgNamespace,
  // DOMPurify wraps the drawing in a template; unless that is allowed, it first copies the whole content.
  ALLOWED_TAGS: [...allowedElements, '#text', 'template'],
  ALLOWED_ATTR: [...allowedAttributes, 'xlink:href', 'xml:space', 'xml:lang', 'xmlns', 'xmlns:xlink'],
  ADD_URI_SAFE_ATTR: ['xmlns:xlink'],
  // Serializing the tree takes a third of the time, and is rarely needed.
  RETURN_DOM: true as const,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  // IDs such as "title" or "images" are harmless in a drawing, which has no scripts whose variables they could clobber.
  SANITIZE_DOM: false,
  ALLOWED_URI_REGEXP:
    /^(?!\s*(?:[a-z][a-z0-9+.-]*script|https?|ftp|file|blob|data(?!:image\/(?:png|jpeg|gif|webp);base64,)):)/i,
}

/** The drawing without what DOMPurify removes; undefined if it removes nothing, as is usual. */
export function purifyIfNeeded(svg: string): string | undefined {
  // DOMPurify returns "" for any string that starts with an XML declaration.
  const purified = purify.sanitize(svg.replace(/^<\?xml[^>]*>\s*/, ''), config)
  // DOMPurify always reports its wrapper; rewrite.ts leaves no other template.
  const hasRemoved = purify.removed.some(
    (entry) => !('element' in entry) || entry.element.nodeName !== 'template',
  )
  // In XML mode the returned node is the wrapper, an element.
  return hasRemoved ? (purified as Element).innerHTML : undefined
}
