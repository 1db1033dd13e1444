// Reads a body into one piece of memory: collected chunks that are joined at the end would take twice its length.
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { requireBeside } from '../installed.ts'

/** Not imported, because who only imports this package, such as a command, would load Fastify with it. */
const fastifyErrors = () => (requireBeside(import.meta.url)('fastify') as typeof import('fastify')).errorCodes

/** Bytes to begin with if the length is unknown. */
const firstLength = 64 * 1024

/**
 * The bytes of a body, in memory of their own.
 * @param payload its stream, which a host may have replaced, for instance to decompress it
 * @throws the errors of Fastify's own reader
 */
export async function bodyBytes(
  request: FastifyRequest,
  payload: Readable & { receivedEncodedLength?: number },
): Promise<Uint8Array<ArrayBuffer>> {
  // Its events would never come.
  if (payload.readableEnded)
    throw new Error('Something in the host, such as express.json(), has read the body before this API.')
  const limit = request.routeOptions.bodyLimit ?? 0
  const declared = Number(request.headers['content-length'])
  if (declared > limit) throw new (fastifyErrors().FST_ERR_CTP_BODY_TOO_LARGE)()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // The system takes memory only for what is received.
  let bytes = new Uint8Array(declared >= 0 ? declared : firstLength)
  let received = 0

  const onData = (data: Buffer | string) => {
    const chunk = typeof data === 'string' ? Buffer.from(data) : data
    if (received + chunk.length > limit || (payload.receivedEncodedLength ?? 0) > limit) {
      reject(new (fastifyErrors().FST_ERR_CTP_BODY_TOO_LARGE)())
      return
    }
    if (received + chunk.length > bytes.length) {
      const more = Math.min(limit, Math.max(received + chunk.length, bytes.length * 2))
      bytes = new Uint8Array(bytes.buffer.transfer(more))
    }
    bytes.set(chunk, received)
    received += chunk.length
  }
  const onError = (error: Error & { statusCode?: number }) => {
    if (!(Number(error.statusCode) >= 400)) error.statusCode = 400
    reject(error)
  }
  const onEnd = () => resolve()
  payload.on('data', onData).on('end', onEnd).on('error', onError).resume()
  try {
    await promise
  } finally {
    payload.off('data', onData).off('end', onEnd).off('error', onError)
  }
  const length = payload.receivedEncodedLength || received
  if (!Number.isNaN(declared) && length !== declared)
    throw new (fastifyErrors().FST_ERR_CTP_INVALID_CONTENT_LENGTH)()
  return received === bytes.length ? bytes : new Uint8Array(bytes.buffer.transfer(received))
}
