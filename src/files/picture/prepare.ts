// Readies a PNG or JPEG file for the codec and finds out what that does not tell. Runs in a thread: it looks at every part.
import { jpegScans } from './jpeg.ts'
import { pngChunks, pngPicture } from './png.ts'
import { type Colors, profileChunk } from './profile.ts'

export interface PreparedPicture {
  /** What to decode. */
  bytes: Uint8Array
  /** How often a decoder goes over all pixels. */
  scans: number
  isAnimated: boolean
  /** The chunk of a profile for a grey picture, which the codec uses only once the picture has three colors. */
  profile?: Buffer
}

/** Where the header of a PNG file ends. */
const headerEnd = 33

/** Throws FileRejected for a file of too many parts. */
export function prepareJpeg(bytes: Uint8Array): PreparedPicture {
  return { bytes, scans: jpegScans(bytes), isAnimated: false }
}

/** The same; colors that go by a gamma of their own get the profile that says so, by which the codec converts them. */
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

/** The file with the chunk behind its header. */
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
