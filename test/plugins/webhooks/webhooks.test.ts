// Outbound webhooks: what receivers get, in which order, and what processes do that end.

import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { build, onEachEngine } from '../../support/hosts/build.ts'
import {
  create,
  eventually,
  receiver,
  rename,
  retryNow,
  rows,
  statesOf,
  webhookSecret,
} from '../../support/hosts/webhooks.ts'
import { httpServer, tripwire } from '../../support/peers/servers.ts'

t.test('an event arrives signed, with what changed and by whom', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { received, endpoint } = await receiver(t)
    const host = await build(t, { engine, webhooks: [endpoint] })
    const id = await create(host)
    await eventually(() => received.length === 1)
    const [event] = received
    t.match(event, {
      id: /^evt_[0-9a-f-]{36}$/,
      type: 'product.created',
      timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/,
      data: {
        operation: 'create_product',
        resource: 'product',
        action: 'created',
        id,
        principal: { kind: 'token' },
      },
      headers: {
        'content-type': 'application/json',
        'user-agent': 'svc-api',
        'webhook-timestamp': /^\d{10}$/,
      },
    })
    await eventually(async () => (await statesOf(host)).join() === 'delivered')
  }),
)

t.test(
  'an endpoint gets only the types that it wants, and each endpoint its own copy with the same id',
  async (t) => {
    const [all, some] = [await receiver(t), await receiver(t)]
    const events = ['*.deleted', 'view.*']
    const host = await build(t, { webhooks: [all.endpoint, { ...some.endpoint, events }] })
    const id = await create(host)
    await host.call('POST', `/products/${id}/views`, { title: 'Front' })
    await host.call('DELETE', `/products/${id}`)
    await eventually(() => all.received.length === 3 && some.received.length === 2)
    t.same(some.received.map(({ type }) => type).sort(), ['product.deleted', 'view.created'])
    t.ok(some.received.every(({ id }) => all.received.some((other) => other.id === id)))
  },
)

t.test('during a change of the secret, receivers with either of them accept', async (t) => {
  const old = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
  const signatures: string[] = []
  const { received, endpoint } = await receiver(t, (response, { headers }) => {
    signatures.push(String(headers['webhook-signature']))
    response.end()
  })
  const host = await build(t, { webhooks: [{ ...endpoint, secret: [old, webhookSecret] }] })
  await create(host)
  await eventually(() => received.length === 1)
  t.equal(signatures[0]?.split(' ').length, 2)
  const [row] = await rows(host)
  const headers = { ...received[0]?.headers } as Record<string, string>
  t.doesNotThrow(() => new Webhook(old).verify(row?.payload ?? '', headers))
})

t.test('events about one resource keep their order, those about others do not wait', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { received, endpoint, say } = await receiver(t)
    const host = await build(t, { engine, webhooks: [endpoint] })
    const [stuck, free] = [await create(host), await create(host)]
    await eventually(() => received.length === 2)
    say.reaction = (response, { data }) => response.writeHead(data.id === stuck ? 500 : 204).end()
    for (const title of ['A', 'B', 'C']) {
      await rename(host, stuck, title)
      await rename(host, free, title)
    }
    const of = (id: number) => received.filter(({ data }) => data.id === id)
    await eventually(() => of(free).length === 4)
    t.equal(of(stuck).length, 2, 'only the first of those that wait is tried')
    say.reaction = (response) => response.end()
    await retryNow(host)
    await eventually(() => of(stuck).length === 5)
    const order = (id: number) => [...new Set(of(id).map(({ data }) => data.request_id))]
    t.same(
      order(stuck),
      [...order(stuck)].sort(
        (a, b) => Number.parseInt(a?.slice(4) ?? '', 36) - Number.parseInt(b?.slice(4) ?? '', 36),
      ),
    )
    t.equal(order(stuck).length, 4)
  }),
)

t.test('a receiver that hangs is given up after its time, and holds no other', (t) =>
  onEachEngine(t, async (t, engine) => {
    const slow = await receiver(t, () => {})
    const fast = await receiver(t)
    const host = await build(t, { engine, webhooks: [slow.endpoint, fast.endpoint] })
    for (let i = 0; i < 20; i++) await create(host, `P${i}`)
    await eventually(() => fast.received.length === 20)
    await eventually(async () =>
      (await rows(host)).some(({ error }) => /did not respond in time/.test(error)),
    )
    const known = new Set((await rows(host)).map(({ endpoint: id }) => id))
    t.equal(known.size, 2)
  }),
)

t.test('a response that never ends counts by its status', async (t) => {
  const { endpoint } = await receiver(t, (response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'.repeat(1024)), 5)
    response.on('close', () => clearInterval(timer))
  })
  const host = await build(t, { webhooks: [{ ...endpoint, seconds: 5 }] })
  await create(host)
  await eventually(async () => (await statesOf(host)).join() === 'delivered')
})

t.test('a connection that breaks within the response harms nothing: the status counts', async (t) => {
  const { received, endpoint } = await receiver(t, (response) => {
    response.writeHead(200, { 'content-length': '10' })
    response.write('x', () => response.destroy())
  })
  const host = await build(t, { webhooks: [endpoint] })
  await create(host)
  await eventually(async () => (await statesOf(host)).join() === 'delivered')
  t.equal(received.length, 1)
})

