// Encodes large responses in slices, so that the event loop serves other requests in between.
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { largeFrom } from '../off-thread/off-thread.ts'
import { countUnread } from './response-deadline.ts'

const slice = 4 * 1024 * 1024

/**
 * The payload to send: the parts as one string, or the bytes of a large one.
 * @param reply of a read, which is refused if clients leave too much unread
 * @throws SvcError 503
 */
export function encodeInSlices(parts: readonly string[], reply?: FastifyReply): string | Promise<Buffer> {
  const [first = ''] = parts
  if (parts.length === 1 && first.length < largeFrom) return first
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  if (size < largeFrom) return parts.join('')
  if (reply) countUnread(reply, size)
  return encode(parts)
}

async function encode(parts: readonly string[]): Promise<Buffer> {
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
      // A surrogate pair is one character and must stay together.
      if (end < part.length && isLow(part.charCodeAt(end))) end--
      written += bytes.write(part.slice(at, end), written)
      at = end
    }
  }
  await setImmediate()
  return bytes
}

const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff
