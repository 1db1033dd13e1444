// Converts grays to percentages of black ink by the profile of a press: black ink alone prints them as light as they are in the design.
import sharp from 'sharp'
import type { Color } from './marks.ts'

/**
 * Returns a function from a gray to the percentage of black ink, from 0 to 100, that looks as light on the press.
 * @param profile the bytes of the output profile, which converts all percentages once
 */
export async function blackRamp(profile: Uint8Array): Promise<(color: Color) => number> {
  const percentages = Array.from({ length: 101 }, (_, percent) => percent)
  const pixels = Buffer.from(percentages.flatMap((percent) => [0, 0, 0, Math.round(percent * 2.55)]))
  const rgb = await sharp(cmykTiff(pixels, profile)).toColourspace('srgb').raw().toBuffer()
  const lights = percentages.map((percent) => lightOf([...rgb.subarray(3 * percent, 3 * percent + 3)]))
  return ({ r, g, b }) => {
    const light = lightOf([r, g, b])
    const distance = (percent: number) => Math.abs((lights[percent] ?? 0) - light)
    return percentages.reduce((best, percent) => (distance(percent) < distance(best) ? percent : best), 0)
  }
}

/** Lightness from 0 to 255, with the weights of Rec. 709. */
const lightOf = ([r = 0, g = 0, b = 0]: readonly number[]) => 0.2126 * r + 0.7152 * g + 0.0722 * b

/** A row of pixels in four inks with their profile (TIFF 6.0 §16), the simplest form in which sharp reads them. */
function cmykTiff(pixels: Buffer, profile: Uint8Array): Buffer {
  const [short, long, undefinedType] = [3, 4, 7]
  const entryCount = 10
  const bitsOffset = 8 + 2 + 12 * entryCount + 4
  const pixelsOffset = bitsOffset + 8
  const header = Buffer.alloc(pixelsOffset)
  header.write('II*\0')
  header.writeUInt32LE(8, 4)
  header.writeUInt16LE(entryCount, 8)
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [256, long, 1, pixels.length / 4], // ImageWidth
    [257, long, 1, 1], // ImageLength
    [258, short, 4, bitsOffset], // BitsPerSample
    [259, short, 1, 1], // Compression: none
    [262, short, 1, 5], // PhotometricInterpretation: separated
    [273, long, 1, pixelsOffset], // StripOffsets
    [277, short, 1, 4], // SamplesPerPixel
    [278, long, 1, 1], // RowsPerStrip
    [279, long, 1, pixels.length], // StripByteCounts
    [34_675, undefinedType, profile.length, pixelsOffset + pixels.length], // ICC profile
  ]
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const offset = 10 + 12 * index
    header.writeUInt16LE(tag, offset)
    header.writeUInt16LE(type, offset + 2)
    header.writeUInt32LE(count, offset + 4)
    header.writeUInt32LE(value, offset + 8)
  }
  for (const channel of [0, 1, 2, 3]) header.writeUInt16LE(8, bitsOffset + 2 * channel)
  return Buffer.concat([header, pixels, profile])
}
