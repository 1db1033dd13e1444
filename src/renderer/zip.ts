// A ZIP archive whose files are stored uncompressed, all with the same time.
import { crc32 } from 'node:zlib'

export interface ZipFile {
  name: string
  bytes: Uint8Array
}

/** 1980-01-01, the earliest date of the format. */
const date = 0x0021
/** Names are UTF-8. */
const flags = 0x0800

export function zipOf(files: readonly ZipFile[]): Buffer {
  const parts: Uint8Array[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, bytes } of files) {
    const title = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(date, 8)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(bytes.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(title.length, 22)
    const local = [Buffer.from('PK\x03\x04', 'latin1'), common, title]
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, entry, title)
    parts.push(...local, bytes)
    at += 30 + title.length + bytes.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(index.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, index, end])
}
