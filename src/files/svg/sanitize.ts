// Makes a drawing safe without changing how it looks. Runs in a child process, since hostile input makes it expensive.
import { encodeJpeg } from '../picture/encode.ts'
import { jpegScans } from '../picture/jpeg.ts'
import { FileRejected } from '../rejected.ts'
import { embeddedPixels } from './embedded-picture.ts'
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

const jpegUrl = /data:image\/jpeg;base64,([A-Za-z0-9+/=]*)/g
/** Pixels times scans of all pictures together that are decoded, which takes some seconds. */
const maxWork = 6e8
/** What each picture costs besides. */
const workPerPicture = 2e6
/** A transparent pixel. */
const emptyPicture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/**
 * The drawing with each JPEG picture in one scan: a viewer draws all pixels once for each. Pictures that already are in one stay
 * as they are, byte for byte; one that cannot be decoded becomes an empty one.
 */
async function reencoded(drawing: Drawing): Promise<Drawing> {
  const done = new Map<string, string>()
  const removed = new Set(drawing.removed)
  const warnings = new Set<string>()
  let remaining = maxWork
  for (const [url, data = ''] of drawing.svg.matchAll(jpegUrl)) {
    const bytes = Buffer.from(data, 'base64')
    const scans = jpegScans(bytes)
    if (scans <= 1 || done.has(url)) continue
    remaining -= scans * embeddedPixels(url) + workPerPicture
    // As an upload is encoded.
    const picture = remaining < 0 ? undefined : await encodeJpeg(bytes).catch(() => undefined)
    if (!picture) removed.add('pictures that cannot be displayed')
    if (picture?.warning) warnings.add(picture.warning)
    done.set(url, picture ? `data:image/jpeg;base64,${picture.bytes.toString('base64')}` : emptyPicture)
  }
  const svg = done.size > 0 ? drawing.svg.replace(jpegUrl, (url) => done.get(url) ?? url) : drawing.svg
  assertLength(svg)
  return { ...drawing, svg, removed: [...removed].sort(), repaired: [...drawing.repaired, ...warnings] }
}
