// A signal for long work, to end it when no client waits for the response any more.
import type { FastifyReply } from 'fastify'

/** A signal that aborts when the client disconnects, and after the response was sent. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => controller.abort())
  if (raw.destroyed) controller.abort()
  return controller.signal
}
