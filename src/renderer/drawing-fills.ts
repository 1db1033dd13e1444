// A drawing that becomes a picture, with other fills of its shapes, as the design counts them.
import { type Node, treeOf } from './drawing-tree.ts'
import type { Color } from './marks.ts'
import { plain } from './outline.ts'

/** What fabric.js 5 makes an object of, and what it does not look into. */
const shapes = new Set(['path', 'circle', 'polygon', 'polyline', 'ellipse', 'rect', 'line', 'image', 'text'])
const without = new Set(['pattern', 'defs', 'symbol', 'metadata', 'clipPath', 'mask', 'desc'])

/** @param svg sanitized @throws NotVectors for style sheets that are not understood, Undrawable */
export function withFills(svg: string, fills: readonly (Color | undefined | 'own')[]): string {
  let [done, at, count] = ['', 0, 0]
  const visit = (node: Node) => {
    if (without.has(node.name)) return
    if (shapes.has(node.name)) {
      const fill = count < fills.length ? fills[count] : 'own'
      count++
      if (fill !== 'own' && node.tag) {
        done += svg.slice(at, node.tag[0]) + tagOf(node, fill, svg.slice(...node.tag))
        at = node.tag[1]
      }
    }
    for (const child of node.children) visit(child)
  }
  visit(treeOf(svg).root)
  return done + svg.slice(at)
}

/** With what style sheets say as attributes, so that the fill is in force. */
function tagOf({ name, attributes }: Node, fill: Color | undefined, tag: string): string {
  const own = new Map([...attributes].filter(([key]) => key !== 'style' && key !== 'class'))
  own.set('fill', fill ? `rgb(${fill.r},${fill.g},${fill.b})` : 'none')
  if (fill && fill.a < 1) own.set('fill-opacity', plain(fill.a))
  const written = [...own].map(([key, value]) => ` ${key}="${escaped(value)}"`).join('')
  return `<${name}${written}${tag.endsWith('/>') ? '/>' : '>'}`
}

export const escaped = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
