// Encodes large responses in slices, so that the event loop serves other requests in between.
import { setImmediate } from 'node:timers/promises'
import { largeFrom } from '../off-thread/off-thread.ts'

const slice = 4 * 1024 * 1024

/** The payload to send: the string itself, or the bytes of a large one. */
export const encodeInSlices = (text: string): string | Promise<Buffer> =>
  text.length < largeFrom ? text : encode(text)

async function encode(text: string): Promise<Buffer> {
  await setImmediate()
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text))
  let written = 0
  for (let at = 0; at < text.length; ) {
    await setImmediate()
    let end = Math.min(at + slice, text.length)
    // A surrogate pair is one character and must stay together.
    if (end < text.length && isLow(text.charCodeAt(end))) end--
    written += bytes.write(text.slice(at, end), written)
    at = end
  }
  await setImmediate()
  return bytes
}

const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff
