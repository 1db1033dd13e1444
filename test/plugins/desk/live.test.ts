// The server-sent events of the desk: what they tell, to whom, and when they end.
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import t, { type Test } from 'tap'
import { deskShop, jobRow } from '../../support/hosts/desk.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const design = { product: [viewWith(textElement('Ada'))] }

interface Listener {
  response: IncomingMessage
  sent: ClientRequest
  /** Resolves once this text was received. */
  received(text: string): Promise<void>
  ended: Promise<void>
}

async function listen(t: Test, origin: string): Promise<Listener> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = request(`${origin}/desk/events`, { agent: false }, resolve)
  sent.on('error', reject).end()
  t.teardown(() => sent.destroy())
  const response = await promise
  let all = ''
  const ended = new Promise<void>((resolve) => response.once('close', resolve))
  response
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      all += chunk
      response.emit('more')
    })
  const received = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => all.includes(text) && resolve()
      response.on('more', look)
      look()
    })
  return { response, sent, received, ended }
}

t.test('a change of the queue is told to every listener', async (t) => {
  const { host, id, item } = await deskShop(t, 'SQLite', design)
  const origin = await host.app.listen({ port: 0, host: '127.0.0.1' })
  const all = [await listen(t, origin), await listen(t, origin)]
  for (const { response } of all) {
    t.equal(response.statusCode, 200)
    t.match(response.headers, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  }
  const told = Promise.all(all.map(({ received }) => received('event: queue\ndata: changed')))
  let isTold = false
  told.then(() => {
    isTold = true
  })
  // The first look is only compared with the second.
  while (!isTold) {
    await jobRow(host, { type: 'wc', id, item, status: 'failed' })
    await Promise.race([told, new Promise((resolve) => setTimeout(resolve, 500))])
  }
  t.pass('both were told')
})

t.test('the server closes with listeners, and they end', async (t) => {
  const { host } = await deskShop(t, 'SQLite', design)
  const origin = await host.app.listen({ port: 0, host: '127.0.0.1' })
  const { ended, received } = await listen(t, origin)
  await received('retry: 5000')
  await host.app.close()
  await ended
  t.pass('both have ended')
})

t.test('only those who may read orders are told', async (t) => {
  const { client } = await deskShop(t, 'SQLite', design, {
    desk: { authorize: () => ({ name: 'anna', scopes: ['products:read'] }) },
  })
  t.equal((await client.get('events')).status, 403)
})
