// What clients have not read yet of large responses takes limited memory.
import type { FastifyReply } from 'fastify'
import { tryAgain } from '../core/errors.ts'

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
    throw tryAgain(5, 'Too many large responses are being sent; try again later.')
  unread += size
  raw.once('close', () => {
    unread -= size
  })
}
