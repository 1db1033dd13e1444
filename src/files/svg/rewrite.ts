// Rebuilds a drawing from the events of a strict XML parser, with allowed elements, attributes and values only (allowed.ts).
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { FileRejected } from '../rejected.ts'
import {
  activeElements,
  allowedElements,
  shapeElements,
  svgNamespace,
  templateElements,
  textElements,
  xlinkNamespace,
} from './allowed.ts'
import { cleanAttributes, type Removed } from './attributes.ts'
import { cleanSheet, loadsResource } from './css.ts'
import { declaredEntities } from './doctype.ts'
import { assertLength, DrawingLimits } from './limits.ts'
import { References } from './references.ts'
import { type DrawingSize, drawingSize, missingSize } from './size.ts'

export interface SanitizedDrawing extends DrawingSize {
  /** The file to store. */
  svg: string
  /** Kinds of content that were removed, sorted. */
  removed: Removed[]
  /** Sentences about what was repaired. */
  repaired: string[]
  /** Whether nothing in it can be displayed. */
  isEmpty: boolean
}

/** An element whose end tag has not been reached. */
interface Frame {
  name: string
  /** Its index in the references. */
  node: number
  /** It is, or lies in, a template, which is drawn only where an element refers to it. */
  isTemplate: boolean
  /** Its text is rendered: it is, or lies in, a text element. */
  isText: boolean
  /** Its start tag is written without the closing `>`, so that an element without content can end with `/>`. */
  isTagOpen: boolean
  /** The text of a style element. */
  css: string
}

/** Elements that display something even inside of an unknown element; a `tref`, of SVG 1.0, displays the text of another element. */
const displayedElements: ReadonlySet<string> = new Set([...shapeElements, 'tref'])

const namespaceAdded = 'The drawing did not declare the SVG namespace; it was added.'

