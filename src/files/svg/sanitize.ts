// Makes a drawing safe without changing how it looks. Runs in a child process, since hostile input makes it expensive.
import { FileRejected } from '../rejected.ts'
import { withPlainJpegs } from './embedded-jpegs.ts'
import { assertLength } from './limits.ts'
import { type Drawing, rewriteSvg } from './rewrite.ts'
import { decodeXml } from './xml-text.ts'

/** The drawing without active and external content. Throws FileRejected if it cannot be parsed or nothing is left. */
export async function sanitizeSvg(bytes: Uint8Array): Promise<Drawing> {
  const text = decodeXml(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  const drawing = await reencoded(filled(rewriteSvg(text)))
  // Only once the drawing is known to be small and flat: building a DOM takes seconds where parsing takes milliseconds.
  const { purifyIfNeeded: distrusted } = await import('./purify.ts')
  const purified = distrusted(drawing.svg)
  if (purified === undefined) return drawing
  const again = filled(rewriteSvg(purified))
  if (distrusted(again.svg) !== undefined) throw new FileRejected('The drawing cannot be sanitized.')
  return {
    ...again,
    repaired: drawing.repaired,
    removed: [...new Set([...drawing.removed, 'active content' as const])].sort(),
  }
}

function filled(drawing: Drawing): Drawing {
  if (drawing.isEmpty) throw new FileRejected('The drawing contains nothing that can be displayed.')
  return drawing
}

async function reencoded(drawing: Drawing): Promise<Drawing> {
  const { svg, hasLost, warnings } = await withPlainJpegs(drawing.svg)
  assertLength(svg)
  const lost = hasLost ? ['pictures that cannot be displayed' as const] : []
  return {
    ...drawing,
    svg,
    removed: [...new Set([...drawing.removed, ...lost])].sort(),
    repaired: [...drawing.repaired, ...warnings],
  }
}
