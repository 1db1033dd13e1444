// Prepares a PNG or JPEG file for sharp: counts scans, finds animations, and turns a gamma of a PNG into a profile, which alone
// sharp applies.
import { crc32, deflateSync } from 'node:zlib'
import { jpegScans } from './jpeg.ts'
import { pngChunks, pngPicture } from './png.ts'

/** A picture file as it is decoded. */
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

interface Colors {
  /** The encoding exponent, e.g. 0.45455 for 1/2.2. */
  gamma?: number
  /** x and y of white, red, green and blue, in this order. */
  chromaticities?: number[]
}

/** A color in CIE XYZ, or in cone responses. */
type Vector = [x: number, y: number, z: number]

/** The gamma of sRGB, and the relative difference up to which a value counts as equal. */
const usualGamma = { gamma: 1 / 2.2, tolerance: 0.05 }
/** The white of ICC profiles. */
const d50: Vector = [0.9642, 1, 0.8249]
/** The sRGB primaries adapted to D50. */
const srgbPrimaries: Vector[] = [
  [0.43607, 0.22249, 0.01392],
  [0.38515, 0.71687, 0.09708],
  [0.14307, 0.06061, 0.7141],
]
/** The Bradford matrix, from XYZ to cone responses, by which ICC profiles adapt colors to another white. */
const bradford: Vector[] = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]

/** The iCCP chunk with a profile of the gamma and the primaries; undefined without a gamma, or for the usual one. */
function profileChunk({ gamma, chromaticities }: Colors): Buffer | undefined {
  const isValid = gamma !== undefined && gamma >= 0.01 && gamma <= 10
  if (!isValid || Math.abs(gamma / usualGamma.gamma - 1) < usualGamma.tolerance) return undefined
  const curve = Buffer.concat([Buffer.from('para\0\0\0\0\0\0\0\0', 'latin1'), fixed(1 / gamma)])
  const primaries = (chromaticities && adapted(chromaticities)) ?? srgbPrimaries
  const tags = [...'rgb'].flatMap((color, index): [string, Buffer][] => {
    const place = (primaries[index] ?? d50).map(fixed)
    return [
      [`${color}XYZ`, Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), ...place])],
      [`${color}TRC`, curve],
    ]
  })
  return chunk(profile(tags))
}

/** An ICC profile of a monitor (ICC.1:2010 §7): header, table of tags, their data. */
function profile(tags: [string, Buffer][]): Buffer {
  const header = Buffer.alloc(128)
  header.writeUInt32BE(0x04300000, 8) // version 4.3
  header.write('mntrRGB XYZ ', 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  Buffer.concat(d50.map(fixed)).copy(header, 68)
  let offset = header.length + 4 + 12 * tags.length
  const table = [u32(tags.length)]
  for (const [name, data] of tags) {
    table.push(Buffer.from(name, 'latin1'), u32(offset), u32(data.length))
    offset += data.length
  }
  header.writeUInt32BE(offset, 0)
  return Buffer.concat([header, ...table, ...tags.map(([, data]) => data)])
}

/** The iCCP chunk of a PNG file with the profile, which is called "gamma". */
function chunk(profile: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from('iCCPgamma\0\0', 'latin1'), deflateSync(profile)])
  return Buffer.concat([u32(body.length - 4), body, u32(crc32(body))])
}

/**
 * The primaries in XYZ, adapted to D50; undefined for degenerate chromaticities. Each primary is scaled so that all three add up
 * to white, then its cone responses are scaled from that white to D50.
 */
function adapted(points: number[]): Vector[] | undefined {
  const [white, red, green, blue] = [0, 2, 4, 6].map((index) =>
    xyz(points[index] ?? 0, points[index + 1] ?? 0),
  )
  if (!white || !red || !green || !blue) return undefined
  const shares = solved([red, green, blue], white)
  if (!shares) return undefined
  const [whiteCones, d50Cones] = [times(bradford, white), times(bradford, d50)]
  return [red, green, blue].map((color, index) => {
    // `map` keeps the three items.
    const scaled = color.map((value) => value * (shares[index] ?? 0)) as Vector
    const cones = times(bradford, scaled).map(
      (value, cone) => (value * (d50Cones[cone] ?? 0)) / (whiteCones[cone] ?? 1),
    ) as Vector
    return solved(columns(bradford), cones) ?? scaled
  })
}

/** XYZ of a chromaticity with the luminance 1. */
const xyz = (x: number, y: number): Vector | undefined => (y > 0 ? [x / y, 1, (1 - x - y) / y] : undefined)

/** A matrix times a vector. */
const times = (rows: Vector[], [x, y, z]: Vector): Vector =>
  rows.map(([a, b, c]) => a * x + b * y + c * z) as Vector

const columns = (rows: Vector[]): Vector[] =>
  ([0, 1, 2] as const).map((column) => rows.map((row) => row[column]) as Vector)

/** The weights with which three vectors add up to the target (Cramer's rule); undefined if they lie in one plane. */
function solved(vectors: Vector[], target: Vector): Vector | undefined {
  const denominator = determinant(vectors)
  if (Math.abs(denominator) < 1e-9) return undefined
  const weight = (index: number) =>
    determinant(vectors.map((vector, other) => (other === index ? target : vector))) / denominator
  return [weight(0), weight(1), weight(2)]
}

function determinant([a, b, c]: Vector[]): number {
  if (!a || !b || !c) return 0
  return (
    a[0] * (b[1] * c[2] - b[2] * c[1]) -
    b[0] * (a[1] * c[2] - a[2] * c[1]) +
    c[0] * (a[1] * b[2] - a[2] * b[1])
  )
}

/** A number in four bytes, big-endian. */
function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A number in s15Fixed16 format. */
const fixed = (value: number): Buffer => u32(Math.round(value * 65536) >>> 0)
