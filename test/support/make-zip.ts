// Makes ZIP archives byte by byte, so that each header can say what it should not.
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  name: string
  content: Uint8Array
  /** Compression: 0 stored, 8 deflated; default 8. */
  method?: number
  flags?: number
  /** What the headers say instead of the truth. */
  size?: number
  crc?: number
  localName?: string
  localSize?: number
  localFlags?: number
  extra?: Buffer
  localExtra?: Buffer
  /** Bytes behind the compressed content that count as part of it. */
  trailing?: Uint8Array
  /** Sizes behind the content, as archives that were written as a stream have them. */
  descriptor?: boolean
  /** Names the content of an earlier part as this one's. */
  offset?: number
}

export interface ZipEnd {
  comment?: string
  count?: number
  disk?: number
  directorySize?: number
  directoryStart?: number
  /** Bytes in front of the end record. */
  before?: Buffer
  after?: Buffer
}

export function makeZip(parts: ZipPart[], end: ZipEnd = {}): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let position = 0
  for (const part of parts) {
    const { name, content, method = 8, extra = Buffer.alloc(0), localExtra = Buffer.alloc(0) } = part
    const packed = Buffer.concat([
      method === 8 ? deflateRawSync(content) : content,
      part.trailing ?? Buffer.alloc(0),
    ])
    const flags = (part.flags ?? 0) | (part.descriptor ? 8 : 0)
    const [size, crc] = [part.size ?? content.length, part.crc ?? crc32(content)]
    const localName = Buffer.from(part.localName ?? name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    local.writeUInt16LE(part.localFlags ?? flags, 6)
    local.writeUInt16LE(method, 8)
    if (!part.descriptor) {
      local.writeUInt32LE(crc, 14)
      local.writeUInt32LE(packed.length, 18)
      local.writeUInt32LE(part.localSize ?? size, 22)
    }
    local.writeUInt16LE(localName.length, 26)
    local.writeUInt16LE(localExtra.length, 28)
    const descriptor = Buffer.alloc(part.descriptor ? 16 : 0)
    if (part.descriptor) {
      descriptor.writeUInt32LE(0x08074b50, 0)
      descriptor.writeUInt32LE(crc, 4)
      descriptor.writeUInt32LE(packed.length, 8)
      descriptor.writeUInt32LE(size, 12)
    }
    const whole = part.offset === undefined ? [local, localName, localExtra, packed, descriptor] : []
    locals.push(...whole)

    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(20, 4)
    central.writeUInt16LE(20, 6)
    central.writeUInt16LE(flags, 8)
    central.writeUInt16LE(method, 10)
    central.writeUInt32LE(crc, 16)
    central.writeUInt32LE(packed.length, 20)
    central.writeUInt32LE(size, 24)
    central.writeUInt16LE(Buffer.byteLength(name), 28)
    central.writeUInt16LE(extra.length, 30)
    central.writeUInt32LE(part.offset ?? position, 42)
    directory.push(central, Buffer.from(name), extra)
    position += Buffer.concat(whole).length
  }
  const body = Buffer.concat(locals)
  const index = Buffer.concat(directory)
  const comment = Buffer.from(end.comment ?? '')
  const last = Buffer.alloc(22)
  last.writeUInt32LE(0x06054b50, 0)
  last.writeUInt16LE(end.disk ?? 0, 4)
  last.writeUInt16LE(end.disk ?? 0, 6)
  last.writeUInt16LE(end.count ?? parts.length, 8)
  last.writeUInt16LE(end.count ?? parts.length, 10)
  last.writeUInt32LE(end.directorySize ?? index.length, 12)
  last.writeUInt32LE(end.directoryStart ?? body.length, 16)
  last.writeUInt16LE(comment.length, 20)
  return Buffer.concat([
    body,
    index,
    end.before ?? Buffer.alloc(0),
    last,
    comment,
    end.after ?? Buffer.alloc(0),
  ])
}
