// Writes ZIP archives (APPNOTE 6.3, §4.3) of files that are read one after the other, without compression.
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'

interface StreamedFile {
  name: string
  /** The content of the file; called when the file is written. */
  open(): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>>
}

/** 1980-01-01, the earliest date of the format. */
const date = 0x0021
/** Flags: names are UTF-8; checksum and sizes follow the content in a data descriptor. */
const flags = 0x0808
/** The greatest size and offset of the format without its extension ZIP64. */
const maxBytes = 0xffff_ffff

/** The bytes of an archive, while its files are read. @throws Error if the archive grows beyond 4 GiB, or a file cannot be read */
export async function* zipStream(files: readonly StreamedFile[]): AsyncGenerator<Uint8Array> {
  /** The central directory: an entry for each file. */
  const directory: Buffer[] = []
  /** Bytes of the archive before the current file. */
  let offset = 0
  for (const { name, open } of files) {
    const nameBytes = Buffer.from(name)
    const localHeader = commonHeader(nameBytes, { crc: 0, size: 0 })
    yield Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), localHeader, nameBytes])
    const sum = { crc: 0, size: 0 }
    for await (const chunk of await open()) {
      sum.crc = crc32(chunk, sum.crc)
      sum.size += chunk.length
      if (offset + sum.size > maxBytes) throw new Error('The archive is larger than 4 GiB.')
      yield chunk
    }
    const descriptor = Buffer.alloc(16)
    descriptor.write('PK\x07\x08', 'latin1')
    descriptor.writeUInt32LE(sum.crc, 4)
    descriptor.writeUInt32LE(sum.size, 8)
    descriptor.writeUInt32LE(sum.size, 12)
    yield descriptor
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), commonHeader(nameBytes, sum), entry, nameBytes)
    offset += 30 + nameBytes.length + sum.size + descriptor.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(index.length, 12)
  end.writeUInt32LE(offset, 16)
  yield Buffer.concat([index, end])
}

/** A file in memory. */
export interface ZipFile {
  name: string
  bytes: Uint8Array
}

/** The archive of files in memory. */
export async function zipOf(files: readonly ZipFile[]): Promise<Buffer> {
  return buffer(zipStream(files.map(({ name, bytes }) => ({ name, open: async () => [bytes] }))))
}

/** The part that the local header of a file and its entry in the directory have in common. */
function commonHeader(nameBytes: Buffer, { crc, size }: { crc: number; size: number }): Buffer {
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(flags, 2)
  common.writeUInt16LE(date, 8)
  common.writeUInt32LE(crc, 10)
  common.writeUInt32LE(size, 14)
  common.writeUInt32LE(size, 18)
  common.writeUInt16LE(nameBytes.length, 22)
  return common
}
