// One request to a server that others have named: which addresses it takes, and responses that are none.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { guardedRequest, type Lookup, systemLookupAll } from '../../../src/outbound/guarded-request.ts'

const loopback: Lookup = async () => [{ address: '127.0.0.1', family: 4 }]

/** Sends one request to a server that writes these bytes, whatever it is asked, and ends the connection or waits. */
async function answered(t: Test, bytes: string, ends = true) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    socket.once('data', () => (ends ? socket.end(bytes) : socket.write(bytes)))
  }).listen(0, '127.0.0.1')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server, 'listening')
  const url = new URL(`http://named.example:${(server.address() as AddressInfo).port}/`)
  const signal = new AbortController().signal
  return { sockets, sent: guardedRequest(url, { isTrusted: true, lookup: loopback, signal }) }
}

const early = 'HTTP/1.1 103 Early Hints\r\n\r\n'
const last = 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'

t.test('guardedRequest: twenty interim responses may come before the final one, and no more', async (t) => {
  const { sent } = await answered(t, early.repeat(20) + last)
  const response = await sent
  response.resume()
  t.equal(response.statusCode, 204)
  const tooMany = await answered(t, early.repeat(21))
  await t.rejects(tooMany.sent, { message: 'Too many interim responses.' })
})

t.test('a server that switches protocols is refused, and its connection closed', async (t) => {
  const { sent, sockets } = await answered(
    t,
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n',
    false,
  )
  await t.rejects(sent, { message: 'The server switched protocols.' })
  const [socket] = sockets
  if (socket && !socket.closed) await once(socket.resume(), 'close', { signal: AbortSignal.timeout(5000) })
  t.equal(socket?.closed, true)
})

t.test('guardedRequest: a name without an address is not public', async (t) => {
  const signal = new AbortController().signal
  const request = { isTrusted: false, lookup: async () => [], signal }
  await t.rejects(guardedRequest(new URL('http://named.example/'), request), {
    message: 'The address is not public.',
  })
})

t.test('guardedRequest: the look-up of the system gives all addresses of a name', async (t) => {
  const [first] = await systemLookupAll('localhost')
  t.match(first, { address: /^(127\.|::1$)/ })
})
