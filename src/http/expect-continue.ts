// Requests with "Expect: 100-continue": their clients send no body that is refused.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hostOf } from './running-apis.ts'

/** Requests whose client waits for "100 Continue" before sending the body. */
const waiting = new WeakSet<IncomingMessage>()

type Handler = (request: IncomingMessage, response: ServerResponse) => void
interface Server {
  listenerCount(event: 'checkContinue'): number
  on(event: 'checkContinue', handler: Handler): unknown
  emit(event: 'request', request: IncomingMessage, response: ServerResponse): boolean
}

/**
 * Requests below `prefix` with `Expect: 100-continue` get "100 Continue" only after the gate has accepted them, or when a
 * route of the host reads their body. All other requests on this server get it at once, as Node does by default. A host
 * with its own listener keeps it.
 */
export function deferContinue(server: Server, prefix: string): void {
  // Without a prefix these routes cannot be distinguished from those of the host.
  if (prefix === '') return
  const host = hostOf(server)
  if (host.gated) {
    host.gated.add(prefix)
    return
  }
  if (server.listenerCount('checkContinue') > 0) return
  const prefixes = new Set([prefix])
  host.gated = prefixes
  server.on('checkContinue', (request, response) => {
    const path = pathOf(request.url ?? '')
    if ([...prefixes].some((start) => isBelow(path, start.toLowerCase()))) askWhenRead(request, response)
    else response.writeContinue()
    server.emit('request', request, response)
  })
}

/** The gate requests the bodies of our routes. Routes of the host below the same path just begin to read. */
function askWhenRead(request: IncomingMessage, response: ServerResponse): void {
  waiting.add(request)
  request.on('newListener', (event) => {
    if (event !== 'data' && event !== 'readable') return
    if (waiting.delete(request) && !response.headersSent) response.writeContinue()
  })
}

/** The path as the router sees it: without scheme and host, with escapes of unreserved characters decoded. */
function pathOf(url: string): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)
  return path.replace(/%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi, decodeURIComponent).toLowerCase()
}

const isBelow = (path: string, start: string) =>
  path.startsWith(start) && ['/', ''].includes(path.charAt(start.length))

/** Lets the client send its body. */
export function allowBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (waiting.delete(raw)) reply.raw.writeContinue()
}

/** Whether the client still waits for "100 Continue". The connection cannot be reused then. */
export const awaitsContinue = ({ raw }: FastifyRequest): boolean => waiting.has(raw)
