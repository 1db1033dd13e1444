// PNG files are written row by row and contain exactly the pixels that were passed.
import sharp from 'sharp'
import t from 'tap'
import { pngWriter } from '../../../src/renderer/png-file.ts'

/** Pixels without a pattern, some of them alike. */
function pixelsOf(length: number): Uint8Array {
  let state = 1
  return Uint8Array.from({ length }, (_, index) => {
    state = (state * 48_271) % 0x7fffffff
    return index % 97 < 40 ? 200 : state & 255
  })
}

t.test('pngWriter: the pixels of all parts, with and without filters, in RGB and RGBA', async (t) => {
  const [width, height] = [701, 613]
  for (const channels of [3, 4] as const) {
    for (const isFiltered of [true, false]) {
      const pixels = pixelsOf(width * height * channels)
      const writer = pngWriter({ width, height, channels, dpi: 300, isFiltered })
      for (const [from, to] of [
        [0, 1],
        [1, 400],
        [400, height],
      ] as const) {
        const part = pixels.slice(from * width * channels, to * width * channels)
        await writer.add(part)
        // The caller uses its buffer again.
        part.fill(0)
      }
      const file = await writer.end()
      const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
      t.match(info, { width, height, channels })
      t.ok(data.equals(pixels), `${channels} channels, filtered ${isFiltered}`)
      t.match(await sharp(file).metadata(), { density: 300, depth: 'uchar' })
    }
  }
})

t.test('pngWriter: a file without a resolution has none', async (t) => {
  const writer = pngWriter({ width: 1, height: 1, channels: 3, dpi: undefined, isFiltered: true })
  await writer.add(Uint8Array.of(1, 2, 3))
  const file = await writer.end()
  t.notOk(file.includes('pHYs'))
  t.strictSame([...(await sharp(file).raw().toBuffer())], [1, 2, 3])
})
