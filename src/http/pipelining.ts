// Pipelined requests (RFC 9112 §9.3.2): the work of each begins when the responses before it have been sent. Otherwise one connection
// could hold many responses in memory, and keep the main thread busy alone.
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

/** Maximum number of requests of one connection that wait; beyond that the connection is closed. Usual clients send a few. */
const maxWaiting = 100

/** Number of waiting requests by connection. */
const waiting = new WeakMap<Socket, number>()

/**
 * Resolves when it is this response's turn on its connection; undefined if it is its turn already, as for nearly all requests. Never
 * resolves if the connection is closed before: then no client waits for the work. Await it before time limits begin.
 */
export function connectionTurn({ raw }: FastifyReply): Promise<void> | undefined {
  // Node hands the connection from one response to the next. Injected requests and HTTP/2 have it at once.
  if (raw.socket !== null) return undefined
  const { socket } = raw.req
  const count = (waiting.get(socket) ?? 0) + 1
  waiting.set(socket, count)
  // Node stops reading from clients whose responses pile up, but waiting requests have no responses yet.
  if (count > maxWaiting) socket.destroy()
  // A promise, because the event is emitted in the async context of the request before. And `setImmediate`, because the next event
  // follows in the same turn of the event loop, if the client reads at once.
  return new Promise((resolve) =>
    raw.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      setImmediate(resolve)
    }),
  )
}
