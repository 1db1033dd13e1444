// Whether a browser uses the `kern` table of a font: its font sanitizer drops tables that break certain rules.

/** Pairs of a subtable beyond which its size does not fit the format. */
const maxPairs = Math.floor(65_536 / 6)

/** The rules of the OpenType Sanitizer of Chromium and Firefox for this table. */
export function isKernKept(font: Uint8Array): boolean {
  const file = Buffer.from(font.buffer, font.byteOffset, font.byteLength)
  const table = tableOf(file, 'kern')
  try {
    return table === undefined || isSound(table)
  } catch (error) {
    // The table ends before its parts do.
    if (error instanceof RangeError) return false
    throw error
  }
}

function tableOf(file: Buffer, tag: string): Buffer | undefined {
  const count = file.length > 12 ? file.readUInt16BE(4) : 0
  for (let at = 12; at < 12 + 16 * count && at + 16 <= file.length; at += 16) {
    if (file.toString('latin1', at, at + 4) !== tag) continue
    const start = file.readUInt32BE(at + 8)
    return file.subarray(start, start + file.readUInt32BE(at + 12))
  }
  return undefined
}

function isSound(table: Buffer): boolean {
  const [version, count] = [table.readUInt16BE(0), table.readUInt16BE(2)]
  if (version > 0) return false
  let [at, kept] = [4, 0]
  for (let index = 0; index < count; index++) {
    const [subversion, length] = [table.readUInt16BE(at), table.readUInt16BE(at + 2)]
    // The next part is read where the header ends, even of one that is ignored.
    at += 4
    if (subversion > 0) continue
    if (at - 4 + length > table.length) return false
    const coverage = table.readUInt16BE(at)
    at += 2
    if ((coverage & 0x1) === 0) continue
    if ((coverage & 0xf0) !== 0) return false
    if (coverage >> 8 !== 0) continue
    const pairs = table.readUInt16BE(at)
    if (pairs === 0 || pairs > maxPairs) return false
    if (table.readUInt16BE(at + 4) !== Math.floor(Math.log2(pairs))) return false
    at += 8
    if (!isSorted(table, at, pairs)) return false
    at += 6 * pairs
    kept++
  }
  return kept > 0
}

function isSorted(table: Buffer, from: number, pairs: number): boolean {
  let last = -1
  for (let at = from; at < from + 6 * pairs; at += 6) {
    const pair = table.readUInt32BE(at)
    table.readInt16BE(at + 4)
    if (pair <= last) return false
    last = pair
  }
  return true
}
