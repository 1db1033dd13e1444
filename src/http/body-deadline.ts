// Time limits of request bodies: a body must arrive at a minimum rate, and the rest of a refused body is limited.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../core/errors.ts'
import { hostOf } from './running-apis.ts'

/** For each so many bytes, a body gets one second in addition to `bodySeconds`. */
const bytesPerSecond = 64 * 1024
/** Milliseconds between two checks of the received bytes. */
const interval = 500
/** Milliseconds that the rest of a refused body may take, so that its client reads the response; then the connection is closed. */
const drainTime = 5000

/**
 * Call it first for every request. A body must be complete within `seconds`, plus one for each 64 KiB received, else the
 * response is 408. After a refusal the client has 5 seconds to send the rest. Forms have their own deadline until they
 * are refused.
 */
export function limitBodyTime(request: FastifyRequest, reply: FastifyReply, seconds: number): void {
  const { raw } = request
  // Injected requests have no socket.
  if (!hasBody(raw) || raw.complete || raw.socket?.bytesRead === undefined) return
  const started = performance.now()
  const before = raw.socket.bytesRead
  // Most bodies have arrived with their headers, and are complete after this turn of the event loop.
  setImmediate(() => {
    if (raw.complete || raw.destroyed) return
    if (reply.raw.writableFinished) cutSoon(raw)
    else watch(request, reply, { seconds, started, before })
  })
}

/** Since when a body is awaited, and the bytes that the connection had received then. */
interface Watched {
  seconds: number
  started: number
  before: number
}

function watch({ raw, headers }: FastifyRequest, reply: FastifyReply, since: Watched): void {
  const { seconds, started, before } = since
  const isForm = /^multipart\/form-data/i.test(headers['content-type'] ?? '')
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

/** Fastify sends the error if it reads the body; if nothing reads it, the connection is closed. */
function refuse(raw: IncomingMessage): void {
  if (raw.listenerCount('error') > 0) raw.emit('error', new SvcError('svc_body_too_slow'))
  else raw.destroy()
}

function cutSoon(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return
  const timer = setTimeout(() => {
    if (!raw.complete) raw.destroy()
  }, drainTime).unref()
  raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

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
  // Without a prefix our routes cannot be told from those of the host.
  if (prefix === '') return
  const host = hostOf(server)
  if (host.gated) {
    host.gated.add(prefix)
    return
  }
  if (server.listenerCount('checkContinue') > 0) return
  const own = new Set([prefix])
  host.gated = own
  server.on('checkContinue', (request, response) => {
    const path = pathOf(request.url ?? '')
    if ([...own].some((start) => isBelow(path, start.toLowerCase()))) askWhenRead(request, response)
    else response.writeContinue()
    server.emit('request', request, response)
  })
}

/** The gate asks for bodies of our routes. The host may have routes of its own below the same path, which just begin to read. */
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
