// Builds valid and invalid PNG files chunk by chunk.
import { crc32, deflateSync } from 'node:zlib'

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

interface PngOptions {
  width?: number
  height?: number
  /** Bits per channel. */
  depth?: 8 | 16
  /** 0 gray, 2 RGB, 6 RGBA. */
  color?: 0 | 2 | 6
  /** Chunks between the header and the pixels. */
  before?: Buffer[]
  /** Data after the end chunk. */
  after?: string | Buffer
  /** The compressed pixels; a gradient by default. */
  pixels?: Buffer
}

export function png({
  width = 16,
  height = 12,
  depth = 8,
  color = 2,
  before = [],
  after = '',
  pixels,
}: PngOptions = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, color, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...before,
    pngChunk(
      'IDAT',
      pixels ?? deflateSync(gradient(width, height, (depth / 8) * { 0: 1, 2: 3, 6: 4 }[color])),
    ),
    pngChunk('IEND', Buffer.alloc(0)),
    Buffer.from(after as string),
  ])
}

function gradient(width: number, height: number, bytesPerPixel: number): Buffer {
  const row = width * bytesPerPixel + 1
  const pixels = Buffer.alloc(row * height)
  for (let at = 0; at < pixels.length; at++) pixels[at] = at % row === 0 ? 0 : (at * 7) % 256
  return pixels
}
