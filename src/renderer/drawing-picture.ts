// A drawing that becomes a picture: librsvg gets its size in pixels and a view box, since it takes other units for others.
import { lengthOf, numbersIn } from './drawing-style.ts'
import { NotVectors } from './drawing-tree.ts'
import { plain } from './outline.ts'
import { Undrawable } from './refusal.ts'

const attribute = /\s+([\w:.-]+)="([^"]*)"/y
const tagEnd = /\s*\/?>/y
const whitespace = /\s*/y

export interface SizedSvg {
  svg: string
  width: number
  height: number
}

/** @param svg sanitized @throws Undrawable if it has no size */
export function inPixels(svg: string): SizedSvg {
  const start = rootStart(svg)
  const attributes = new Map<string, string>()
  let at = start + '<svg'.length
  attribute.lastIndex = at
  for (let found = attribute.exec(svg); found; found = attribute.exec(svg)) {
    attributes.set(found[1] ?? '', found[2] ?? '')
    at = attribute.lastIndex
  }
  tagEnd.lastIndex = at
  if (start < 0 || !tagEnd.test(svg)) throw new Undrawable('drawing', 'The drawing has no size.')
  const [, , w = 0, h = 0] = numbersIn(attributes.get('viewBox') ?? '')
  const hasBox = w > 0 && h > 0
  const [givenWidth, givenHeight] = [length(attributes.get('width')), length(attributes.get('height'))]
  const isGiven = givenWidth !== undefined && givenHeight !== undefined
  // As fabric.js does, a lone width or height is ignored where there is a view box.
  const [width = 0, height = 0] = isGiven || !hasBox ? [givenWidth, givenHeight] : [w, h]
  if (!(width > 0 && height > 0)) throw new Undrawable('drawing', 'The drawing has no size.')
  attributes.set('width', plain(width, 6)).set('height', plain(height, 6))
  if (!hasBox) attributes.set('viewBox', `0 0 ${plain(width, 6)} ${plain(height, 6)}`)
  const tag = [...attributes].map(([name, value]) => ` ${name}="${value}"`).join('')
  return { svg: `${svg.slice(0, start)}<svg${tag}${svg.slice(at)}`, width, height }
}

/** Where the root element begins, after instructions, comments and whitespace; -1 if something else comes first. */
function rootStart(svg: string): number {
  for (let at = 0; ; ) {
    whitespace.lastIndex = at
    whitespace.test(svg)
    at = whitespace.lastIndex
    if (svg.startsWith('<svg', at)) return at
    const closing = svg.startsWith('<!--', at) ? '-->' : '?>'
    const end = svg.startsWith('<!--', at) || svg.startsWith('<?', at) ? svg.indexOf(closing, at + 2) : -1
    if (end < 0) return -1
    at = end + closing.length
  }
}

function length(text: string | undefined): number | undefined {
  try {
    return text === undefined || text.trim().endsWith('%') ? undefined : lengthOf(text)
  } catch (error) {
    if (error instanceof NotVectors) return undefined
    throw error
  }
}
