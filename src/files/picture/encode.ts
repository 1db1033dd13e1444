// PNG and JPEG files are decoded and encoded anew: what is stored holds pixels and a density, and nothing else.
import type { Metadata, Sharp } from 'sharp'
import { FileRejected } from '../rejected.ts'
import { semaphore } from '../semaphore.ts'
import { jpegScans, withJpegDensity } from './jpeg.ts'
import { pngPicture } from './png.ts'

export interface EncodedImage {
  bytes: Buffer
  width: number
  height: number
  /** Pixels per inch; null where the file says nothing about it. */
  density: number | null
  /** A sentence about what was changed in the picture, where a customer would see it. */
  warning?: string
}

const PIXELS = 50_000_000
const SECONDS = 20
// Progressive files have about ten scans; each scan of a bomb costs a pass over all pixels.
const SCANS = 100

// Of the whole process and not of one instance: memory is what is scarce, and 50 megapixels take up to 400 MB.
const decoding = semaphore(2)

/** Decodes and encodes a PNG or JPEG file. Throws FileRejected when it is broken or too large to decode. */
export async function encodeImage(
  read: () => Promise<Uint8Array>,
  type: 'png' | 'jpeg',
): Promise<EncodedImage> {
  return decoding(async () => {
    const file = await read()
    const input = type === 'png' ? pngPicture(file) : file
    // Loaded at the first picture: a host that never uploads never loads the codecs.
    const { default: sharp } = await import('sharp')
    try {
      // Only the header is read here, so that the answer can name the size.
      const metadata = await sharp(input, { limitInputPixels: false }).metadata()
      assertSize(metadata, input, type)
      return await encode(sharp(input, { limitInputPixels: PIXELS, failOn: 'warning' }), metadata, type)
    } catch (error) {
      if (error instanceof FileRejected) throw error
      throw new FileRejected('The picture is damaged or cannot be decoded in time.')
    }
  })
}

function assertSize({ width, height, format }: Metadata, input: Uint8Array, type: 'png' | 'jpeg'): void {
  if (format !== type) throw new FileRejected('The picture is damaged or cannot be decoded in time.')
  if (width * height > PIXELS) {
    throw new FileRejected(`The picture has ${width} by ${height} pixels; at most 50 megapixels are taken.`)
  }
  if (type === 'jpeg' && jpegScans(input) > SCANS) {
    throw new FileRejected(`The picture is stored in more than ${SCANS} scans.`)
  }
}

async function encode(image: Sharp, metadata: Metadata, type: 'png' | 'jpeg'): Promise<EncodedImage> {
  const upright = image.autoOrient().timeout({ seconds: SECONDS })
  const deep = type === 'png' && metadata.depth === 'ushort'
  const rgb = upright.toColourspace(deep ? 'rgb16' : 'srgb')
  // The codec takes sixteen bits with a profile to its own wide space, and would leave them there unsaid.
  if (deep && metadata.hasProfile) rgb.withIccProfile('srgb', { attach: false })
  const { data, info } = await (type === 'png' ? rgb.png() : rgb.jpeg(jpegOptions(metadata))).toBuffer({
    resolveWithObject: true,
  })
  const bytes = type === 'jpeg' && metadata.density ? withJpegDensity(data, metadata.density) : data
  const picture = { bytes, width: info.width, height: info.height, density: metadata.density ?? null }
  return metadata.space === 'cmyk'
    ? { ...picture, warning: 'The picture was in CMYK colors and has been converted to sRGB.' }
    : picture
}

/**
 * The quality is for print; color is kept at full resolution unless the original had already halved it. The last
 * percents of size would cost a pass over the whole picture in memory, 300 MB for the largest.
 */
function jpegOptions({ chromaSubsampling }: Metadata) {
  return {
    quality: 92,
    optimiseCoding: false,
    chromaSubsampling: chromaSubsampling === '4:2:0' ? '4:2:0' : '4:4:4',
  }
}
