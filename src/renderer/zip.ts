// A ZIP archive of files that are read one after the other, stored as they are.
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'

interface StreamedFile {
  name: string
  open(): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>>
}

/** 1980-01-01, the earliest date of the format. */
const date = 0x0021
/** Names are UTF-8; sum and sizes follow the content. */
const flags = 0x0808
/** The format without its extension holds no more. */
const maxBytes = 0xffff_ffff

/** @throws Error if the archive grows beyond 4 GiB, or a file cannot be read */
export async function* zipStream(files: readonly StreamedFile[]): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = []
  let at = 0
  for (const { name, open } of files) {
    const title = Buffer.from(name)
    const head = header(title, { crc: 0, size: 0 })
    yield Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, title])
    const sum = { crc: 0, size: 0 }
    for await (const chunk of await open()) {
      sum.crc = crc32(chunk, sum.crc)
      sum.size += chunk.length
      if (at + sum.size > maxBytes) throw new Error('The archive is larger than 4 GiB.')
      yield chunk
    }
    const descriptor = Buffer.alloc(16)
    descriptor.write('PK\x07\x08', 'latin1')
    descriptor.writeUInt32LE(sum.crc, 4)
    descriptor.writeUInt32LE(sum.size, 8)
    descriptor.writeUInt32LE(sum.size, 12)
    yield descriptor
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), header(title, sum), entry, title)
    at += 30 + title.length + sum.size + descriptor.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(index.length, 12)
  end.writeUInt32LE(at, 16)
  yield Buffer.concat([index, end])
}

export interface ZipFile {
  name: string
  bytes: Uint8Array
}

/** The archive of files in memory. */
export async function zipOf(files: readonly ZipFile[]): Promise<Buffer> {
  return buffer(zipStream(files.map(({ name, bytes }) => ({ name, open: async () => [bytes] }))))
}

/** What the headers of a file have in common. */
function header(title: Buffer, { crc, size }: { crc: number; size: number }): Buffer {
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(flags, 2)
  common.writeUInt16LE(date, 8)
  common.writeUInt32LE(crc, 10)
  common.writeUInt32LE(size, 14)
  common.writeUInt32LE(size, 18)
  common.writeUInt16LE(title.length, 22)
  return common
}
