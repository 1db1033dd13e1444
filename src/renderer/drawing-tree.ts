// A sanitised SVG as a tree, each element with its attributes, its style and what simple rules of CSS add.
import { SaxesParser } from 'saxes'
import { FileRejected } from '../files/rejected.ts'
import { declarationsOf, rulesOf, withoutComments } from '../files/svg/css.ts'
import { rewriteSvg } from '../files/svg/rewrite.ts'
import { decodeXml } from '../files/svg/xml-text.ts'
import { Undrawable } from './refusal.ts'

export interface Node {
  name: string
  attributes: Map<string, string>
  children: Node[]
  /** Its characters, if it is part of a text. */
  text: string[]
  /** Where its first tag begins and ends in the document. */
  tag?: [from: number, to: number]
  /** The same of a text with all that is in it. */
  span?: [from: number, to: number]
}

/** The text of a drawing without anything that is not drawn. @throws Undrawable */
export function sanitized(bytes: Uint8Array): string {
  try {
    return rewriteSvg(decodeXml(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))).svg
  } catch (error) {
    if (error instanceof FileRejected) throw new Undrawable('drawing', error.message)
    throw error
  }
}

/** What an element says of a property itself; undefined if it inherits it. */
export function saidOf({ attributes }: Node, name: string): string | undefined {
  const value = attributes.get(name)?.trim()
  return value === 'inherit' || value === '' ? undefined : value
}

/** The characters of a text element and of all parts of it, in their order. */
export const textIn = (node: Node): string => node.text.join('')

/** Thrown if a drawing uses features that are not drawn as vectors; it is then drawn as a picture. */
export class NotVectors extends Error {
  override readonly name = 'NotVectors'
}

export interface Tree {
  root: Node
  byId: Map<string, Node>
}

const maxNodes = 50_000
const maxDepth = 200

/** @throws NotVectors, Undrawable */
export function treeOf(svg: string): Tree {
  const byId = new Map<string, Node>()
  const stack: Node[] = []
  const texts: Node[] = []
  let root: Node | undefined
  let count = 0
  let sheet = ''
  const parser = new SaxesParser({ xmlns: false })
  parser.on('opentag', (tag) => {
    const name = local(tag.name)
    const node: Node = { name, attributes: new Map(), children: [], text: [] }
    for (const [key, value] of Object.entries(tag.attributes)) node.attributes.set(local(key), String(value))
    if (++count > maxNodes || stack.length > maxDepth)
      throw new Undrawable('limit', 'The drawing has too many parts.')
    stack.at(-1)?.children.push(node)
    stack.push(node)
    node.tag = [svg.lastIndexOf('<', parser.position - 1), parser.position]
    if (name === 'text') {
      node.span = [node.tag[0], 0]
      texts.push(node)
    }
    root ??= node
    const id = node.attributes.get('id')
    if (id !== undefined && !byId.has(id)) byId.set(id, node)
  })
  parser.on('closetag', () => {
    const node = stack.pop()
    if (node?.name !== 'text') return
    if (node.span) node.span[1] = parser.position
    texts.pop()
  })
  const onText = (text: string) => {
    if (stack.at(-1)?.name === 'style') sheet += text
    else texts.at(-1)?.text.push(text)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('error', () => {
    throw new Undrawable('drawing', 'The drawing is not well-formed XML.')
  })
  parser.write(svg).close()
  if (root?.name !== 'svg') throw new Undrawable('drawing', 'The picture is not an SVG drawing.')
  applyStyles(root, rulesIn(sheet))
  return { root, byId }
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)

interface Rule {
  name: string
  className: string
  id: string
  declarations: [string, string][]
}

/** Names, classes and ids, alone and within each other, which are all selectors that fabric.js 5 knows. */
const isKnown = /^[\w\s.#*-]+$/
/** Message of NotVectors for the others. */
export const unknownSelector = 'unknown selector'

const simpleSelector = /^([a-zA-Z][\w-]*|\*)?(?:\.([\w-]+))?(?:#([\w-]+))?$/

function rulesIn(sheet: string): Rule[] {
  const plain = withoutComments(sheet).replace(/<!--|-->/g, '')
  if (/@/.test(plain)) throw new NotVectors('at-rule')
  return [...rulesOf(plain)].flatMap(({ prelude, block }) => {
    const declarations = propertiesIn(block)
    return prelude.split(',').map((selector) => {
      const found = simpleSelector.exec(selector.trim())
      if (!found) throw new NotVectors(isKnown.test(selector) ? 'selector' : unknownSelector)
      const [, name = '', className = '', id = ''] = found
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

/** Weaker rules first: by element, by class, by id; then the element's own style. */
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
