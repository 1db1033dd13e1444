// Requests with "Expect: 100-continue" (RFC 9110 §10.1.1): their clients wait for "100 Continue" before they send the body, so they
// never send one that is refused.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hostOf } from './running-apis.ts'

/** Requests whose client still waits for "100 Continue". */
const waiting = new WeakSet<IncomingMessage>()

type Handler = (request: IncomingMessage, response: ServerResponse) => void
/** What is used of the HTTP server of the host, of either version. */
interface Server {
  listenerCount(event: 'checkContinue'): number
  on(event: 'checkContinue', handler: Handler): unknown
  emit(event: 'request', request: IncomingMessage, response: ServerResponse): boolean
}

/**
 * Lets requests below `prefix` get "100 Continue" only after the gate has accepted them, or when a route of the host reads their body.
 * All other requests on this server get it at once, as Node does by default. If the host has a listener for these requests, nothing
 * changes. Every group calls this for its prefix; they share one listener for each server.
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
    if ([...prefixes].some((start) => isBelow(path, start.toLowerCase()))) deferUntilRead(request, response)
    else response.writeContinue()
    server.emit('request', request, response)
  })
}

/**
 * Sends "100 Continue" when the body is read, for routes of the host below the same path. For routes of this API `allowBody` comes
 * first.
 */
function deferUntilRead(request: IncomingMessage, response: ServerResponse): void {
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

/** Sends "100 Continue" if the client waits for it. Called once the gate has accepted the request. */
export function allowBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (waiting.delete(raw)) reply.raw.writeContinue()
}

/** Whether the client still waits for "100 Continue". The connection cannot be reused then. */
export const awaitsContinue = ({ raw }: FastifyRequest): boolean => waiting.has(raw)
