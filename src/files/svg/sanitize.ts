// Makes an uploaded drawing safe without changing how it looks. Runs in a child process, since hostile input makes it expensive.
import { encodeJpeg } from '../picture/encode.ts'
import { jpegScans } from '../picture/jpeg.ts'
import { FileRejected } from '../rejected.ts'
import { embeddedPixels } from './embedded-picture.ts'
import { assertLength } from './limits.ts'
import { rewriteSvg, type SanitizedDrawing } from './rewrite.ts'
import { decodeXml } from './xml-text.ts'

/** The drawing without active and external content. Throws FileRejected if it cannot be parsed, or if nothing remains to display. */
export async function sanitizeSvg(bytes: Uint8Array): Promise<SanitizedDrawing> {
  const text = decodeXml(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  const drawing = await withBaselineJpegs(rewritten(text))
  // DOMPurify comes last, when the drawing is small and flat: building a DOM takes seconds where parsing takes milliseconds.
  const { purifyIfNeeded } = await import('./purify.ts')
  const purified = purifyIfNeeded(drawing.svg)
  if (purified === undefined) return drawing
  const second = rewritten(purified)
  if (purifyIfNeeded(second.svg) !== undefined) throw new FileRejected('The drawing cannot be sanitized.')
  return {
    ...second,
    repaired: drawing.repaired,
    removed: [...new Set([...drawing.removed, 'active content' as const])].sort(),
  }
}

function rewritten(xml: string): SanitizedDrawing {
  const drawing = rewriteSvg(xml)
  if (drawing.isEmpty) throw new FileRejected('The drawing contains nothing that can be displayed.')
  return drawing
}

const jpegUrl = /data:image\/jpeg;base64,([A-Za-z0-9+/=]*)/g
/** Work to spend on the pictures of a drawing, in pixels times scans; it takes some seconds. The pictures beyond it are removed. */
const maxWork = 6e8
/** The work that each picture costs besides, whatever its size. */
const workPerPicture = 2e6
/** A transparent pixel, which replaces a removed picture. */
const emptyPicture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/**
 * The drawing with each JPEG picture in a single scan, since a viewer draws all pixels once for each scan. Pictures of one scan
 * stay as they are; others are encoded anew, as an uploaded picture is. One that cannot be decoded, or is beyond `maxWork`, becomes an
 * empty picture.
 */
async function withBaselineJpegs(drawing: SanitizedDrawing): Promise<SanitizedDrawing> {
  /** New `data:` URLs by the old ones. */
  const replacements = new Map<string, string>()
  const removed = new Set(drawing.removed)
  const warnings = new Set<string>()
  let remaining = maxWork
  for (const [url, data = ''] of drawing.svg.matchAll(jpegUrl)) {
    const bytes = Buffer.from(data, 'base64')
    const scans = jpegScans(bytes)
    if (scans <= 1 || replacements.has(url)) continue
    remaining -= scans * embeddedPixels(url) + workPerPicture
    const picture = remaining < 0 ? undefined : await encodeJpeg(bytes).catch(() => undefined)
    if (!picture) removed.add('pictures that cannot be displayed')
    if (picture?.warning) warnings.add(picture.warning)
    replacements.set(
      url,
      picture ? `data:image/jpeg;base64,${picture.bytes.toString('base64')}` : emptyPicture,
    )
  }
  const svg =
    replacements.size > 0 ? drawing.svg.replace(jpegUrl, (url) => replacements.get(url) ?? url) : drawing.svg
  assertLength(svg)
  return { ...drawing, svg, removed: [...removed].sort(), repaired: [...drawing.repaired, ...warnings] }
}
