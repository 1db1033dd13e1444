// Compares how two drawings look, drawn by librsvg.
import sharp from 'sharp'

const pixels = async (svg: Uint8Array) =>
  sharp(svg, { limitInputPixels: 50_000_000 }).ensureAlpha().raw().toBuffer({ resolveWithObject: true })

/** The number of bytes in which the pictures differ; NaN when their sizes do. */
export async function difference(before: Uint8Array, after: Uint8Array): Promise<number> {
  const [a, b] = await Promise.all([pixels(before), pixels(after)])
  if (a.info.width !== b.info.width || a.info.height !== b.info.height) return Number.NaN
  if (a.data.equals(b.data)) return 0
  return a.data.reduce((sum, value, index) => sum + (value === b.data[index] ? 0 : 1), 0)
}