t.test('redirects are not followed, and private addresses not connected to', async (t) => {
  const trap = await tripwire(t)
  const { endpoint } = await receiver(t, (response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${trap.port}/` }).end(),
  )
  const host = await build(t, {
    webhooks: [
      endpoint,
      { url: `https://127.0.0.1:${trap.port}/`, secret: webhookSecret },
      { url: `https://localhost:${trap.port}/`, secret: webhookSecret },
      { url: `https://[::ffff:127.0.0.1]:${trap.port}/`, secret: webhookSecret },
    ],
  })
  await create(host)
  await eventually(async () => (await rows(host)).every(({ attempts }) => attempts === 1))
  t.same((await rows(host)).map(({ error }) => error).sort(), [
    'The address is not public.',
    'The address is not public.',
    'The address is not public.',
    'The receiver responded with 302.',
  ])
  t.equal(trap.seen.connections, 0)
})

t.test('closing aborts deliveries at once and gives their leases back', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { received, endpoint } = await receiver(t, () => {})
    const host = await build(t, { engine, webhooks: [{ ...endpoint, seconds: 60 }] })
    await create(host)
    await eventually(() => received.length === 1)
    const since = performance.now()
    await host.app.close()
    t.ok(performance.now() - since < 10_000)
    t.match(await rows(host), [{ state: 'pending', lease_owner: '', lease_until: 0, attempts: 0 }])
  }),
)

t.test('an event whose process died before its delivery is sent by another', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { received, endpoint } = await receiver(t)
    const first = await build(t, { engine, webhooks: [endpoint] })
    const id = await create(first)
    await eventually(async () => (await statesOf(first)).join() === 'delivered')
    await first.app.close()
    // As a process leaves it that is killed between its commit and its delivery.
    await first.db
      .updateTable(first.t.api_outbox)
      .set({ state: 'pending', lease_owner: 'dead', lease_until: 1 })
      .execute()
    await build(t, { engine, address: first.address, webhooks: [endpoint] })
    await eventually(() => received.length === 2)
    t.same([received[0]?.id, received[0]?.data.id], [received[1]?.id, id])
  }),
)

t.test('two processes never send an event at the same time', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { received, endpoint } = await receiver(t, (response) => setTimeout(() => response.end(), 20))
    const first = await build(t, { engine, webhooks: [endpoint] })
    await build(t, { engine, address: first.address, webhooks: [endpoint] })
    for (let i = 0; i < 30; i++) await create(first, `P${i}`)
    await eventually(() => received.length >= 30)
    await eventually(async () => (await statesOf(first)).every((state) => state === 'delivered'))
    t.equal(received.length, 30)
  }),
)

t.test('without the table, startup fails with a sentence that says how to create it', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { address, db, t: names, app } = await build(t, { engine })
    await app.close()
    const { schema } = db
    await schema.dropTable(names.api_outbox).execute()
    await schema.dropTable(names.api_audit).execute()
    const started = build(t, {
      engine,
      address,
      migrate: false,
      audit: true,
      webhooks: [{ url: 'https://erp.example/', secret: webhookSecret }],
    })
    await t.rejects(started, { message: /api_audit, .*api_outbox are missing. Call migrate\(\) once/ })
    const host = await build(t, { engine, address, migrate: false, onChange: () => {} })
    t.equal((await host.call('POST', '/products', { title: 'A' })).status, 201, 'neither is needed otherwise')
  }),
)

t.test('what is over is removed after some days', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { received, endpoint } = await receiver(t)
    const host = await build(t, { engine, webhooks: [endpoint], audit: { keepDays: 2 } })
    for (const title of ['A', 'B', 'C']) await create(host, title)
    await eventually(
      async () => received.length === 3 && (await statesOf(host)).join() === 'delivered,delivered,delivered',
    )
    await host.app.close()
    const now = Math.floor(Date.now() / 1000)
    const [first, second] = await rows(host)
    const age = (id: number | undefined, days: number) =>
      host.db
        .updateTable(host.t.api_outbox)
        .set({ done_at: now - days * 86_400 })
        .where('ID', '=', id ?? 0)
        .execute()
    await age(first?.ID, 6)
    await age(second?.ID, 8)
    const { db } = host
    await db
      .updateTable(host.t.api_audit)
      .set({ at: now - 3 * 86_400 })
      .where('ID', '<', 3)
      .execute()
    const server = await httpServer(t, (_request, response) => response.end())
    await build(t, {
      engine,
      address: host.address,
      audit: { keepDays: 2 },
      webhooks: [{ ...endpoint, url: server.url }],
    })
    await eventually(async () => (await rows(host)).length === 2)
    await eventually(async () => (await db.selectFrom(host.t.api_audit).select('ID').execute()).length === 1)
    t.notOk((await rows(host)).some(({ ID }) => ID === second?.ID))
  }),
)

t.test('without its event a change is not committed, and without its change no event', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { received, endpoint } = await receiver(t)
    const host = await build(t, { engine, webhooks: [endpoint] })
    const body = { title: 'Shirt', categories: [999] }
    t.equal((await host.call('POST', '/products', body)).status, 400, 'refused after its row was inserted')
    t.same(await rows(host), [])
    await host.db.schema.dropTable(host.t.api_outbox).execute()
    t.equal((await host.call('POST', '/products', { title: 'Shirt' })).status, 500)
    t.same(await host.db.selectFrom(host.t.products).select('ID').execute(), [])
    t.same(received, [])
  }),
)
