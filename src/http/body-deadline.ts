// Bodies that come too slowly: every request with a body has a least rate, and what is refused is not waited for.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../errors.ts'

/** Bytes for which a body gets one more second than `bodySeconds`. */
const bytesPerSecond = 64 * 1024
/** Milliseconds between two looks at what has come. */
const interval = 500
/** Milliseconds in which the rest of a refused body may come, so that its client reads the response; then the connection is cut. */
const farewell = 5000

/**
 * To be called first for every request: a body must be complete within `seconds` and one more for each 64 KiB that
 * have come, else the response is 408. Behind a refusal the rest is waited for 5 seconds at most. Forms have a
 * deadline of their own until they are refused.
 */
export function limitBodyTime(request: FastifyRequest, reply: FastifyReply, seconds: number): void {
  const { raw } = request
  // What is injected comes on no socket.
  if (!hasBody(raw) || raw.complete || raw.socket?.bytesRead === undefined) return
  const started = performance.now()
  const before = raw.socket.bytesRead
  const isForm = /^multipart\/form-data/i.test(request.headers['content-type'] ?? '')
  const timer = setInterval(() => {
    if (isForm || raw.complete) return
    const more = (raw.socket.bytesRead - before) / bytesPerSecond
    if (performance.now() - started > (seconds + more) * 1000) refuse(raw)
  }, interval).unref()
  const stop = () => clearInterval(timer)
  raw.once('end', stop).once('close', stop)
  reply.raw.once('finish', () => {
    stop()
    cutSoon(raw)
  })
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Fastify, which reads the body, answers with the error; where nobody reads, the connection ends. */
function refuse(raw: IncomingMessage): void {
  if (raw.listenerCount('error') > 0) raw.emit('error', new SvcError('svc_body_too_slow'))
  else raw.destroy()
}

function cutSoon(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return
  const timer = setTimeout(() => {
    if (!raw.complete) raw.destroy()
  }, farewell).unref()
  raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

/** Requests whose client waits for "100 Continue" before it sends the body. */
const waiting = new WeakSet<IncomingMessage>()

type Handler = (request: IncomingMessage, response: ServerResponse) => void
interface Server {
  listenerCount(event: 'checkContinue'): number
  on(event: 'checkContinue', handler: Handler): unknown
  emit(event: 'request', request: IncomingMessage, response: ServerResponse): boolean
}
const prefixes = new WeakMap<object, Set<string>>()

/**
 * Requests below `prefix` with `Expect: 100-continue` get it only when the gate has let them pass. All others on this
 * server get it at once, as from Node itself. A host that answers them itself keeps doing so.
 */
export function deferContinue(server: Server, prefix: string): void {
  // Without a prefix the host's own routes could not be told from ours.
  if (prefix === '') return
  const known = prefixes.get(server)
  if (known) {
    known.add(prefix)
    return
  }
  if (server.listenerCount('checkContinue') > 0) return
  const own = new Set([prefix])
  prefixes.set(server, own)
  server.on('checkContinue', (request, response) => {
    const path = pathOf(request.url ?? '')
    if ([...own].some((start) => isBelow(path, start.toLowerCase()))) waiting.add(request)
    else response.writeContinue()
    server.emit('request', request, response)
  })
}

/** As the router reads it: without scheme and host, and with the escapes of plain characters resolved. */
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

/** Whether the client still waits and will not send its body, so that the connection cannot be used again. */
export const awaitsContinue = ({ raw }: FastifyRequest): boolean => waiting.has(raw)
