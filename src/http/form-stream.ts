// The body of an upload as a stream: no more of it than the form may have, and what is left of it at the end.
import { type Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Milliseconds and bytes in which a client that is still sending can read the refusal, before the connection is cut. */
const farewell = { time: 1000, bytes: 8 * 1024 * 1024 }

export interface FormStream extends Transform {
  headers: { 'content-type': string }
  /** More came than may come; the stream ended there. */
  exceeded: boolean
}

/** A stream that ends after so many bytes, so that the parser still sees what they hold. */
export function bounded(bytes: number, headers: FormStream['headers']): FormStream {
  let left = bytes
  const source: FormStream = Object.assign(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (source.exceeded) return done()
        source.exceeded = chunk.length > left
        this.push(chunk.subarray(0, left))
        left -= chunk.length
        if (source.exceeded) this.push(null)
        done()
      },
    }),
    { headers, exceeded: false },
  )
  // A failure reaches whoever reads the parts.
  return source.on('error', () => {})
}

/**
 * What still comes is thrown away for a moment, so that a refusal reaches clients that send before they read, and whatever
 * stands behind the form is bounded.
 */
export function discardRest(stream: Readable, request: FastifyRequest, reply: FastifyReply): void {
  const cut = () => request.raw.destroy()
  reply.raw.once('finish', () => {
    if (stream.readableEnded) return
    const timer = setTimeout(cut, farewell.time).unref()
    let more = 0
    stream.on('data', (chunk: Buffer) => {
      more += chunk.length
      if (more > farewell.bytes) cut()
    })
    stream.once('close', () => clearTimeout(timer)).resume()
  })
}
