// Outbound webhooks that receivers do not take: retries, dead letters, and sending them again.
import t from 'tap'
import { replayWebhooks, webhookEvents } from '../../../plugins/index.ts'
import { probing } from '../../../src/changes/receiver-health.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'
import {
  create,
  eventually,
  logging,
  receiver,
  retryNow,
  rows,
  statesOf,
} from '../../support/hosts/webhooks.ts'

t.test('a failed event is sent again with the same id, later each time', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { received, endpoint, say } = await receiver(t, (response) => response.writeHead(500).end('no'))
    const host = await logging(t, { engine, webhooks: [endpoint] })
    await create(host)
    const pauses: number[] = []
    for (let attempt = 1; attempt <= 3; attempt++) {
      await eventually(async () => (await rows(host))[0]?.attempts === attempt)
      const [row] = await host.db
        .selectFrom(host.t.api_outbox)
        .select('next_at')
        .select(host.connection.dialect.now.as('now'))
        .execute()
      pauses.push(Number(row?.next_at) - Number(row?.now))
      if (attempt === 3) say.reaction = (response) => response.end()
      await retryNow(host)
    }
    await eventually(async () => (await statesOf(host)).join() === 'delivered')
    t.equal(received.length, 4)
    t.equal(new Set(received.map(({ id }) => id)).size, 1)
    const [first = 0, second = 0, third = 0] = pauses
    t.ok(first >= 3 && second > first && third > second, pauses.join())
    t.equal((await rows(host))[0]?.error, '')
    t.equal(host.lines.filter((line) => line.includes('A webhook endpoint fails')).length, 1, 'one warning')
  }),
)

t.test('Retry-After is honoured', async (t) => {
  const { endpoint } = await receiver(t, (response) =>
    response.writeHead(429, { 'retry-after': '3000' }).end(),
  )
  const host = await build(t, { webhooks: [endpoint] })
  await create(host)
  await eventually(async () => (await rows(host))[0]?.attempts === 1)
  const [row] = await rows(host)
  const left = Number(row?.next_at) - Math.floor(Date.now() / 1000)
  t.ok(left > 2900 && left <= 3000, String(left))
})

t.test('410 is warned about, and the endpoint stays', async (t) => {
  const { received, endpoint, say } = await receiver(t, (response) => response.writeHead(410).end())
  const host = await logging(t, { webhooks: [endpoint] })
  await create(host)
  await eventually(() => host.lines.some((line) => line.includes('gone for good')))
  say.reaction = (response) => response.end()
  await retryNow(host)
  await eventually(async () => (await statesOf(host)).join() === 'delivered')
  t.equal(received.length, 2)
})

t.test('an event that fails for a day is dead, listed, and sent again on request', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { received, endpoint, say } = await receiver(t, (response) => response.writeHead(500).end())
    const host = await logging(t, { engine, webhooks: [endpoint] })
    await create(host)
    await eventually(async () => (await rows(host))[0]?.attempts === 1)
    await host.db.updateTable(host.t.api_outbox).set({ created_at: 1, next_at: 0 }).execute()
    await eventually(async () => (await statesOf(host)).join() === 'dead')
    t.match(host.lines.join(''), /could not be delivered for a day/)
    t.notMatch(host.lines.join(''), /\/hook/, 'no path of a URL in the log')
    const [event] = await webhookEvents({ database: host.address, dead: true })
    t.match(event, {
      state: 'dead',
      type: 'product.created',
      attempts: 2,
      error: 'The receiver responded with 500.',
    })
    t.equal(event?.endpoint, new URL(endpoint.url).origin)
    say.reaction = (response) => response.end()
    t.equal(await replayWebhooks({ database: host.address, id: String(event?.id) }), 1)
    await eventually(async () => (await statesOf(host)).join() === 'delivered')
    t.equal(new Set(received.map(({ id }) => id)).size, 1)
    t.equal(await replayWebhooks({ database: host.address, dead: true }), 0)
    t.equal(await replayWebhooks({ database: host.address, id: 'evt_unknown' }), 0)
  }),
)

