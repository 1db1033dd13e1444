// Makes a drawing safe without changing the picture. Runs in a thread of its own: the work grows with hostile input.
import { FileRejected } from '../rejected.ts'
import { type Drawing, rewriteSvg } from './rewrite.ts'
import { decodeXml } from './xml-text.ts'

/** The drawing with nothing active or external in it. Throws FileRejected when it cannot be read or nothing is left. */
export async function sanitizeSvg(bytes: Uint8Array): Promise<Drawing> {
  const text = decodeXml(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  const drawing = rewriteSvg(text)
  // Not before the drawing is known to be small and flat: a DOM takes seconds for what a reader takes milliseconds.
  const { purifyIfNeeded: distrusted } = await import('./purify.ts')
  const purified = distrusted(drawing.svg)
  if (purified === undefined) return drawing
  const again = rewriteSvg(purified)
  if (distrusted(again.svg) !== undefined) throw new FileRejected('The drawing cannot be made safe.')
  return {
    ...again,
    repaired: drawing.repaired,
    removed: [...new Set([...drawing.removed, 'active content' as const])].sort(),
  }
}
