// Draws a sanitized drawing once, to see what it takes: the process that runs this ends at its limits.
import sharp from 'sharp'
import { FileRejected } from '../rejected.ts'
import type { Drawing } from './rewrite.ts'

const pixels = 1_000_000
/** Pixels of the longer side of a very narrow drawing. */
const longest = 30_000

const rootTag = /^(<\?xml[^>]*\?>\s*<svg)([^>]*?)(\/?>)/

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

/** The same drawing in a size of its own, whichever the drawing names. */
function atOneMegapixel({ svg, width, height }: Pick<Drawing, 'svg' | 'width' | 'height'>): string {
  const ratio = width !== null && height !== null ? width / height : 1
  const w = Math.min(Math.max(Math.sqrt(pixels * ratio), pixels / longest), longest)
  return svg.replace(rootTag, (_, start: string, attributes: string, end: string) => {
    const others = attributes.replace(/ (?:width|height)="[^"]*"/g, '')
    const hasBox = / viewBox="/.test(others) || width === null || height === null
    const box = hasBox ? '' : ` viewBox="0 0 ${width} ${height}"`
    return `${start}${others}${box} width="${Math.ceil(w)}" height="${Math.ceil(pixels / w)}"${end}`
  })
}
