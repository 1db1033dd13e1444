// Decodes and re-encodes uploaded PNG and JPEG files, so that the stored file contains pixels and a density, and nothing else.
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { FileRejected } from '../rejected.ts'
import { withJpegDensity } from './jpeg.ts'
import { maxSide, pixelProblem, standardPixels } from './limits.ts'
import { type PreparedPicture, prepareJpeg, preparePng, withProfile } from './prepare.ts'

/** A re-encoded picture, turned upright. */
export interface EncodedImage {
  bytes: Buffer
  /** Pixels. */
  width: number
  height: number
  /** Pixels per inch; null if the file does not specify it. */
  density: number | null
  /** Sentences about visible changes to the picture. */
  warning?: string
}

/** Which faults of a file make sharp fail. */
type FailOn = NonNullable<SharpOptions['failOn']>

/** Seconds for one pass of sharp over a picture; a gray one with a profile takes two, a JPEG with harmless faults as well. */
const maxSeconds = 20
/** Bytes of pixels that a decoder may keep at once, see `decodedBytes`. */
const maxMemory = 400_000_000
/** Progressive files have about ten scans; each scan of a decompression bomb costs a pass over all pixels. */
const maxScans = 100

/** Re-encodes a PNG file. @throws FileRejected for a file that is damaged or too large to decode, or has too many chunks */
export const encodePng = async (bytes: Uint8Array, maxPixels = standardPixels) =>
  encodeImage(preparePng(bytes), 'png', maxPixels)

/** Re-encodes a JPEG file. @throws FileRejected for a file that is damaged or too large to decode, or has too many segments */
export const encodeJpeg = async (bytes: Uint8Array, maxPixels = standardPixels) =>
  encodeImage(prepareJpeg(bytes), 'jpeg', maxPixels)

/** Decodes and re-encodes a picture. A file of the other type is rejected like a damaged one. */
async function encodeImage(
  prepared: PreparedPicture,
  type: 'png' | 'jpeg',
  maxPixels: number,
): Promise<EncodedImage> {
  try {
    // Reads only the header, so that the message can state the size.
    const metadata = await sharp(prepared.bytes, { limitInputPixels: false, failOn: 'none' }).metadata()
    assertSize(metadata, prepared, type, maxPixels)
    const decoded = async (failOn: FailOn) => {
      const colored = await inThreeColors(prepared, metadata)
      const hasProfile = metadata.hasProfile || colored !== prepared.bytes
      const image = sharp(colored, { limitInputPixels: false, failOn })
      return encode(image, { ...metadata, hasProfile }, type)
    }
    const image = await decoded('warning').catch((error) => {
      if (isHarmless(error)) return decoded('error')
      throw error
    })
    if (!prepared.isAnimated) return image
    const warnings = [image.warning, 'The picture was animated; it is now a still image.']
    return { ...image, warning: warnings.filter(Boolean).join(' ') }
  } catch (error) {
    if (error instanceof FileRejected) throw error
    throw new FileRejected('The picture is damaged or cannot be decoded in time.')
  }
}

/** Whether an error only reports bytes between the segments of a JPEG file, which cameras leave there and no decoder needs. */
function isHarmless(error: unknown): boolean {
  const lines = error instanceof Error ? error.message.split('\n') : ['']
  return lines.every((line) =>
    /: Corrupt JPEG data: \d+ extraneous bytes before marker 0x[\da-f]+$/.test(line),
  )
}

/** @throws FileRejected if decoding the picture would take too much time or memory */
function assertSize(
  metadata: Metadata,
  { scans }: PreparedPicture,
  type: 'png' | 'jpeg',
  maxPixels: number,
): void {
  const { width, height, format } = metadata
  if (format !== type) throw new FileRejected('The picture is damaged or cannot be decoded in time.')
  const problem = pixelProblem(width, height, maxPixels)
  if (problem !== undefined) throw new FileRejected(problem)
  if (width > maxSide || height > maxSide) {
    throw new FileRejected(
      `The picture has ${width} by ${height} pixels; the limit is ${maxSide} pixels for each side.`,
    )
  }
  if (scans > maxScans) throw new FileRejected(`The picture has more than ${maxScans} scans.`)
  if (decodedBytes(metadata) > maxMemory)
    throw new FileRejected('The picture takes too much memory to decode; save it without interlacing.')
}

