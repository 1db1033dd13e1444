// The example host with tools for agents, and a way in for clients that send no token.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import { token } from './build.ts'
import { start } from './example-host.ts'

/** Starts the host; `url` is that of its tools, `root` that of the REST root. */
export async function exampleTools(t: Test, cwd: string, variables: Record<string, string> = {}) {
  const settings = { SVC_MCP: 'full', SVC_API_TOKEN: token, ...variables }
  const { printed } = await start(t, cwd, settings)
  const root = `${/Listening on +(\S+)/.exec(printed)?.[1]}/wp-json`
  return { printed, root, url: `${root}/svc/v1/mcp` }
}

export interface OpenDoor {
  /** Without a path. */
  origin: string
  /** Where requests go on to, and how their bodies are changed. */
  lead(to: string, change: (body: Buffer) => string | Buffer): void
}

/** A server on loopback that sends each request on to a URL, with the token. */
export async function openDoor(t: Test): Promise<OpenDoor> {
  let target = { to: '', change: (body: Buffer): string | Buffer => body }
  const server = createServer(async (incoming, response) => {
    const body = target.change(await buffer(incoming))
    const onward = request(target.to, { method: incoming.method, headers: headersFor(incoming, body) })
    onward.on('response', (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers)
      received.pipe(response)
    })
    onward.on('error', () => response.destroy())
    onward.end(body)
  })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    lead: (to, change) => {
      target = { to, change }
    },
  }
}

function headersFor({ headers }: IncomingMessage, body: string | Buffer) {
  const { 'transfer-encoding': _, ...others } = headers
  return { ...others, authorization: `Bearer ${token}`, 'content-length': Buffer.byteLength(body) }
}
