/** HTTP as bytes on a socket, for what no client library sends and for answers compared to the byte. */
import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Listens on a free port of 127.0.0.1 until the app closes. */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/**
 * Sends the bytes and answers all that comes back until the server ends the connection.
 * @param hangUp says at once that nothing more will come, where the server would wait for it
 */
export function exchange(port: number, bytes: string | Uint8Array, hangUp = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1', () =>
      hangUp ? socket.end(bytes) : socket.write(bytes),
    )
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    // A server that refuses a request may reset the connection while its rest is still being sent.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? socket.destroy() : reject(error),
    )
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')))
  })
}

/** The text of a request whose connection ends with its answer. */
export function requestText(
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

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** The answers in what came back, one after the other, as text of UTF-8. Chunked ones do not occur here. */
export function answersIn(text: string): RawAnswer[] {
  const responses: RawAnswer[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (end < 0 || !status) throw new Error(`This is no HTTP answer: ${rest.slice(0, 100)}`)
    const headers = Object.fromEntries(
      lines.map((header) => [
        header.slice(0, header.indexOf(':')).toLowerCase(),
        header.slice(header.indexOf(':') + 1).trim(),
      ]),
    )
    const length = Number(headers['content-length'] ?? 0)
    const body = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString()
    // "Continue" stands before an answer and is none.
    if (status !== 100) responses.push({ status, headers, body })
    rest = rest.slice(end + 4 + length)
  }
  return responses
}