t.test('the attempts of an event that only fails end after about a day', async (t) => {
  const { endpoint } = await receiver(t, (response) => response.writeHead(500).end())
  const host = await build(t, { webhooks: [endpoint] })
  await create(host)
  let waited = 0
  for (let attempt = 1; (await statesOf(host)).join() === 'pending'; attempt++) {
    await eventually(async () => (await rows(host))[0]?.attempts === attempt)
    const [row] = await rows(host)
    if (row?.state === 'pending') waited += row.next_at - Math.floor(Date.now() / 1000)
    await retryNow(host)
    if (attempt > 20) break
  }
  t.same(await statesOf(host), ['dead'])
  t.ok(waited > 22 * 3600 && waited < 28 * 3600, `${waited} seconds`)
})

t.test('the events of an endpoint that was removed from the options are dead after three days', (t) =>
  onEachEngine(t, async (t, engine) => {
    const first = await receiver(t, (response) => response.writeHead(500).end())
    const host = await build(t, { engine, webhooks: [first.endpoint] })
    for (const title of ['A', 'B']) await create(host, title)
    await eventually(async () => (await rows(host)).every(({ attempts }) => attempts === 1))
    await host.app.close()
    const old = Math.floor(Date.now() / 1000) - 3 * 86_400 - 60
    const [row] = await rows(host)
    const { db, t: names } = host
    await db
      .updateTable(names.api_outbox)
      .set({ created_at: old })
      .where('ID', '=', row?.ID ?? 0)
      .execute()
    const other = await receiver(t)
    await build(t, { engine, address: host.address, webhooks: [other.endpoint] })
    await eventually(async () => (await statesOf(host)).join() === 'dead,pending')
    t.match((await rows(host))[0]?.error, /No process has this endpoint/)
  }),
)

t.test(
  'a receiver that is back gets what waits for it early and in order, without counting early failures',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { least } = probing
      t.teardown(() => Object.assign(probing, { least }))
      const { received, endpoint, say } = await receiver(t, (response) => response.writeHead(500).end())
      const host = await build(t, { engine, webhooks: [endpoint] })
      for (const title of ['A', 'B', 'C']) await create(host, title)
      await eventually(async () => (await rows(host)).every(({ attempts }) => attempts === 1))
      // As after a longer time: the next attempts are five minutes away.
      const later = { attempts: 5, next_at: Math.floor(Date.now() / 1000) + 300 }
      await host.db.updateTable(host.t.api_outbox).set(later).execute()
      const failed = received.length
      Object.assign(probing, { least: 100 })
      await eventually(() => received.length > failed)
      t.same(
        (await rows(host)).map(({ attempts, state }) => [attempts, state]),
        Array.from({ length: 3 }, () => [5, 'pending']),
      )
      say.reaction = (response) => response.end()
      const back = received.length
      await eventually(async () => (await statesOf(host)).join() === 'delivered,delivered,delivered')
      const [oldest] = await rows(host)
      t.equal(received.slice(back).find(({ id }) => id)?.id, oldest?.event_id)
    }),
)

t.test('Retry-After holds for early attempts, too', async (t) => {
  const { least } = probing
  t.teardown(() => Object.assign(probing, { least }))
  Object.assign(probing, { least: 10 })
  const { received, endpoint } = await receiver(t, (response) =>
    response.writeHead(503, { 'retry-after': '3000' }).end(),
  )
  const host = await build(t, { webhooks: [endpoint] })
  await create(host)
  await eventually(async () => (await rows(host))[0]?.attempts === 1)
  const looks = async () => {
    // Each look for due events comes at most two seconds after the one before.
    for (let n = 0; n < 3; n++) await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  await looks()
  t.equal(received.length, 1)
})
