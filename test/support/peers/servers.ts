// Test servers on free loopback ports below 32768: some respond, others only count connections.
import { randomInt } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net'
import type { Test } from 'tap'

async function listen(t: Test, server: TcpServer, host: string, wanted?: number): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = wanted ?? randomInt(20_000, 32_768)
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen({ port, host, ipv6Only: host.includes(':') }, resolve)
      })
      t.teardown(() => close(server))
      return port
    } catch (error) {
      if (wanted !== undefined || tries === 20) throw error
    }
  }
}

function close(server: TcpServer): Promise<void> {
  if ('closeAllConnections' in server) (server as Server).closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

/** An HTTP server on 127.0.0.1; `hits` are the paths it was asked for. */
export async function httpServer(t: Test, handler: RequestListener, host = '127.0.0.1') {
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(request.url ?? '')
    handler(request, response)
  })
  const port = await listen(t, server, host)
  return { port, hits, pair: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}` }
}

/** The same with TLS. */
export async function httpsServer(t: Test, options: ServerOptions, handler: RequestListener) {
  const hits: string[] = []
  const server = createTlsServer(options, (request, response) => {
    hits.push(request.url ?? '')
    handler(request, response)
  })
  const port = await listen(t, server, '127.0.0.1')
  return { port, hits, pair: `127.0.0.1:${port}`, url: `https://127.0.0.1:${port}` }
}

/** A raw TCP server on 127.0.0.1; `open` are the connections that are not closed yet. */
export async function rawServer(t: Test, connected: (socket: Socket) => void) {
  const open = new Set<Socket>()
  const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket.on('close', () => open.delete(socket)))
    connected(socket)
  })
  const port = await listen(t, server, '127.0.0.1')
  // Before the server itself is closed, since that waits for them.
  t.teardown(() => {
    for (const socket of open) socket.destroy()
  })
  return { port, open, pair: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}` }
}

/** One port on every loopback address; `connections` must stay 0 if nothing may connect. */
export async function tripwire(t: Test) {
  const seen = { connections: 0 }
  const server = () =>
    createTcpServer((socket) => {
      seen.connections++
      socket.destroy()
    })
  const port = await listen(t, server(), '0.0.0.0')
  await listen(t, server(), '::', port)
  return { port, seen }
}

/** The port of a server that accepts connections and never responds. */
export async function silentServer(t: Test): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}))
  })
  const port = await listen(t, server, '127.0.0.1')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  return port
}
