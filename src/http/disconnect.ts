// Whether anybody still waits for the response.
import type { FastifyReply } from 'fastify'

/** Aborts when the client disconnects. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => controller.abort())
  if (raw.destroyed) controller.abort()
  return controller.signal
}
