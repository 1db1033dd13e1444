// Writes a font file from its tables: header, table directory and tables (OpenType, "Organization of an OpenType Font").

/** Bytes of a directory entry: tag, checksum, offset and length of a table. */
const entrySize = 16
/** `checksumAdjustment` in `head` makes the checksum of the whole file this number (OpenType `head`). */
const fileChecksum = 0xb1b0afba
/** The offset of `checksumAdjustment` in `head`. */
const adjustmentOffset = 8

/**
 * The font file with the tables in the order of the map; its directory lists them by tag.
 * @param version the first four bytes of the file: 0x00010000, or `true`
 * @param tables contents by tag; `head` must be among them
 */
export function assembleFont(version: number, tables: ReadonlyMap<string, Buffer>): Buffer {
  const header = fileHeader(version, tables.size)
  const entries: Buffer[] = []
  const contents: Buffer[] = []
  let offset = header.length + entrySize * tables.size
  let headOffset = 0
  for (const [tag, table] of tables) {
    const padded = Buffer.alloc(Math.ceil(table.length / 4) * 4)
    table.copy(padded)
    if (tag === 'head') {
      headOffset = offset
      padded.writeUInt32BE(0, adjustmentOffset)
    }
    const entry = Buffer.alloc(entrySize)
    entry.write(tag, 0, 'latin1')
    for (const [index, value] of [checksum(padded), offset, table.length].entries())
      entry.writeUInt32BE(value, 4 + 4 * index)
    entries.push(entry)
    contents.push(padded)
    offset += padded.length
  }
  const file = Buffer.concat([header, ...entries.sort(Buffer.compare), ...contents])
  file.writeUInt32BE((fileChecksum - checksum(file)) >>> 0, headOffset + adjustmentOffset)
  return file
}

/** The version, the number of tables, and three numbers that help programs to search the directory by halving it. */
function fileHeader(version: number, tables: number): Buffer {
  const entrySelector = Math.floor(Math.log2(tables))
  const searchRange = entrySize << entrySelector
  const rangeShift = entrySize * tables - searchRange
  const header = Buffer.alloc(12)
  header.writeUInt32BE(version, 0)
  for (const [index, value] of [tables, searchRange, entrySelector, rangeShift].entries())
    header.writeUInt16BE(value, 4 + 2 * index)
  return header
}

/** The sum of the 32-bit numbers in the bytes, whose length is a multiple of 4. */
function checksum(bytes: Buffer): number {
  let sum = 0
  for (let offset = 0; offset < bytes.length; offset += 4) sum = (sum + bytes.readUInt32BE(offset)) | 0
  return sum >>> 0
}
