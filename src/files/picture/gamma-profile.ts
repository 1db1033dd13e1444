// Makes the color profile (ICC) of a PNG file that states an unusual gamma, for prepare.ts.
import { crc32, deflateSync } from 'node:zlib'

/** Colors as a PNG file describes them. */
export interface Colors {
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

/** The iCCP chunk with a profile of the gamma and the primaries; undefined for no gamma, an absurd one or the usual one. */
export function profileChunk({ gamma, chromaticities }: Colors): Buffer | undefined {
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

const times = (rows: Vector[], [x, y, z]: Vector): Vector =>
  rows.map(([a, b, c]) => a * x + b * y + c * z) as Vector

const columns = (rows: Vector[]): Vector[] =>
  ([0, 1, 2] as const).map((column) => rows.map((row) => row[column]) as Vector)

/** The weights with which three vectors add up to the target (Cramer's rule); undefined if they lie in one plane. */
function solved(vectors: Vector[], target: Vector): Vector | undefined {
  const denominator = determinant(vectors)
  if (Math.abs(denominator) < 1e-9) return undefined
  const weight = (index: number) =>
    determinant(vectors.map((vector, place) => (place === index ? target : vector))) / denominator
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