/** Sanitizes a drawing. Throws FileRejected if it is not well-formed XML, or exceeds a limit. */
export function rewriteSvg(xml: string): SanitizedDrawing {
  assertLength(xml)
  const parser = new SaxesParser({
    xmlns: true,
    position: false,
    forceXMLVersion: true,
    defaultXMLVersion: '1.0',
    // Old drawing programs use the prefix xlink without declaring it.
    additionalNamespaces: { xlink: xlinkNamespace },
  })
  const writer = new Writer()
  const limits = new DrawingLimits()
  parser.on('error', () => {
    throw new FileRejected('The drawing is not well-formed XML.')
  })
  parser.on('doctype', (doctype) => {
    Object.assign(parser.ENTITIES, declaredEntities(doctype, xml))
  })
  parser.on('opentagstart', () => limits.openElement())
  parser.on('attribute', ({ local, value }) => limits.addAttribute(local, value.length))
  parser.on('opentag', (tag) => writer.open(tag))
  const onText = (text: string) => {
    limits.addText(text.length)
    writer.text(text)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('closetag', () => {
    limits.closeElement()
    writer.close()
  })
  parser.write(xml).close()
  return writer.finish()
}

/** Writes the sanitized drawing, by a call of `open`, `text` or `close` for each start tag, text and end tag of the file. */
class Writer {
  readonly #out: string[] = []
  /** The open elements, the innermost at the end. */
  readonly #frames: Frame[] = []
  readonly #removed = new Set<Removed>()
  readonly #references = new References()
  /** Open elements that are skipped: one that is not allowed, or an `image` or `use` without its link, and those inside of it. */
  #skippedDepth = 0
  /** Set by `#allows`: whether its last element was unknown to SVG. A browser displays none of its content, but the author's program may. */
  #isUnknown = false
  /** Elements that draw something outside of templates. */
  #shapes = 0
  #size: DrawingSize = { width: null, height: null }
  /** The namespace of the drawing's elements: that of SVG, or '' if the root declares none. */
  #namespace = svgNamespace

  open(tag: SaxesTagNS): void {
    const parent = this.#frames.at(-1)
    if (this.#skippedDepth > 0 || !this.#allows(tag, parent)) {
      this.#skippedDepth++
      if (this.#isUnknown && displayedElements.has(tag.local))
        this.#removed.add('content of unknown elements')
      return
    }
    const attributes = cleanAttributes(tag, this.#removed)
    if (!parent) {
      this.#size = drawingSize(attributes)
      for (const [name, value] of missingSize(attributes)) attributes.set(name, value)
    }
    const link = attributes.get('href') ?? attributes.get('xlink:href')
    // An `image` or `use` without its link displays nothing.
    if ((tag.local === 'image' || tag.local === 'use') && link === undefined) {
      this.#skippedDepth++
      return
    }
    const isTemplate = parent?.isTemplate === true || templateElements.has(tag.local)
    if (shapeElements.has(tag.local) && !isTemplate) this.#shapes++
    this.#endStartTag()
    this.#out.push(`<${tag.local}`)
    if (!parent) this.#out.push(` xmlns="${svgNamespace}"`)
    // The second part of the output is the namespace of the root element.
    if (attributes.has('xlink:href'))
      this.#out[1] = ` xmlns="${svgNamespace}" xmlns:xlink="${xlinkNamespace}"`
    for (const [name, value] of attributes) this.#out.push(` ${name}="${escapeAttribute(value)}"`)
    const node = this.#references.add(parent?.node ?? -1, tag.local, attributes)
    const isText = parent?.isText === true || textElements.has(tag.local)
    this.#frames.push({ name: tag.local, node, isTemplate, isText, isTagOpen: true, css: '' })
  }

  text(text: string): void {
    const frame = this.#frames.at(-1)
    if (this.#skippedDepth > 0 || !frame) return
    if (frame.name === 'style') frame.css += text
    else if (frame.isText || !text.trim()) {
      this.#endStartTag()
      this.#out.push(escapeText(text))
    }
  }

  close(): void {
    if (this.#skippedDepth > 0) {
      this.#skippedDepth--
      return
    }
    const frame = this.#frames.pop()
    if (!frame) return
    if (frame.name === 'style') {
      const css = cleanSheet(frame.css)
      if (loadsResource.test(frame.css)) this.#removed.add('styles that could load external resources')
      this.#references.addSheet(css)
      this.#out.push(`>${escapeText(css)}</style>`)
    } else this.#out.push(frame.isTagOpen ? '/>' : `</${frame.name}>`)
  }

  /** The result, once the file is read. @throws FileRejected for references that are circular or draw too much */
  finish(): SanitizedDrawing {
    this.#references.assertBounded()
    const svg = `<?xml version="1.0" encoding="UTF-8"?>\n${this.#out.join('')}\n`
    const repaired = this.#namespace === svgNamespace ? [] : [namespaceAdded]
    const isEmpty = this.#shapes === 0
    return { svg, ...this.#size, removed: [...this.#removed].sort(), repaired, isEmpty }
  }

  /** Whether the element stays. Also sets `#namespace` by the root, reports active content, and sets `#isUnknown`. @throws FileRejected for another root */
  #allows(tag: SaxesTagNS, parent: Frame | undefined): boolean {
    if (!parent) this.#namespace = tag.uri === '' ? '' : svgNamespace
    const isSvg = tag.uri === svgNamespace || tag.uri === this.#namespace
    if (!parent && (!isSvg || tag.local !== 'svg')) {
      throw new FileRejected('The root element of the drawing is not an svg element in the SVG namespace.')
    }
    if (activeElements.has(tag.local)) this.#removed.add('active content')
    this.#isUnknown = !isSvg || !(allowedElements.has(tag.local) || activeElements.has(tag.local))
    if (!isSvg || !allowedElements.has(tag.local)) return false
    // In an HTML page a title or description may contain HTML elements; here it contains only text.
    if (parent && (parent.name === 'title' || parent.name === 'desc' || parent.name === 'style')) return false
    const type = tag.local === 'style' ? tag.attributes.type?.value : undefined
    return !type || type.trim().toLowerCase() === 'text/css'
  }

  /** Closes the start tag of the innermost element before its first content. */
  #endStartTag(): void {
    const frame = this.#frames.at(-1)
    if (frame?.isTagOpen) {
      frame.isTagOpen = false
      this.#out.push('>')
    }
  }
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
}

function escapeAttribute(value: string): string {
  return escapeText(value).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')
}
