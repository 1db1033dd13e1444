// Prepares a PNG or JPEG file for the codec, and finds out what the codec does not report.
import { crc32, deflateSync } from 'node:zlib'
import { jpegScans } from './jpeg.ts'
import { pngChunks, pngPicture } from './png.ts'

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

interface Colors {
  /** The encoding exponent, e.g. 0.45455 for 1/2.2. */
  gamma?: number
  /** x and y of white, red, green and blue, in this order. */
  chromaticities?: number[]
}

type Vector = [x: number, y: number, z: number]

/** The gamma of sRGB, and the relative difference up to which a value counts as equal. */
const usualGamma = { gamma: 1 / 2.2, tolerance: 0.05 }
const d50: Vector = [0.9642, 1, 0.8249]
/** The sRGB primaries adapted to D50. */
const srgbPrimaries: Vector[] = [
  [0.43607, 0.22249, 0.01392],
  [0.38515, 0.71687, 0.09708],
  [0.14307, 0.06061, 0.7141],
]
const bradford: Vector[] = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]

/** The iCCP chunk with the profile; undefined for the usual gamma. */
function profileChunk({ gamma, chromaticities }: Colors): Buffer | undefined {
  const isSane = gamma !== undefined && gamma >= 0.01 && gamma <= 10
  if (!isSane || Math.abs(gamma / usualGamma.gamma - 1) < usualGamma.tolerance) return undefined
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

function profile(tags: [string, Buffer][]): Buffer {
  const header = Buffer.alloc(128)
  header.writeUInt32BE(0x04300000, 8)
  header.write('mntrRGB XYZ ', 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  Buffer.concat(d50.map(fixed)).copy(header, 68)
  let at = header.length + 4 + 12 * tags.length
  const table = [u32(tags.length)]
  for (const [name, data] of tags) {
    table.push(Buffer.from(name, 'latin1'), u32(at), u32(data.length))
    at += data.length
  }
  header.writeUInt32BE(at, 0)
  return Buffer.concat([header, ...table, ...tags.map(([, data]) => data)])
}

function chunk(profile: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from('iCCPgamma\0\0', 'latin1'), deflateSync(profile)])
  return Buffer.concat([u32(body.length - 4), body, u32(crc32(body))])
}

/** The primaries adapted to D50; undefined for degenerate chromaticities. */
function adapted(points: number[]): Vector[] | undefined {
  const [white, red, green, blue] = [0, 2, 4, 6].map((at) => xyz(points[at] ?? 0, points[at + 1] ?? 0))
  if (!white || !red || !green || !blue) return undefined
  const shares = solved([red, green, blue], white)
  if (!shares) return undefined
  const [from, to] = [times(bradford, white), times(bradford, d50)]
  return [red, green, blue].map((color, index) => {
    const scaled = color.map((value) => value * (shares[index] ?? 0)) as Vector
    const cones = times(bradford, scaled).map(
      (value, cone) => (value * (to[cone] ?? 0)) / (from[cone] ?? 1),
    ) as Vector
    return solved(columns(bradford), cones) ?? scaled
  })
}

const xyz = (x: number, y: number): Vector | undefined => (y > 0 ? [x / y, 1, (1 - x - y) / y] : undefined)

const times = (rows: Vector[], [x, y, z]: Vector): Vector =>
  rows.map(([a, b, c]) => a * x + b * y + c * z) as Vector

const columns = (rows: Vector[]): Vector[] =>
  ([0, 1, 2] as const).map((column) => rows.map((row) => row[column]) as Vector)

/** The weights of three vectors that add up to the target (Cramer's rule). */
function solved(vectors: Vector[], target: Vector): Vector | undefined {
  const whole = determinant(vectors)
  if (Math.abs(whole) < 1e-9) return undefined
  const share = (index: number) =>
    determinant(vectors.map((vector, at) => (at === index ? target : vector))) / whole
  return [share(0), share(1), share(2)]
}

function determinant([a, b, c]: Vector[]): number {
  if (!a || !b || !c) return 0
  return (
    a[0] * (b[1] * c[2] - b[2] * c[1]) -
    b[0] * (a[1] * c[2] - a[2] * c[1]) +
    c[0] * (a[1] * b[2] - a[2] * b[1])
  )
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A number in s15Fixed16 format. */
const fixed = (value: number): Buffer => u32(Math.round(value * 65536) >>> 0)
