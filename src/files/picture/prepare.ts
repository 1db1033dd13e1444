// Prepares a PNG or JPEG file for sharp: counts scans, finds animations, and replaces a gamma of a PNG by a color profile, since sharp
// ignores a gamma.
import { type Colors, profileChunk } from './gamma-profile.ts'
import { jpegScans } from './jpeg.ts'
import { pngChunks, pngPicture } from './png.ts'

/** A picture file as it is decoded. */
export interface PreparedPicture {
  bytes: Uint8Array
  /** How many passes over all pixels a decoder makes. */
  scans: number
  isAnimated: boolean
  /** The iCCP chunk for a gray picture; the codec applies it only after conversion to RGB. */
  profile?: Buffer
}

/** The offset of the second chunk of a PNG file. */
const headerEnd = 33

/** The unchanged JPEG file with the number of its scans. Throws FileRejected for a file with too many segments. */
export function prepareJpeg(bytes: Uint8Array): PreparedPicture {
  return { bytes, scans: jpegScans(bytes), isAnimated: false }
}

/**
 * The PNG file without metadata, and with a profile if it has an unusual gamma, so that sharp converts it to sRGB. Throws
 * FileRejected for too many chunks.
 */
export function preparePng(input: Uint8Array): PreparedPicture {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.length)
  const chunks = [...pngChunks(bytes)]
  /** The data of the first chunk of a type; undefined unless it has the length. */
  const dataOf = (type: string, length: number) => {
    const first = chunks.find((chunk) => chunk.type === type)
    const data = first && bytes.subarray(first.start + 8, first.end - 4)
    return data?.length === length ? data : undefined
  }
  const hasProfile = chunks.some(({ type }) => type === 'iCCP' || type === 'sRGB')
  const header = dataOf('IHDR', 13)
  const profile = hasProfile || !header ? undefined : profileChunk(colorsOf(dataOf))
  const colorType = header?.[9]
  const isGray = colorType === 0 || colorType === 4
  const picture = pngPicture(input)
  return {
    bytes: profile && !isGray ? withProfile(picture, profile) : picture,
    scans: 1,
    isAnimated: chunks.some(({ type }) => type === 'acTL'),
    ...(profile && isGray && { profile }),
  }
}

/** The PNG file with the chunk inserted after its header. */
export function withProfile(bytes: Uint8Array, profile: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, headerEnd), profile, bytes.subarray(headerEnd)])
}

/** The colors that the chunks gAMA and cHRM describe (PNG §11.3.3). */
function colorsOf(dataOf: (type: string, length: number) => Buffer | undefined): Colors {
  const [gamma, points] = [dataOf('gAMA', 4), dataOf('cHRM', 32)]
  const decimal = (data: Buffer, offset: number) => data.readUInt32BE(offset) / 100_000
  return {
    ...(gamma && { gamma: decimal(gamma, 0) }),
    ...(points && {
      chromaticities: [0, 4, 8, 12, 16, 20, 24, 28].map((offset) => decimal(points, offset)),
    }),
  }
}
