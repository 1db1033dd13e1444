// Files of one connection in turn: a client that sends a thousand requests and reads nothing would keep a thousand files open.
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Requests of one connection that may wait; whoever sends more is disconnected. */
const mostWaiting = 100

const waiting = new WeakMap<Socket, number>()

/** A hook that waits for the responses before; forever if the connection is closed, so that nothing is done for nobody. */
export async function inTurn({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): Promise<void> {
  if (raw.socket !== null) return
  const count = (waiting.get(socket) ?? 0) + 1
  waiting.set(socket, count)
  if (count > mostWaiting) socket.destroy()
  await new Promise((resolve) => raw.once('socket', resolve))
  waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
}
