// The body of an upload as a stream of bounded length, and how its rest is discarded.
import { type Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** How long (milliseconds) and how much a client may go on sending while it reads the refusal; then the connection is closed. */
const drain = { time: 1000, bytes: 8 * 1024 * 1024 }

export interface FormStream extends Transform {
  headers: { 'content-type': string }
  /** The body is longer than allowed; the stream ended at the limit. */
  exceeded: boolean
}

/** A stream that ends after `bytes` bytes, which the parser still gets. */
export function bounded(bytes: number, headers: FormStream['headers']): FormStream {
  let remaining = bytes
  const source: FormStream = Object.assign(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (source.exceeded) return done()
        source.exceeded = chunk.length > remaining
        this.push(chunk.subarray(0, remaining))
        remaining -= chunk.length
        if (source.exceeded) this.push(null)
        done()
      },
    }),
    { headers, exceeded: false },
  )
  // The reader of the parts gets the error.
  return source.on('error', () => {})
}

/**
 * Discards the rest of the body for a moment, so that a refusal reaches clients that send before they read. The bytes after
 * the form are bounded.
 */
export function discardRest(stream: Readable, request: FastifyRequest, reply: FastifyReply): void {
  const cut = () => request.raw.destroy()
  reply.raw.once('finish', () => {
    if (stream.readableEnded) return
    const timer = setTimeout(cut, drain.time).unref()
    let more = 0
    stream.on('data', (chunk: Buffer) => {
      more += chunk.length
      if (more > drain.bytes) cut()
    })
    stream.once('close', () => clearTimeout(timer)).resume()
  })
}
