// The body of an upload as a stream of limited length, and a function that discards its rest after a refusal.
import { type Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Milliseconds, and bytes, for which a client may go on sending after a refusal. Then the connection is closed. */
const maxDiscarded = { time: 1000, bytes: 8 * 1024 * 1024 }

/** The body of an upload, as the parser of forms reads it: in place of the request, so with its header. */
export interface FormStream extends Transform {
  headers: { 'content-type': string }
  /** The body is longer than allowed; the stream ended at the limit. */
  exceeded: boolean
}

/** A stream that passes on at most `bytes` bytes, and then ends. */
export function boundedStream(bytes: number, headers: FormStream['headers']): FormStream {
  let remaining = bytes
  const stream: FormStream = Object.assign(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (stream.exceeded) return done()
        stream.exceeded = chunk.length > remaining
        this.push(chunk.subarray(0, remaining))
        remaining -= chunk.length
        if (stream.exceeded) this.push(null)
        done()
      },
    }),
    { headers, exceeded: false },
  )
  // Without a listener an error would end the process. The reader of the parts gets it, too.
  return stream.on('error', () => {})
}

/**
 * Reads and discards the rest of a body, within `maxDiscarded`, once the response is sent: a refusal reaches only those clients that
 * can finish sending before they read.
 */
export function discardRest(stream: Readable, request: FastifyRequest, reply: FastifyReply): void {
  const closeConnection = () => request.raw.destroy()
  reply.raw.once('finish', () => {
    if (stream.readableEnded) return
    const timer = setTimeout(closeConnection, maxDiscarded.time).unref()
    let discarded = 0
    stream.on('data', (chunk: Buffer) => {
      discarded += chunk.length
      if (discarded > maxDiscarded.bytes) closeConnection()
    })
    stream.once('close', () => clearTimeout(timer)).resume()
  })
}
