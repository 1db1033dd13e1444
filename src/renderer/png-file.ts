// Encodes pixels as PNG, row by row (PNG Third Edition, W3C 2025). One filter for all rows costs a fraction of the time of the picture
// library, which tries all of them for each row.
import { once } from 'node:events'
import { crc32, createDeflate } from 'node:zlib'

/** What an image is like. */
interface Header {
  width: number
  height: number
  /** 3 for RGB, 4 for RGBA. */
  channels: 3 | 4
  /** Pixels per inch; undefined stores none. */
  dpi: number | undefined
  /** Whether rows are filtered, which pays where pixels differ. */
  isFiltered: boolean
}

/** Takes the rows of a PNG from top to bottom. */
export interface PngWriter {
  /** Adds whole rows, as many as `pixels` contains. */
  add(pixels: Uint8Array): Promise<void>
  /** The file, after all rows were added. */
  end(): Promise<Buffer>
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
/** Bytes of rows that are filtered at once. */
const filteredAtOnce = 512 * 1024

/** A chunk of a PNG (§5.3). */
function chunk(type: string, data: Buffer): Buffer[] {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(type, 4, 'latin1')
  const end = Buffer.alloc(4)
  end.writeUInt32BE(crc32(data, crc32(head.subarray(4))))
  return [head, data, end]
}

/** Metres in an inch. */
const inch = 0.0254

/** The chunks before the pixels: IHDR, sRGB (§11.3.2.5, perceptual), and pHYs (§11.3.4.3) in pixels per metre. */
function headOf({ width, height, channels, dpi }: Header): Buffer[] {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  header[9] = channels === 4 ? 6 : 2
  const density = Buffer.alloc(9)
  const perMetre = dpi === undefined ? 0 : Math.round(dpi / inch)
  density.writeUInt32BE(perMetre)
  density.writeUInt32BE(perMetre, 4)
  density[8] = 1
  return [
    signature,
    ...chunk('IHDR', header),
    ...chunk('sRGB', Buffer.alloc(1)),
    ...(dpi === undefined ? [] : chunk('pHYs', density)),
  ]
}

/** Starts a PNG. */
export function pngWriter(header: Header): PngWriter {
  const { width, channels } = header
  const rowLength = width * channels
  const parts = headOf(header)
  const deflate = createDeflate({ level: 1, memLevel: 9, chunkSize: 256 * 1024 })
  deflate.on('data', (data: Buffer) => void parts.push(...chunk('IDAT', data)))
  const atOnce = Math.max(1, Math.floor(filteredAtOnce / (rowLength + 1)))
  /** The row above the next one. */
  let above: Uint8Array = new Uint8Array(rowLength)
  return {
    async add(pixels) {
      const rows = pixels.length / rowLength
      for (let row = 0; row < rows; row += atOnce) {
        const part = pixels.subarray(row * rowLength, Math.min(rows, row + atOnce) * rowLength)
        const filtered = filteredRows(part, above, rowLength, header)
        above = part.subarray(part.length - rowLength)
        if (!deflate.write(filtered)) await once(deflate, 'drain')
      }
      // The next pixels may overwrite these.
      above = above.slice()
    },
    async end() {
      const ended = once(deflate, 'end')
      deflate.end()
      await ended
      return Buffer.concat([...parts, ...chunk('IEND', Buffer.alloc(0))])
    },
  }
}

/** Rows of pixels, each with the number of its filter (§9.2) before it. @param above the row before them */
function filteredRows(
  pixels: Uint8Array,
  above: Uint8Array,
  length: number,
  { channels, isFiltered }: Pick<Header, 'channels' | 'isFiltered'>,
): Buffer {
  const filtered = Buffer.allocUnsafe((pixels.length / length) * (length + 1))
  let upper = above
  for (let from = 0, to = 0; from < pixels.length; from += length, to += length + 1) {
    const row = pixels.subarray(from, from + length)
    filtered[to] = isFiltered ? average : 0
    if (isFiltered) filterRow(row, upper, channels, filtered.subarray(to + 1, to + 1 + length))
    else filtered.set(row, to + 1)
    upper = row
  }
  return filtered
}

/** The number of the filter Average (§9.4). */
const average = 3

/** Writes the differences of a row from the means of the pixels on the left and above. */
function filterRow(row: Uint8Array, upper: Uint8Array, channels: number, target: Uint8Array): void {
  for (let i = 0; i < channels; i++) target[i] = (row[i] as number) - ((upper[i] as number) >> 1)
  for (let i = channels; i < row.length; i++)
    target[i] = (row[i] as number) - (((row[i - channels] as number) + (upper[i] as number)) >> 1)
}
