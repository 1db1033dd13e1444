// A drawing that becomes a picture: librsvg gets its size in pixels and a view box, since it takes other units for others.
import { lengthOf, numbersIn } from './drawing-style.ts'
import { NotVectors } from './drawing-tree.ts'
import { plain } from './outline.ts'
import { Undrawable } from './refusal.ts'

const rootTag = /^((?:<\?[^>]*\?>|<!--[\s\S]*?-->|\s)*)<svg((?:\s+[\w:.-]+="[^"]*")*)\s*(\/?)>/
const attribute = /\s+([\w:.-]+)="([^"]*)"/g

export interface SizedSvg {
  svg: string
  width: number
  height: number
}

/** @param svg sanitized @throws Undrawable if it has no size */
export function inPixels(svg: string): SizedSvg {
  const [whole, before = '', text = '', end = ''] = rootTag.exec(svg) ?? []
  if (whole === undefined) throw new Undrawable('drawing', 'The drawing has no size.')
  const attributes = new Map([...text.matchAll(attribute)].map(([, name = '', value = '']) => [name, value]))
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
  return { svg: `${before}<svg${tag}${end}>${svg.slice(whole.length)}`, width, height }
}

function length(text: string | undefined): number | undefined {
  try {
    return text === undefined || text.trim().endsWith('%') ? undefined : lengthOf(text)
  } catch (error) {
    if (error instanceof NotVectors) return undefined
    throw error
  }
}
