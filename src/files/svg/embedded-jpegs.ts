// Re-encodes JPEG pictures in a drawing whose pixels are spread over many scans: a viewer draws all of them once for each scan.
import { encodeJpeg } from '../picture/encode.ts'
import { jpegScans } from '../picture/jpeg.ts'
import { embeddedPixels } from './embedded-picture.ts'

/** The drawing, and what happened to its pictures. */
interface Reencoded {
  svg: string
  /** Whether a picture was replaced by an empty one, since it cannot be decoded. */
  hasLost: boolean
  /** Sentences about visible changes to pictures. */
  warnings: string[]
}

const jpegUrl = /data:image\/jpeg;base64,([A-Za-z0-9+/=]*)/g
/** Pixels times scans of all pictures together that are decoded, which takes some seconds. */
const maxWork = 6e8
/** What each picture costs besides. */
const workPerPicture = 2e6
/** A transparent pixel. */
const emptyPicture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** The sanitized drawing with each JPEG picture in one scan. Pictures that already are stay as they are, byte for byte. */
export async function withPlainJpegs(svg: string): Promise<Reencoded> {
  const done = new Map<string, string>()
  const warnings = new Set<string>()
  let hasLost = false
  let left = maxWork
  for (const [url, data = ''] of svg.matchAll(jpegUrl)) {
    const bytes = Buffer.from(data, 'base64')
    const scans = jpegScans(bytes)
    if (scans <= 1 || done.has(url)) continue
    left -= scans * embeddedPixels(url) + workPerPicture
    // As an upload is encoded.
    const picture = left < 0 ? undefined : await encodeJpeg(bytes).catch(() => undefined)
    hasLost ||= picture === undefined
    if (picture?.warning) warnings.add(picture.warning)
    done.set(url, picture ? `data:image/jpeg;base64,${picture.bytes.toString('base64')}` : emptyPicture)
  }
  return {
    svg: done.size > 0 ? svg.replace(jpegUrl, (url) => done.get(url) ?? url) : svg,
    hasLost,
    warnings: [...warnings],
  }
}
