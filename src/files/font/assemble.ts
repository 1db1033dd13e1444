// Writes a font file of its tables.
const entrySize = 16
/** The checksum of a whole font with its adjustment: OpenType `head`, checksumAdjustment. */
const wholeSum = 0xb1b0afba
/** The offset of checksumAdjustment in `head`. */
const adjustmentAt = 8

/** The file with these tables in their order; in the directory they stand in the order of their tags. */
export function assembleFont(version: number, tables: ReadonlyMap<string, Buffer>): Buffer {
  // For a binary search.
  const selector = Math.floor(Math.log2(tables.size))
  const range = entrySize << selector
  const header = Buffer.alloc(12)
  header.writeUInt32BE(version, 0)
  for (const [index, value] of [tables.size, range, selector, entrySize * tables.size - range].entries())
    header.writeUInt16BE(value, 4 + 2 * index)
  let at = header.length + entrySize * tables.size
  const entries: Buffer[] = []
  const contents: Buffer[] = []
  let head = 0
  for (const [tag, table] of tables) {
    const padded = Buffer.alloc(Math.ceil(table.length / 4) * 4)
    table.copy(padded)
    if (tag === 'head') {
      head = at
      padded.writeUInt32BE(0, adjustmentAt)
    }
    const entry = Buffer.alloc(entrySize)
    entry.write(tag, 0, 'latin1')
    for (const [index, value] of [checksum(padded), at, table.length].entries())
      entry.writeUInt32BE(value, 4 + 4 * index)
    entries.push(entry)
    contents.push(padded)
    at += padded.length
  }
  const whole = Buffer.concat([header, ...entries.sort(Buffer.compare), ...contents])
  whole.writeUInt32BE((wholeSum - checksum(whole)) >>> 0, head + adjustmentAt)
  return whole
}

/** The sum of its 32-bit numbers. */
function checksum(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) | 0
  return sum >>> 0
}
