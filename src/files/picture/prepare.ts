// Prepares a PNG or JPEG file for the codec, and finds out what the codec does not report.
import { jpegScans } from './jpeg.ts'
import { pngChunks, pngPicture } from './png.ts'
import { type Colors, profileChunk } from './profile.ts'

export interface PreparedPicture {
  /** The bytes to decode. */
  bytes: Uint8Array
  /** How many passes over all pixels a decoder makes. */
  scans: number
  isAnimated: boolean
  /** The iCCP chunk for a gray picture; the codec applies it only after conversion to RGB. */
  profile?: Buffer
}

/** The offset of the second chunk of a PNG file. */
const headerEnd = 33

/** Throws FileRejected for a file with too many segments. */
export function prepareJpeg(bytes: Uint8Array): PreparedPicture {
  return { bytes, scans: jpegScans(bytes), isAnimated: false }
}

/** Adds a profile to a picture with its own gamma, so that the codec converts it. Throws FileRejected for too many chunks. */
export function preparePng(input: Uint8Array): PreparedPicture {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.length)
  const chunks = [...pngChunks(bytes)]
  const dataOf = (type: string, length: number) => {
    const found = chunks.find((chunk) => chunk.type === type)
    const data = found && bytes.subarray(found.start + 8, found.end - 4)
    return data?.length === length ? data : undefined
  }
  const isUsual = chunks.some(({ type }) => type === 'iCCP' || type === 'sRGB')
  const header = dataOf('IHDR', 13)
  const profile = isUsual || !header ? undefined : profileChunk(colorsOf(dataOf))
  const isGrey = header?.[9] === 0 || header?.[9] === 4
  const picture = pngPicture(input)
  return {
    bytes: profile && !isGrey ? withProfile(picture, profile) : picture,
    scans: 1,
    isAnimated: chunks.some(({ type }) => type === 'acTL'),
    ...(profile && isGrey && { profile }),
  }
}

/** The PNG file with the chunk inserted after its header. */
export function withProfile(bytes: Uint8Array, profile: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, headerEnd), profile, bytes.subarray(headerEnd)])
}

function colorsOf(dataOf: (type: string, length: number) => Buffer | undefined): Colors {
  const [gamma, points] = [dataOf('gAMA', 4), dataOf('cHRM', 32)]
  const decimal = (data: Buffer, at: number) => data.readUInt32BE(at) / 100_000
  return {
    ...(gamma && { gamma: decimal(gamma, 0) }),
    ...(points && { chromaticities: [0, 4, 8, 12, 16, 20, 24, 28].map((at) => decimal(points, at)) }),
  }
}
