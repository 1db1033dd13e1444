// Pipelined requests: the work of each begins when the responses before it have been sent, so that one connection neither holds
// many responses in memory nor keeps the main thread to itself.
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

/** Requests of one connection that may wait; beyond that the connection is closed. Clients that pipeline send a few. */
const mostWaiting = 100

const waiting = new WeakMap<Socket, number>()

/**
 * Resolves when the connection is there for this response; undefined if it is already. Never resolves if the connection is
 * closed before: nobody waits for that work. Await it before time limits begin.
 */
export function connectionTurn({ raw }: FastifyReply): Promise<void> | undefined {
  // Node hands the connection from one response to the next. Injected requests and HTTP/2 have it at once.
  if (raw.socket !== null) return undefined
  const { socket } = raw.req
  const count = (waiting.get(socket) ?? 0) + 1
  waiting.set(socket, count)
  // Node stops reading from clients whose responses pile up, but those that wait have none yet.
  if (count > mostWaiting) socket.destroy()
  // A promise, because the event comes in the context of the request before; and in a turn of the event loop of its own, because
  // a response that its client takes at once is followed by the next within the same.
  return new Promise((resolve) =>
    raw.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      setImmediate(resolve)
    }),
  )
}
