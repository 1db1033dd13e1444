// The live pages of the desk: who listens, how many, and that those who have left are forgotten.

import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { svcDesk } from '../../../plugins/index.ts'
import { exchange, listen, rawRequest } from '../../support/hostile/raw-http.ts'
import { build } from '../../support/hosts/build.ts'

const listeners = 50
const keepAlive = { connection: 'keep-alive' }

/** Opens a connection, sends the request, and reads until the first event or the end of the response. */
function opened(port: number, method = 'GET') {
  const socket = connect(port, '127.0.0.1')
  const { promise: response, resolve } = Promise.withResolvers<string>()
  let text = ''
  socket.on('data', (part) => {
    text += part
    if (text.includes('retry: 5000')) resolve(text)
  })
  socket.on('error', () => {}).on('close', () => resolve(text))
  socket.write(rawRequest(method, '/desk/events', method === 'GET' ? keepAlive : {}))
  return { socket, response }
}

t.test('those who leave while they are being admitted do not take the places of others', async (t) => {
  const admitted = Promise.withResolvers<void>()
  let waiting = 0
  const { app } = await build(t, {
    after: (app) =>
      app.register(svcDesk, {
        prefix: '/desk',
        authorize: async () => {
          waiting++
          await admitted.promise
          return true
        },
      }),
  })
  const port = await listen(app)
  const early = Array.from({ length: listeners }, () => opened(port))
  while (waiting < listeners) await delay(5)
  for (const { socket } of early) socket.destroy()
  const isOpen = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))
  while ((await isOpen()) > 0) await delay(5)
  admitted.resolve()
  const { socket, response } = opened(port)
  t.match(await response, /^HTTP\/1\.1 200 .*retry: 5000/s)
  socket.destroy()
})

t.test('pages beyond the fiftieth are told to reload, until one of the others is left', async (t) => {
  const { app } = await build(t, {
    after: (app) => app.register(svcDesk, { prefix: '/desk', authorize: () => true }),
  })
  const port = await listen(app)
  for (let i = 0; i <= listeners; i++)
    t.match(await exchange(port, rawRequest('HEAD', '/desk/events')), /^HTTP\/1\.1 200 /)
  const pages = Array.from({ length: listeners }, () => opened(port))
  t.ok((await Promise.all(pages.map(({ response }) => response))).every((text) => / 200 /.test(text)))
  const late = () => exchange(port, rawRequest('GET', '/desk/events'), true)
  t.match(await late(), /^HTTP\/1\.1 503 .*Too many pages are live/s)
  for (const { socket } of pages) socket.destroy()
  let text = ''
  while (!text.startsWith('HTTP/1.1 200 ')) {
    const { socket, response } = opened(port)
    text = await response
    socket.destroy()
  }
  t.pass('the places are free again')
})
