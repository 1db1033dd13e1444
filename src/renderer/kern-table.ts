// Decides whether a browser uses the `kern` table of a font: the OpenType Sanitizer of Chromium and Firefox (ots, kern.cc) drops
// tables that break certain rules. font-face.ts removes the tables that browsers do not use.

/** Pairs of a subtable, at six bytes each: its length has 16 bits. */
const maxPairs = Math.floor(65_536 / 6)

/** Whether a browser uses the table; true for a font without one, and for bytes that are no font. */
export function isKernUsed(font: Uint8Array): boolean {
  const file = Buffer.from(font.buffer, font.byteOffset, font.byteLength)
  const table = tableOf(file, 'kern')
  try {
    return table === undefined || isAccepted(table)
  } catch (error) {
    // The table ends before its parts do.
    if (error instanceof RangeError) return false
    throw error
  }
}

function tableOf(file: Buffer, tag: string): Buffer | undefined {
  const count = file.length > 12 ? file.readUInt16BE(4) : 0
  for (let entry = 12; entry < 12 + 16 * count && entry + 16 <= file.length; entry += 16) {
    if (file.toString('latin1', entry, entry + 4) !== tag) continue
    const start = file.readUInt32BE(entry + 8)
    return file.subarray(start, start + file.readUInt32BE(entry + 12))
  }
  return undefined
}

/** Whether the sanitizer accepts the table: it has a subtable that browsers use, and breaks no rule (OpenType `kern`, version 0). */
function isAccepted(table: Buffer): boolean {
  const [version, count] = [table.readUInt16BE(0), table.readUInt16BE(2)]
  if (version > 0) return false
  let [offset, accepted] = [4, 0]
  for (let index = 0; index < count; index++) {
    const [subversion, length] = [table.readUInt16BE(offset), table.readUInt16BE(offset + 2)]
    // The sanitizer does not skip the content of a subtable that it ignores: it reads the next header there.
    offset += 4
    if (subversion > 0) continue
    if (offset - 4 + length > table.length) return false
    const coverage = table.readUInt16BE(offset)
    offset += 2
    // Vertical kerning is ignored; reserved bits must be 0; formats other than 0 are ignored.
    if ((coverage & 0x1) === 0) continue
    if ((coverage & 0xf0) !== 0) return false
    if (coverage >> 8 !== 0) continue
    const pairs = table.readUInt16BE(offset)
    if (pairs === 0 || pairs > maxPairs) return false
    if (table.readUInt16BE(offset + 4) !== Math.floor(Math.log2(pairs))) return false
    offset += 8
    if (!isSorted(table, offset, pairs)) return false
    offset += 6 * pairs
    accepted++
  }
  return accepted > 0
}

/** Whether the pairs rise by their two glyph ids. @throws RangeError if the table ends before them */
function isSorted(table: Buffer, start: number, pairs: number): boolean {
  let previous = -1
  for (let offset = start; offset < start + 6 * pairs; offset += 6) {
    const pair = table.readUInt32BE(offset)
    // Reads the value only to notice the end of the table.
    table.readInt16BE(offset + 4)
    if (pair <= previous) return false
    previous = pair
  }
  return true
}
