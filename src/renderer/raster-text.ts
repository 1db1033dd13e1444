// Text of a drawing that becomes a picture: librsvg knows none of the fonts, so it gets the outlines instead.
import { escaped } from './drawing-fills.ts'
import { inPixels, type SizedSvg } from './drawing-picture.ts'
import {
  type DrawnText,
  drawnText,
  initialTextStyle,
  type OutlinedText,
  type TextStyle,
  textStyleOf,
} from './drawing-text.ts'
import { type Node, treeOf } from './drawing-tree.ts'
import { pathData, plain } from './outline.ts'

export interface RasterText {
  /** Undefined if nothing of it is shown. */
  text: DrawnText | undefined
  node: Node
}

/** The texts in their order. @throws NotVectors for style sheets that are not understood, Undrawable */
export function textsOfPicture(svg: string): RasterText[] {
  const texts: RasterText[] = []
  const visit = (node: Node, outer: TextStyle) => {
    const style = textStyleOf(node, outer)
    const text = node.name === 'text' ? drawnText(node, style) : undefined
    if (node.name === 'text') texts.push({ text, node })
    else for (const child of node.children) visit(child, style)
  }
  visit(treeOf(svg).root, initialTextStyle)
  return texts
}

/** What paths keep of a text. */
const kept =
  /^(?:id|transform|opacity|display|visibility|color|filter|mask|clip-path|fill|fill-opacity|stroke.*)$/

/** @throws Undrawable */
export function withOutlines(
  svg: string,
  texts: readonly RasterText[],
  outlined: (text: DrawnText) => OutlinedText,
): SizedSvg {
  let [done, at] = ['', 0]
  for (const { text, node } of texts) {
    const [from, to] = node.span ?? [at, at]
    done += svg.slice(at, from) + (text ? pathOf(node, outlined(text)) : '')
    at = to
  }
  return inPixels(done + svg.slice(at))
}

function pathOf({ attributes }: Node, { outline, bolder }: OutlinedText): string {
  const own = new Map([...attributes].filter(([name]) => kept.test(name)))
  const isStroked = (own.get('stroke') ?? 'none') !== 'none'
  if (bolder > 0 && !isStroked)
    own.set('stroke', own.get('fill') ?? 'currentColor').set('stroke-width', plain(bolder))
  const written = [...own].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')
  return `<path fill-rule="nonzero" d="${pathData(outline)}"${written}/>`
}
