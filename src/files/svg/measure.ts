// Draws a sanitized drawing once, to see what it takes: the process that runs this ends at its limits.
import sharp from 'sharp'
import { FileRejected } from '../rejected.ts'
import type { Drawing } from './rewrite.ts'
import { resized } from './size.ts'

const pixels = 1_000_000
/** Pixels of the longer side of a very narrow drawing. */
const longest = 30_000

const hasViewBox = /^<\?xml[^>]*\?>\s*<svg[^>]* viewBox="/

/** @throws FileRejected if librsvg refuses to draw it, as it does with too many reused elements */
export async function drawOnce(drawing: Pick<Drawing, 'svg' | 'width' | 'height'>): Promise<void> {
  try {
    await sharp(Buffer.from(atOneMegapixel(drawing)), { unlimited: true })
      .raw()
      .toBuffer()
  } catch {
    throw new FileRejected('The drawing cannot be drawn.')
  }
}

function atOneMegapixel({ svg, width, height }: Pick<Drawing, 'svg' | 'width' | 'height'>): string {
  const isSized = width !== null && height !== null
  const w = Math.min(Math.max(Math.sqrt(pixels * (isSized ? width / height : 1)), pixels / longest), longest)
  const size = { width: String(Math.ceil(w)), height: String(Math.ceil(pixels / w)) }
  return resized(svg, size, isSized && !hasViewBox.test(svg) ? { width, height } : undefined)
}