/**
 * The bytes that a decoder keeps for the whole picture: interlaced pixels, coefficients of a progressive JPEG, and pixels that
 * are turned upright. Other pictures are decoded row by row.
 */
function decodedBytes({ width, height, channels, depth, ...metadata }: Metadata): number {
  const pixels = width * height * channels * (depth === 'ushort' ? 2 : 1)
  const coefficients = metadata.chromaSubsampling === '4:2:0' ? pixels : 2 * pixels
  const interlaced = metadata.isProgressive ? (metadata.format === 'jpeg' ? coefficients : pixels) : 0
  return interlaced + ((metadata.orientation ?? 1) > 1 ? pixels : 0)
}

/** Encodes the decoded picture upright, in the colors that `inColors` chooses. */
async function encode(image: Sharp, metadata: Metadata, type: 'png' | 'jpeg'): Promise<EncodedImage> {
  const rgb = inColors(image.autoOrient(), metadata)
  // The codec converts 16-bit pixels with a profile to its own wide color space, and would leave them there untagged.
  if (isDeep(metadata) && metadata.hasProfile) rgb.withIccProfile('srgb', { attach: false })
  const { data, info } = await (type === 'png' ? rgb.png() : rgb.jpeg(jpegOptions(metadata))).toBuffer({
    resolveWithObject: true,
  })
  const bytes = type === 'jpeg' && metadata.density ? withJpegDensity(data, metadata.density) : data
  const picture = { bytes, width: info.width, height: info.height, density: metadata.density ?? null }
  return metadata.space === 'cmyk'
    ? { ...picture, warning: 'The picture was in CMYK colors and has been converted to sRGB.' }
    : picture
}

/** A gray picture with a profile that `preparePng` made, as RGB with that profile attached, which `encode` applies; any other picture unchanged. */
async function inThreeColors({ bytes, profile }: PreparedPicture, metadata: Metadata): Promise<Uint8Array> {
  if (!profile) return bytes
  const image = sharp(bytes, { limitInputPixels: false, failOn: 'warning' }).autoOrient()
  // As if it had three channels, so that it does not stay gray.
  const colored = inColors(image, { ...metadata, channels: 3 })
  return withProfile(await colored.png({ compressionLevel: 1 }).toBuffer(), profile)
}

/** Whether the picture is gray, a PNG with or without transparency; it stays gray, so that a PDF prints it with black ink alone. */
const isGray = (metadata: Metadata) =>
  metadata.channels <= (metadata.format === 'png' ? 2 : 1) && !isDeep(metadata)

/** Whether the picture is a PNG with 16 bits per channel; it keeps them. */
const isDeep = ({ format, depth }: Metadata) => format === 'png' && depth === 'ushort'

/** The picture converted to gray, 16-bit RGB or sRGB, with a time limit. */
function inColors(image: Sharp, metadata: Metadata): Sharp {
  const space = isGray(metadata) ? 'b-w' : isDeep(metadata) ? 'rgb16' : 'srgb'
  return image.timeout({ seconds: maxSeconds }).toColourspace(space)
}

/**
 * Options for print quality. Chroma keeps its full resolution unless the original has half of it in both directions. Optimized coding would
 * save a few percent of the file but keep the whole picture in memory, 300 MB for the largest.
 */
function jpegOptions({ chromaSubsampling }: Metadata) {
  return {
    quality: 92,
    optimiseCoding: false,
    chromaSubsampling: chromaSubsampling === '4:2:0' ? '4:2:0' : '4:4:4',
  }
}
