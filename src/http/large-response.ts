// Encodes large responses in slices, so that the event loop serves other requests in between.
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { JsonText } from '../json-text.ts'
import type { JsonPart } from '../large-json/bytes.ts'
import { largeFrom } from '../off-thread/off-thread.ts'
import { countUnread } from './response-deadline.ts'

const slice = 4 * 1024 * 1024

/**
 * The payload to send: the parts as one string, or the bytes of a large one.
 * @param reply of a read, which is refused if clients leave too much unread
 * @throws SvcError 503
 */
export function encodeInSlices(parts: readonly JsonPart[], reply?: FastifyReply): string | Promise<Buffer> {
  const [first = ''] = parts
  if (parts.length === 1 && typeof first === 'string' && first.length < largeFrom) return first
  const plain = parts.map((part) => (part instanceof JsonText ? part.bytes : part))
  const size = plain.reduce((sum, part) => sum + part.length, 0)
  if (size < largeFrom && plain.every((part) => typeof part === 'string')) return plain.join('')
  if (reply) countUnread(reply, size)
  return encode(plain)
}

async function encode(parts: readonly (string | Uint8Array)[]): Promise<Buffer> {
  const sizes: number[] = []
  for (const part of parts) {
    if (part.length >= largeFrom) await setImmediate()
    sizes.push(Buffer.byteLength(part))
  }
  const bytes = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size))
  let written = 0
  for (const part of parts) {
    for (let at = 0; at < part.length; ) {
      if (part.length >= largeFrom) await setImmediate()
      let end = Math.min(at + slice, part.length)
      if (typeof part === 'string') {
        // A surrogate pair is one character and must stay together.
        if (end < part.length && isLow(part.charCodeAt(end))) end--
        written += bytes.write(part.slice(at, end), written)
      } else {
        bytes.set(part.subarray(at, end), written)
        written += end - at
      }
      at = end
    }
  }
  await setImmediate()
  return bytes
}

const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff
