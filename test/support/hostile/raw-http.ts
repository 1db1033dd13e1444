/** Raw HTTP over a socket, for requests that no client library sends and responses that are compared byte by byte. */
import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Listens on a free port of 127.0.0.1 until the app closes. */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/**
 * Sends the bytes and returns everything received until the server closes the connection.
 * @param hangUp ends the sending side immediately, where the server would wait for more
 */
export function exchange(port: number, bytes: string | Uint8Array, hangUp = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1', () =>
      hangUp ? socket.end(bytes) : socket.write(bytes),
    )
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    // A server that rejects a request may reset the connection while the rest is still being sent.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? socket.destroy() : reject(error),
    )
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')))
  })
}

/** A request that closes its connection after the response. */
export function rawRequest(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): string {
  const all = {
    host: 'shop.example',
    connection: 'close',
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

interface RawResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/** Parses the responses in order, decoded as UTF-8. Chunked responses are not supported. */
export function parseResponses(text: string): RawResponse[] {
  const responses: RawResponse[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (end < 0 || !status) throw new Error(`Not an HTTP response: ${rest.slice(0, 100)}`)
    const headers = Object.fromEntries(
      lines.map((header) => [
        header.slice(0, header.indexOf(':')).toLowerCase(),
        header.slice(header.indexOf(':') + 1).trim(),
      ]),
    )
    const length = Number(headers['content-length'] ?? 0)
    const body = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString()
    // "100 Continue" precedes a response and is not one.
    if (status !== 100) responses.push({ status, headers, body })
    rest = rest.slice(end + 4 + length)
  }
  return responses
}
