// Pipelined requests: a connection gets the work of one request at a time, and none after it has been closed.
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { svcDesk } from '../../../plugins/index.ts'
import { exchange, listen, parseResponses, rawRequest } from '../../support/hostile/raw-http.ts'
import { build } from '../../support/hosts/build.ts'

/** A host whose login takes a moment, and tells how many requests it works on. */
async function shop(t: Test) {
  const seen = { now: 0, most: 0, all: 0, wanted: 0 }
  const login = async () => {
    seen.all++
    seen.most = Math.max(seen.most, ++seen.now)
    await delay(30)
    while (seen.most < seen.wanted) await delay(1)
    seen.now--
    return { name: 'ada', scopes: 'all' as const }
  }
  const { app } = await build(t, {
    authenticate: login,
    after: (app) => app.register(svcDesk, { prefix: '/desk', authorize: login }),
  })
  return { seen, port: await listen(app) }
}

const open = { connection: 'keep-alive' }
const paths = { api: '/wp-json/svc/v1/categories', pages: '/desk/orders' }

for (const [name, path] of Object.entries(paths))
  t.test(`requests of one connection wait for each other, not for those of another: ${name}`, async (t) => {
    const { seen, port } = await shop(t)
    const text = await exchange(port, rawRequest('GET', path, open).repeat(5) + rawRequest('GET', path))
    t.equal(text.match(/HTTP\/1\.1 200 /g)?.length, 6)
    t.match(seen, { all: 6, most: 1 })
    seen.wanted = 3
    await Promise.all([1, 2, 3].map(() => exchange(port, rawRequest('GET', path))))
    t.equal(seen.most, 3)
  })

t.test('writes happen and are confirmed in their order, bodies included', async (t) => {
  const { port } = await shop(t)
  const create = (title: string, more = open as Record<string, string>) => {
    const json = JSON.stringify({ title })
    return rawRequest('POST', paths.api, { 'content-type': 'application/json', ...more }, json)
  }
  const bytes = create('Cups') + create('cups') + create('Mugs') + create('Hats', { connection: 'close' })
  const responses = parseResponses(await exchange(port, bytes))
  t.same(
    responses.map(({ status }) => status),
    [201, 409, 201, 201],
  )
  const titles = responses.map(({ body }) => JSON.parse(body).data.title)
  t.same(titles, ['Cups', undefined, 'Mugs', 'Hats'])
})

t.test('each of them leaves a turn of the event loop to others', async (t) => {
  let turn = 0
  const begun: number[] = []
  const authenticate = async () => {
    begun.push(turn)
    return { name: 'ada', scopes: 'all' as const }
  }
  const { app } = await build(t, { authenticate })
  const port = await listen(app)
  let isOver = false
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  count()
  await exchange(port, rawRequest('GET', paths.api, open).repeat(30) + rawRequest('GET', paths.api))
  isOver = true
  t.equal(begun.length, 31)
  t.equal(new Set(begun).size, 31)
})

t.test('what a closed connection has not got to is never begun', async (t) => {
  const { seen, port } = await shop(t)
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write(rawRequest('POST', paths.api, open, '{}').repeat(20))
  while (seen.all === 0) await delay(1)
  socket.destroy()
  await delay(300)
  t.ok(seen.all < 20, `${seen.all} of 20`)
})

t.test('notifications that wait for their turn keep nobody out', async (t) => {
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  let asked = 0
  const { app } = await build(t, {
    after: (app) => {
      app.get('/slow', async () => {
        await isOver
        return 'done'
      })
    },
  })
  app.server.on('request', () => asked++)
  const port = await listen(app)
  const path = '/wp-json/svc-export/v1.0/print_job/none?file_url=http%3A%2F%2Fx.example%2F'
  // More than may be in flight at once.
  const bytes = rawRequest('GET', '/slow', open) + rawRequest('POST', path, open).repeat(79)
  const text = exchange(port, bytes + rawRequest('POST', path))
  while (asked < 81) await delay(1)
  t.match(await exchange(port, rawRequest('POST', path)), /^HTTP\/1\.1 404 /)
  resolve()
  t.equal((await text).match(/HTTP\/1\.1 404 /g)?.length, 80)
})

for (const [name, path] of Object.entries(paths))
  t.test(`a connection with more than a hundred requests that wait is closed: ${name}`, async (t) => {
    const { seen, port } = await shop(t)
    const few = exchange(port, rawRequest('GET', path, open).repeat(100) + rawRequest('GET', path))
    await exchange(port, rawRequest('GET', path, open).repeat(5000))
    t.ok(seen.all < 150, `${seen.all} of 5101`)
    t.equal((await few).match(/HTTP\/1\.1 200 /g)?.length, 101)
  })
