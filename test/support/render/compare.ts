// Compares two pictures as the renderer's tests demand: edges may differ a little, areas may not.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'

export interface Difference {
  /** Share of pixels that differ by more than 40 of 255 in a channel. */
  share: number
  /** Side of the largest square of which every pixel differs so much. */
  square: number
}

/** @throws Error when they differ in size */
export async function compare(one: Buffer, other: Buffer): Promise<Difference> {
  const [a, b] = await Promise.all([one, other].map(flat))
  if (!a || !b || a.info.width !== b.info.width || a.info.height !== b.info.height) {
    throw new Error(
      `The sizes differ: ${a?.info.width} × ${a?.info.height} and ${b?.info.width} × ${b?.info.height}.`,
    )
  }
  const { width, height } = a.info
  let count = 0
  let square = 0
  let above = new Uint16Array(width + 1)
  for (let y = 0; y < height; y++) {
    const row = new Uint16Array(width + 1)
    for (let x = 0; x < width; x++) {
      const i = 3 * (y * width + x)
      const isOff = [0, 1, 2].some((c) => Math.abs((a.data[i + c] ?? 0) - (b.data[i + c] ?? 0)) > 40)
      if (!isOff) continue
      count++
      row[x + 1] = 1 + Math.min(above[x] ?? 0, above[x + 1] ?? 0, row[x] ?? 0)
      square = Math.max(square, row[x + 1] ?? 0)
    }
    above = row
  }
  return { share: count / (width * height), square }
}

const flat = (bytes: Buffer) =>
  sharp(bytes)
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })

/**
 * So many times finer both references are drawn, and then shrunk: browsers and Poppler move glyphs to whole pixels, which
 * on paper they do not.
 */
export const finer = 4

/** The first page of a PDF as PNG. */
export async function pdfPixels(pdf: Buffer, dpi: number): Promise<Buffer> {
  return withFile(pdf, async (path) => {
    const how = ['-r', String(dpi * finer), '-png', '-singlefile', path, `${path}.page`]
    await promisify(execFile)('pdftoppm', how)
    return shrunk(await readFile(`${path}.page.png`))
  })
}

/** Each square of pixels becomes the mean of them. */
export async function shrunk(png: Buffer): Promise<Buffer> {
  const { data, info } = await flat(png)
  const [width, height] = [Math.floor(info.width / finer), Math.floor(info.height / finer)]
  const mean = Buffer.alloc(3 * width * height)
  for (let at = 0; at < mean.length; at++) {
    const [x, y, channel] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width), at % 3]
    let sum = 0
    for (let i = 0; i < finer * finer; i++) {
      const [dx, dy] = [i % finer, Math.floor(i / finer)]
      sum += data[3 * ((y * finer + dy) * info.width + x * finer + dx) + channel] ?? 0
    }
    mean[at] = sum / finer / finer
  }
  return sharp(mean, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

/** Runs `work` on a file of these bytes in a folder of its own. */
export async function withFile<T>(bytes: Buffer, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-tests-pdf-'))
  try {
    const path = join(folder, 'file')
    await writeFile(path, bytes)
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
