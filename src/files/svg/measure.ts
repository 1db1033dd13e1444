// Draws a sanitized drawing once, to find out whether it takes too much time or memory: the child process that runs this is killed
// at its limits.
import sharp from 'sharp'
import { FileRejected } from '../rejected.ts'
import type { SanitizedDrawing } from './rewrite.ts'
import { resized } from './size.ts'

/** Pixels to draw; the shape of the drawing stays. */
const pixels = 1_000_000
/** Pixels of the longer side of a very narrow drawing. */
const maxSide = 30_000

const hasViewBox = /^<\?xml[^>]*\?>\s*<svg[^>]* viewBox="/

/** Draws the drawing on a megapixel. @throws FileRejected if librsvg refuses it, as it does with too many reused elements */
export async function drawOnce(drawing: Pick<SanitizedDrawing, 'svg' | 'width' | 'height'>): Promise<void> {
  try {
    await sharp(Buffer.from(atOneMegapixel(drawing)), { unlimited: true })
      .raw()
      .toBuffer()
  } catch {
    throw new FileRejected('The drawing cannot be drawn.')
  }
}

/** The drawing with a width and height that make a megapixel; a square if it has no size. */
function atOneMegapixel({ svg, width, height }: Pick<SanitizedDrawing, 'svg' | 'width' | 'height'>): string {
  const isSized = width !== null && height !== null
  const aspectRatio = isSized ? width / height : 1
  const pixelWidth = Math.min(Math.max(Math.sqrt(pixels * aspectRatio), pixels / maxSide), maxSide)
  const size = { width: String(Math.ceil(pixelWidth)), height: String(Math.ceil(pixels / pixelWidth)) }
  // Without a viewBox the content would keep its size and be cut.
  return resized(svg, size, isSized && !hasViewBox.test(svg) ? { width, height } : undefined)
}
