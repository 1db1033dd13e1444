// Builds TrueType fonts table by table: a valid one with three glyphs, or one with replaced tables.

export const u16 = (...values: number[]) =>
  Buffer.from(values.flatMap((value) => [(value >> 8) & 255, value & 255]))
export const u32 = (...values: number[]) =>
  Buffer.concat(values.map((value) => u16(value >>> 16, value & 0xffff)))

/** A triangle. */
export const simpleGlyph = Buffer.concat([
  u16(1, 0, 0, 100, 100),
  u16(2, 0),
  Buffer.from([1, 1, 1]),
  u16(0, 100, 0, 0, 0, 100),
  Buffer.alloc(1),
])

/** A composite glyph. */
export function composite(...glyphs: number[]): Buffer {
  const parts = glyphs.map((glyph, index) => u16(index < glyphs.length - 1 ? 0x21 : 0x01, glyph, 0, 0))
  return Buffer.concat([u16(0xffff, 0, 0, 100, 100), ...parts])
}

interface FontOptions {
  glyphs?: Buffer[]
  /** Tables that replace the valid ones; undefined omits a table. */
  tables?: Record<string, Buffer | undefined>
  version?: number
}

export function font({
  glyphs = [Buffer.alloc(0), simpleGlyph, composite(1)],
  tables = {},
  version = 0x00010000,
}: FontOptions = {}): Buffer {
  const count = glyphs.length
  const offsets = glyphs.map((_, index) =>
    glyphs.slice(0, index).reduce((sum, glyph) => sum + glyph.length, 0),
  )
  const glyf = Buffer.concat(glyphs)
  const all: Record<string, Buffer | undefined> = {
    'OS/2': Buffer.concat([u16(4), Buffer.alloc(94)]),
    cmap: characterMap([[0x41, 0x41, 1]]),
    glyf,
    head: Buffer.concat([
      u32(0x00010000, 0, 0, 0x5f0f3cf5),
      u16(0, 1000),
      Buffer.alloc(16),
      u16(0, 0, 100, 100),
      u16(0, 8, 2, 1, 0),
    ]),
    hhea: Buffer.concat([u32(0x00010000), Buffer.alloc(30), u16(count)]),
    hmtx: Buffer.alloc(4 * count),
    loca: u32(...offsets, glyf.length),
    maxp: Buffer.concat([u32(0x00010000), u16(count, 100, 10, 100, 10, 2), Buffer.alloc(16)]),
    name: Buffer.concat([u16(0, 1, 18), u16(3, 1, 0x409, 1, 2, 0), u16(0x41)]),
    post: Buffer.concat([u32(0x00030000), Buffer.alloc(28)]),
    ...tables,
  }
  return assemble(all, version)
}

/** A character map with one format 4 table; the last segment is added. */
export function characterMap(segments: [start: number, end: number, glyph: number][]): Buffer {
  const all = [
    ...segments.map(([start, end, glyph]) => [start, end, glyph - start] as const),
    [0xffff, 0xffff, 1] as const,
  ]
  const selector = Math.floor(Math.log2(all.length))
  const search = 2 << selector
  const body = Buffer.concat([
    u16(0, 2 * all.length, search, selector, 2 * all.length - search),
    u16(...all.map(([, end]) => end)),
    u16(0),
    u16(...all.map(([start]) => start)),
    u16(...all.map(([, , delta]) => delta)),
    u16(...all.map(() => 0)),
  ])
  return Buffer.concat([u16(0, 1, 3, 1), u32(12), u16(4, body.length + 4), body])
}

function assemble(tables: Record<string, Buffer | undefined>, version: number): Buffer {
  const present = Object.entries(tables).filter((entry): entry is [string, Buffer] => entry[1] !== undefined)
  present.sort(([a], [b]) => (a < b ? -1 : 1))
  const selector = Math.floor(Math.log2(present.length))
  const search = 16 << selector
  const directory = [u32(version), u16(present.length, search, selector, present.length * 16 - search)]
  const content: Buffer[] = []
  let offset = 12 + 16 * present.length
  for (const [tag, table] of present) {
    const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)])
    directory.push(Buffer.from(tag, 'latin1'), u32(checksum(padded), offset, table.length))
    content.push(padded)
    offset += padded.length
  }
  const file = Buffer.concat([...directory, ...content])
  const head = file.indexOf(present.find(([tag]) => tag === 'head')?.[1] ?? '')
  if (head >= 0 && head + 12 <= file.length) file.writeUInt32BE((0xb1b0afba - checksum(file)) >>> 0, head + 8)
  return file
}

/** The sum of its 32-bit numbers. */
export function checksum(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at + 4 <= bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0
  return sum
}
