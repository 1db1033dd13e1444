// Sanitizes the attributes of an element in a drawing, for rewrite.ts.
import type { SaxesAttributeNS, SaxesTagNS } from 'saxes'
import { hasSignature, typesFor } from '../file-types.ts'
import { allowedAttributes, breaksOut, suspicious, xlinkNamespace, xmlNamespace } from './allowed.ts'
import { cleanDeclarations, cleanValue, loadsResource } from './css.ts'
import { embeddedPicture } from './embedded-picture.ts'

/** Kinds of removed content, as the warning of the upload names them. */
export type Removed =
  | 'active content'
  | 'content of unknown elements'
  | 'external links'
  | 'paths of texts'
  | 'pictures that cannot be displayed'
  | 'styles that could load external resources'

type Attribute = [name: string, value: string]

/** The allowed attributes in document order, with sanitized values. Adds to `removed` which kinds of content it drops. */
export function cleanAttributes(tag: SaxesTagNS, removed: Set<Removed>): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const attribute of Object.values(tag.attributes)) {
    const clean =
      attribute.prefix === ''
        ? svgAttribute(tag.local, attribute, removed)
        : namespacedAttribute(tag.local, attribute, removed)
    if (clean && !breaksOut.test(clean[1])) attributes.set(...clean)
  }
  return attributes
}

/** An attribute without a namespace, sanitized; undefined if it is removed. */
function svgAttribute(
  element: string,
  { local, value }: SaxesAttributeNS,
  removed: Set<Removed>,
): Attribute | undefined {
  if (/^on/i.test(local)) removed.add('active content')
  if (element === 'textPath' && local === 'path' && value.trim()) removed.add('paths of texts')
  if (!allowedAttributes.has(local)) return undefined
  if (local === 'href') return link(element, local, value, removed)
  if (local === 'id' || local === 'class') return suspicious.test(value) ? undefined : [local, value]
  if (local === 'style') {
    if (loadsResource.test(value)) removed.add('styles that could load external resources')
    const declarations = cleanDeclarations(value)
    return declarations ? [local, declarations] : undefined
  }
  // No program knows an extension named "none", so it renders the same branch as for the URL of an unknown extension.
  if (local === 'requiredExtensions') return [local, value.trim() && 'none']
  const clean = cleanValue(value)
  if (clean !== undefined) return [local, clean]
  if (!loadsResource.test(value)) return undefined
  removed.add('external links')
  if (local !== 'fill' && local !== 'stroke') return undefined
  // An external paint was never rendered, but its fallback color was; without any the shape would turn black.
  return [local, cleanValue(withoutUrl(value).trim()) || 'none']
}

/** A paint without its first `url()`. */
function withoutUrl(value: string): string {
  const start = value.toLowerCase().indexOf('url(')
  const end = value.indexOf(')', start)
  return start < 0 || end < 0 ? value : value.slice(0, start) + value.slice(end + 1)
}

/** An attribute in a namespace, sanitized. Only `xlink:href`, `xml:space` and `xml:lang` stay; undefined for others. */
function namespacedAttribute(
  element: string,
  { local, uri, value }: SaxesAttributeNS,
  removed: Set<Removed>,
): Attribute | undefined {
  if (uri === xlinkNamespace && local === 'href') return link(element, 'xlink:href', value, removed)
  const isAllowed = uri === xmlNamespace && (local === 'space' || local === 'lang') && /^[\w-]*$/.test(value)
  return isAllowed ? [`xml:${local}`, value] : undefined
}

/** A link under the name, if `cleanHref` allows it. */
function link(element: string, name: string, value: string, removed: Set<Removed>): Attribute | undefined {
  const href = cleanHref(element, value)
  const isPicture = /^\s*data:(?:image\/(?!svg)|[;,])/i.test(value)
  if (href === undefined) removed.add(isPicture ? 'pictures that cannot be displayed' : 'external links')
  return href === undefined ? undefined : [name, href]
}

/** The header of a picture's `data:` URL. Its type may be wrong or missing, since the bytes decide. */
const pictureHeader = /^data:(?:image\/(?:png|jpe?g|gif|webp))?(?:;charset=[\w-]+)?;base64$/i
const maxHeaderLength = 100
/** Elements that may embed a picture. */
const pictureElements = ['image', 'feImage']

/**
 * The value of an `href`: a link within the drawing, or an embedded picture without metadata; undefined for an external link, and
 * for a picture that cannot be displayed.
 */
function cleanHref(element: string, value: string): string | undefined {
  const href = value.trim()
  if (href.startsWith('#')) return suspicious.test(href) ? undefined : href
  if (!pictureElements.includes(element) || !/^data:/i.test(href)) return undefined
  const plain = href.replace(/%(?:2b|2f|3d|20|0d|0a)/gi, decodeURIComponent).replace(/\s+/g, '')
  const comma = plain.slice(0, maxHeaderLength).indexOf(',')
  const data = plain.slice(comma + 1)
  if (!pictureHeader.test(plain.slice(0, Math.max(comma, 0))) || /[^A-Za-z0-9+/=]/.test(data))
    return undefined
  // The type is detected from the content: a wrong label must not let another format through.
  const start = Buffer.from(data.slice(0, 24), 'base64').toString('latin1')
  const type = typesFor('embedded').find((candidate) => hasSignature(start, candidate))
  const picture = type && embeddedPicture(type, Buffer.from(data, 'base64'))
  return picture && `data:image/${type};base64,${picture.toString('base64')}`
}
