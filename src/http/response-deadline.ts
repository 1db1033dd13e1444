// Limits of responses: a client must read at a minimum rate, and what clients have not read yet takes limited memory.
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../core/errors.ts'

/** For each so many bytes, a response gets one second in addition to `bodySeconds`. */
const bytesPerSecond = 64 * 1024

/**
 * Call it first for every request. A client that reads nothing for `seconds`, or has not read the whole response after
 * `seconds` plus one for each 64 KiB, is disconnected.
 */
export function limitResponseTime(request: FastifyRequest, reply: FastifyReply, seconds: number): void {
  const { raw } = reply
  // Injected requests have no socket.
  if (request.raw.socket?.bytesRead === undefined) return
  raw.once('prefinish', () =>
    // Most responses have been handed over to the system by then.
    setImmediate(() => {
      if (!raw.writableFinished && !raw.destroyed)
        watch(raw, Number(reply.getHeader('content-length') ?? 0), seconds)
    }),
  )
}

function watch(raw: ServerResponse, length: number, seconds: number): void {
  const cut = () => raw.destroy()
  const timer = setTimeout(cut, (seconds + length / bytesPerSecond) * 1000).unref()
  // Only time without progress counts. Node resets it for the next request.
  raw.setTimeout(seconds * 1000, cut).once('close', () => clearTimeout(timer))
}

/**
 * Call it before a stream is sent, which may wait for its client at any time: one that takes nothing for `seconds` is
 * disconnected, which ends the stream.
 */
export function limitStreamTime({ raw }: FastifyReply, seconds: number): void {
  raw.setTimeout(seconds * 1000, () => raw.destroy())
}

/** Bytes of large responses that clients may leave unread at the same time; one response is always possible. */
export const unreadBytes = { most: 256 * 1024 * 1024 }
let unread = 0

/**
 * Counts a large response until its client has read it or is gone.
 * @throws SvcError 503 if clients leave too much unread
 */
export function countUnread({ raw }: FastifyReply, size: number): void {
  if (raw.destroyed) return
  if (unread > 0 && unread + size > unreadBytes.most)
    throw new SvcError('svc_unavailable', {
      message: 'Too many large responses are being sent; try again later.',
      headers: { 'retry-after': '5' },
    })
  unread += size
  raw.once('close', () => {
    unread -= size
  })
}
