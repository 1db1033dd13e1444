// Rebuilds a drawing from the events of a strict XML parser, with allowed elements, attributes and values only.
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

export interface Drawing extends DrawingSize {
  svg: string
  removed: Removed[]
  /** Sentences about what was repaired. */
  repaired: string[]
  /** Nothing in it can be displayed. */
  isEmpty: boolean
}

interface Frame {
  name: string
  node: number
  /** Inside a template, which is drawn only where an element refers to it. */
  template: boolean
  /** Inside an element whose text is rendered. */
  text: boolean
  /** The start tag is not closed yet. */
  open: boolean
  css: string
}

/** What an unknown element may display; a `tref`, of the first SVG, displays the text of another element. */
const displayedElements: ReadonlySet<string> = new Set([...shapeElements, 'tref'])

const namespaceAdded = 'The drawing did not declare the SVG namespace; it was added.'

/** Throws FileRejected if the drawing is not well-formed XML, or exceeds a limit. */
export function rewriteSvg(xml: string): Drawing {
  assertLength(xml)
  const parser = new SaxesParser({
    xmlns: true,
    position: false,
    forceXMLVersion: true,
    defaultXMLVersion: '1.0',
    // Old programs do not declare it.
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

class Writer {
  readonly #out: string[] = []
  readonly #frames: Frame[] = []
  readonly #removed = new Set<Removed>()
  readonly #references = new References()
  #skipped = 0
  /** Whether what is skipped lies in an element that SVG does not know; an author's program may display it. */
  #isUnknown = false
  #shapes = 0
  #size: DrawingSize = { width: null, height: null }
  /** The SVG namespace, or '' if the root declares none. */
  #namespace = svgNamespace

  open(tag: SaxesTagNS): void {
    const parent = this.#frames.at(-1)
    if (this.#skipped > 0 || !this.#allows(tag, parent)) {
      this.#skipped++
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
      this.#skipped++
      return
    }
    const template = parent?.template === true || templateElements.has(tag.local)
    if (shapeElements.has(tag.local) && !template) this.#shapes++
    this.#endStart()
    this.#out.push(`<${tag.local}`)
    if (!parent) this.#out.push(` xmlns="${svgNamespace}"`)
    if (attributes.has('xlink:href'))
      this.#out[1] = ` xmlns="${svgNamespace}" xmlns:xlink="${xlinkNamespace}"`
    for (const [name, value] of attributes) this.#out.push(` ${name}="${escapeAttribute(value)}"`)
    const node = this.#references.add(parent?.node ?? -1, tag.local, attributes)
    const text = parent?.text === true || textElements.has(tag.local)
    this.#frames.push({ name: tag.local, node, template, text, open: true, css: '' })
  }

  text(text: string): void {
    const frame = this.#frames.at(-1)
    if (this.#skipped > 0 || !frame) return
    if (frame.name === 'style') frame.css += text
    else if (frame.text || !text.trim()) this.#write(escapeText(text))
  }

  close(): void {
    if (this.#skipped > 0) {
      this.#skipped--
      return
    }
    const frame = this.#frames.pop()
    if (!frame) return
    if (frame.name === 'style') {
      const css = cleanSheet(frame.css)
      if (loadsResource.test(frame.css)) this.#removed.add('styles that could load external resources')
      this.#references.addSheet(css)
      this.#out.push(`>${escapeText(css)}</style>`)
    } else this.#out.push(frame.open ? '/>' : `</${frame.name}>`)
  }

  finish(): Drawing {
    this.#references.assertBounded()
    const svg = `<?xml version="1.0" encoding="UTF-8"?>\n${this.#out.join('')}\n`
    const repaired = this.#namespace === svgNamespace ? [] : [namespaceAdded]
    const isEmpty = this.#shapes === 0
    return { svg, ...this.#size, removed: [...this.#removed].sort(), repaired, isEmpty }
  }

  #allows(tag: SaxesTagNS, parent: Frame | undefined): boolean {
    if (!parent) this.#namespace = tag.uri === '' ? '' : svgNamespace
    const isOurs = tag.uri === svgNamespace || tag.uri === this.#namespace
    if (!parent && (!isOurs || tag.local !== 'svg')) {
      throw new FileRejected('The root element of the drawing is not an svg element in the SVG namespace.')
    }
    if (activeElements.has(tag.local)) this.#removed.add('active content')
    this.#isUnknown = !isOurs || !(allowedElements.has(tag.local) || activeElements.has(tag.local))
    if (!isOurs || !allowedElements.has(tag.local)) return false
    // In an HTML page a title or description may contain HTML elements; here it contains only text.
    if (parent && (parent.name === 'title' || parent.name === 'desc' || parent.name === 'style')) return false
    const type = tag.local === 'style' ? tag.attributes.type?.value : undefined
    return !type || type.trim().toLowerCase() === 'text/css'
  }

  #write(text: string): void {
    this.#endStart()
    this.#out.push(text)
  }

  #endStart(): void {
    const frame = this.#frames.at(-1)
    if (frame?.open) {
      frame.open = false
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
