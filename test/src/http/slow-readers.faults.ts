// Clients that do not read their responses: they are disconnected, and what they leave unread is bounded.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { unreadBytes } from '../../../src/http/response.ts'
import { listen, rawRequest } from '../../support/hostile/raw-http.ts'
import { build, token } from '../../support/hosts/build.ts'

const authorization = `Bearer ${token}`
const size = 24_000_000

/** A host with a product whose response exceeds what the system buffers, and its path. */
async function shop(t: Test) {
  const host = await build(t, {
    bodyLimits: { blob: 32 * 1024 * 1024 },
    server: { connectionTimeout: 1000 },
  })
  const { body } = await host.call('POST', '/products', {
    title: 'Mug',
    options: { note: 'x'.repeat(size) },
  })
  const path = `/wp-json/svc/v1/products/${body.data.id}`
  return { ...host, port: await listen(host.app), path }
}

/** Sends the request and reads nothing. */
async function unreadRequest(t: Test, port: number, path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  socket.pause()
  socket.write(rawRequest('GET', path, { authorization, connection: 'keep-alive' }))
  return socket
}

/** Waits at most 20 seconds. */
async function until(condition: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    if (await condition()) return true
    await pause(100)
  }
  return false
}

t.test(
  'a client that reads nothing of its response is disconnected after the connectionTimeout of the host',
  async (t) => {
    const { app, port, path } = await shop(t)
    const connections = () =>
      new Promise<number>((done) => app.server.getConnections((_, count) => done(count)))
    await unreadRequest(t, port, path)
    t.equal(await connections(), 1)
    t.ok(await until(async () => (await connections()) === 0))
  },
)

t.test('a client that reads slowly but steadily gets the whole response', async (t) => {
  const { port, path } = await shop(t)
  const socket = connect(port, '127.0.0.1')
  socket.write(rawRequest('GET', path, { authorization, connection: 'close' }))
  let received = 0
  // Longer than a client may read nothing.
  for await (const chunk of socket) {
    received += chunk.length
    await pause(3)
  }
  t.ok(received > size)
})

t.test('what clients leave unread is bounded', async (t) => {
  const { app, port, path } = await shop(t)
  const { most } = unreadBytes
  t.teardown(() => Object.assign(unreadBytes, { most }))
  unreadBytes.most = size * 1.5
  const get = () => fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization } })
  const statusOf = async () => {
    const response = await get()
    await response.arrayBuffer()
    return response.status
  }
  t.equal(await statusOf(), 200)
  const sent = once(app.server, 'request').then(([, response]) => once(response, 'prefinish'))
  await unreadRequest(t, port, path)
  await sent
  const refused = await get()
  t.match(await refused.json(), { code: 'svc_unavailable', data: { status: 503 } })
  t.equal(refused.headers.get('retry-after'), '5')
  t.ok(await until(async () => (await statusOf()) === 200), 'there is room again once that client is gone')
  unreadBytes.most = size * 2.5
  t.strictSame(await Promise.all([statusOf(), statusOf()]), [200, 200], 'there is room for two')
})
