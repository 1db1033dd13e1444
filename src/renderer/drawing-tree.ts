// Parses a sanitized SVG into a tree in which attributes contain what `style` attributes and simple CSS rules set, too.
import { SaxesParser } from 'saxes'
import { FileRejected } from '../files/rejected.ts'
import { declarationsOf, rulesOf, withoutComments } from '../files/svg/css.ts'
import { rewriteSvg } from '../files/svg/rewrite.ts'
import { decodeXml } from '../files/svg/xml-text.ts'
import { Undrawable } from './refusal.ts'

/** An element. */
export interface Node {
  /** Without its prefix, as are the names of its attributes. */
  name: string
  attributes: Map<string, string>
  children: Node[]
  /** Of a text element: its characters and those of all elements in it, in their order. */
  text: string[]
  /** The offsets of its start tag in the document. */
  tag: [from: number, to: number]
  /** Of a text element: the offsets of the whole element in the document. */
  span?: [from: number, to: number]
}

/** A drawing file as sanitized text. @throws Undrawable if it cannot be sanitized */
export function sanitized(bytes: Uint8Array): string {
  try {
    return rewriteSvg(decodeXml(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))).svg
  } catch (error) {
    if (error instanceof FileRejected) throw new Undrawable('drawing', error.message)
    throw error
  }
}

/** The value that an element sets for a property; undefined if it inherits it. */
export function declaredValue({ attributes }: Node, name: string): string | undefined {
  const value = attributes.get(name)?.trim()
  return value === 'inherit' || value === '' ? undefined : value
}

/** Thrown if a drawing uses features that are not drawn as vectors; it is then drawn as a picture. */
export class NotVectors extends Error {
  override readonly name = 'NotVectors'
}

/** A parsed drawing. */
export interface Tree {
  root: Node
  /** The first element with each id. */
  byId: Map<string, Node>
}

const maxNodes = 50_000
const maxDepth = 200

/** Parses a drawing. @param svg sanitized @throws NotVectors for style sheets that are not understood, Undrawable */
export function treeOf(svg: string): Tree {
  const builder = new TreeBuilder()
  const parser = new SaxesParser({ xmlns: false })
  parser.on('opentag', ({ name, attributes }) =>
    builder.open(name, attributes, [svg.lastIndexOf('<', parser.position - 1), parser.position]),
  )
  parser.on('closetag', () => builder.close(parser.position))
  parser.on('text', (text) => builder.text(text))
  parser.on('cdata', (text) => builder.text(text))
  parser.on('error', () => {
    throw new Undrawable('drawing', 'The drawing is not well-formed XML.')
  })
  parser.write(svg).close()
  const { root, byId, css } = builder
  if (root?.name !== 'svg') throw new Undrawable('drawing', 'The picture is not an SVG drawing.')
  applyStyles(root, rulesIn(css))
  return { root, byId }
}

/** Builds the tree from the events of the parser. */
class TreeBuilder {
  root: Node | undefined
  readonly byId = new Map<string, Node>()
  /** The text of all style elements. */
  css = ''
  /** Open elements, and open text elements among them, the innermost at the end. */
  readonly #open: Node[] = []
  readonly #openTexts: Node[] = []
  #count = 0

  open(qualifiedName: string, attributes: object, tag: [from: number, to: number]): void {
    const name = localName(qualifiedName)
    const entries = Object.entries(attributes).map(([key, value]) => [localName(key), String(value)] as const)
    const node: Node = { name, attributes: new Map(entries), children: [], text: [], tag }
    if (++this.#count > maxNodes || this.#open.length > maxDepth)
      throw new Undrawable('limit', 'The drawing has too many parts.')
    this.#open.at(-1)?.children.push(node)
    this.#open.push(node)
    if (name === 'text') {
      node.span = [tag[0], 0]
      this.#openTexts.push(node)
    }
    this.root ??= node
    const id = node.attributes.get('id')
    if (id !== undefined && !this.byId.has(id)) this.byId.set(id, node)
  }

  /** @param position after the end tag */
  close(position: number): void {
    const node = this.#open.pop()
    if (node?.name !== 'text') return
    if (node.span) node.span[1] = position
    this.#openTexts.pop()
  }

  text(text: string): void {
    if (this.#open.at(-1)?.name === 'style') this.css += text
    else this.#openTexts.at(-1)?.text.push(text)
  }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** A rule with one simple selector; an empty part of it matches every element. */
interface Rule {
  name: string
  className: string
  id: string
  declarations: [property: string, value: string][]
}

/** A selector that fabric.js 5 supports: names, classes and ids, alone and within each other. */
const fabricSelector = /^[\w\s.#*-]+$/
/** The message of NotVectors for a selector that fabric.js does not support; source-files.ts warns of it. */
export const unknownSelector = 'unknown selector'

const simpleSelector = /^([a-zA-Z][\w-]*|\*)?(?:\.([\w-]+))?(?:#([\w-]+))?$/

/** The rules of a style sheet. @throws NotVectors for at-rules and selectors that are not simple */
function rulesIn(css: string): Rule[] {
  const plainCss = withoutComments(css).replace(/<!--|-->/g, '')
  if (/@/.test(plainCss)) throw new NotVectors('at-rule')
  return [...rulesOf(plainCss)].flatMap(({ prelude, block }) => {
    const declarations = propertiesIn(block)
    return prelude.split(',').map((selector) => {
      const parts = simpleSelector.exec(selector.trim())
      if (!parts) throw new NotVectors(fabricSelector.test(selector) ? 'selector' : unknownSelector)
      const [, name = '', className = '', id = ''] = parts
      return { name: name === '*' ? '' : name, className, id, declarations }
    })
  })
}

const importance = '!important'

const withoutImportance = (value: string) =>
  value.toLowerCase().endsWith(importance) ? value.slice(0, -importance.length).trim() : value

const propertiesIn = (style: string): [string, string][] =>
  [...declarationsOf(style)]
    .filter(([name]) => name !== '')
    .map(([name, value]) => [name.toLowerCase(), withoutImportance(value.trim())])

/** Sets attributes by rules of rising precedence: by element, by class, by id; then by the element's `style`. `!important` does not count, as in fabric. */
function applyStyles(root: Node, rules: Rule[]): void {
  const rank = ({ className, id }: Rule) => (id ? 100 : 0) + (className ? 10 : 0)
  const ordered = [...rules].sort((a, b) => rank(a) - rank(b))
  const visit = (node: Node) => {
    const classes = (node.attributes.get('class') ?? '').split(/\s+/)
    for (const rule of ordered) {
      if (rule.name && rule.name !== node.name) continue
      if (rule.className && !classes.includes(rule.className)) continue
      if (rule.id && rule.id !== node.attributes.get('id')) continue
      for (const [key, value] of rule.declarations) node.attributes.set(key, value)
    }
    for (const [key, value] of propertiesIn(node.attributes.get('style') ?? ''))
      node.attributes.set(key, value)
    for (const child of node.children) visit(child)
  }
  visit(root)
}
