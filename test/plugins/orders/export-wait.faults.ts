// An export waits for its file: whoever completes the job, as long as the client prefers, without a connection or transaction.
import { createPool } from 'mysql2'
import t from 'tap'
import { memoryProvider } from '../../support/fixtures/memory-provider.ts'
import { listen } from '../../support/hostile/raw-http.ts'
import { build, freshAddress, onEachEngine, token } from '../../support/hosts/build.ts'
import { accept, exportShop, readyAt } from '../../support/hosts/export-shop.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'
import { printHost } from '../../support/hosts/print.ts'

/** Milliseconds after which a test calls a wait endless. */
const ceiling = 60_000

t.test('the response contains the file that is announced while the export waits', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const shop = await exportShop(t, engine, (response, guid) => {
      response.end('{}')
      void shop.host.notify(guid)
    })
    const { status, body, headers } = await shop.order()
    t.equal(status, 201, JSON.stringify(body))
    const job = await shop.host.job(body.data.print_job_id)
    t.match(body.data, { status: 'completed', file_url: job.file_url, file: /^[0-9a-f]{32}\/order-7\.pdf$/ })
    t.match(job.file_url, /\/svc\/print_files\/[0-9a-f]{32}\/order-7\.pdf$/)
    t.equal(headers['preference-applied'], undefined)
  })
})

t.test('a job that another process completes ends the wait too', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const shop = await exportShop(t, engine, accept)
    const { pair } = shop.host.router
    const other = await printHost(t, { address: shop.host.address, printReady: { allow: [pair] } })
    shop.say.answer = (response, guid) => {
      response.end('{}')
      void other.notify(guid, { file_url: `${shop.host.router.url}/theirs.pdf` })
    }
    t.match((await shop.order()).body.data, { status: 'completed', file: /^[0-9a-f]{32}\/theirs\.pdf$/ })
  })
})

t.test('a failed job ends the wait', async (t) => {
  const provider = memoryProvider()
  provider.failures.push('refuse')
  const shop = await exportShop(t, 'SQLite', accept, { printProvider: provider })
  shop.say.answer = (response, guid) => {
    response.end('{}')
    void shop.host.notify(guid)
  }
  const order = { svc_product: [], variation_printful: 1 }
  await shop.host.call('PATCH', `/orders/${shop.id}`, { item_id: shop.item, order })
  t.match(await shop.order(), { status: 201, body: { data: { status: 'failed' } } })
})

t.test('a service that responded too late may still announce its file', async (t) => {
  const shop = await exportShop(t, 'SQLite', accept, { seconds: 1, wait: 180 })
  shop.say.answer = (response, guid) => {
    // We have given up.
    response.on('close', () => void shop.host.notify(guid))
  }
  t.match((await shop.order()).body.data, { status: 'completed', file: /^[0-9a-f]{32}\/order-7\.pdf$/ })
})

t.test('an unreachable service ends the wait at once', async (t) => {
  const { order } = await exportShop(t, 'SQLite', (response) => response.destroy(), { wait: 180 })
  t.match(await order(), { status: 201, body: { data: { status: 'pending', file: null } } })
})

t.test('Prefer sets how long the export waits', async (t) => {
  const { order, requests } = await exportShop(t, 'SQLite', accept, { wait: 180 })
  for (const [prefer, applied] of [
    ['wait=0', 'wait=0'],
    ['Wait = "0"', 'wait=0'],
    ['respond-async', 'respond-async'],
    ['handling=lenient, respond-async', 'respond-async'],
    ['respond-async, wait=0', 'respond-async, wait=0'],
    ['wait=0, wait=100', 'wait=0'],
  ] as const) {
    const { status, body, headers } = await order({}, { prefer })
    t.match(
      { status, body },
      { status: 201, body: { data: { status: 'processing', file_url: null } } },
      prefer,
    )
    t.equal(headers['preference-applied'], applied, prefer)
  }
  t.equal(requests.length, 6)
})

t.test('an invalid preference is ignored, and too long a wait is shortened to the maximum', async (t) => {
  const shop = await exportShop(t, 'SQLite', accept, { wait: 0 })
  for (const prefer of ['wait', 'wait=-1', 'wait=1e3', 'wait=x', 'wait=', '', 'waiting=5']) {
    const { status, headers } = await shop.order({}, { prefer })
    t.equal(status, 201, prefer)
    t.equal(headers['preference-applied'], undefined, prefer)
  }
  shop.say.answer = (response, guid) => {
    response.end('{}')
    void shop.host.notify(guid)
  }
  const { body, headers } = await shop.order({}, { prefer: 'wait=999' })
  t.equal(body.data.status, 'completed')
  t.equal(headers['preference-applied'], 'wait=180')
})

t.test('a file that is ready at once is fetched like an announced one, and is in the response', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const { host, say, order } = await exportShop(t, engine, accept)
    say.answer = (response) => response.end(readyAt(`${host.router.url}/ready.pdf`))
    const { body } = await order()
    t.match(body.data, { status: 'completed', file: /^[0-9a-f]{32}\/ready\.pdf$/ })
    t.match(body.data.file_url, /\/ready\.pdf$/)
    const { body: later } = await order({}, { prefer: 'respond-async' })
    t.equal(later.data.status, 'processing')
    while ((await host.job(later.data.print_job_id)).status !== 'completed') await new Promise(setImmediate)
  })
})

t.test('a ready file that cannot be fetched ends the wait', async (t) => {
  const { say, order, host } = await exportShop(t, 'SQLite', accept, { wait: 180 })
  say.answer = (response) => response.end(readyAt('http://127.0.0.1/inside.pdf'))
  const { status, body } = await order()
  t.match({ status, body }, { status: 201, body: { data: { status: 'processing', file_url: null } } })
  t.match(await host.job(body.data.print_job_id), { error: { code: 'svc_print_file_unavailable' } })
})

onServers('a waiting export holds no database connection', async (t, engine) => {
  const address = await freshAddress(t, engine)
  await build(t, { engine, address })
  const database = createPool({ uri: address, charset: 'utf8mb4', connectionLimit: 1 })
  t.teardown(() => new Promise((resolve) => database.end(resolve)))
  const shop = await exportShop(t, engine, accept, { address, database, wait: 180 })
  const orders = Array.from({ length: 5 }, (_, i) => shop.order({ dpi: 100 + i }))
  while (shop.changes.length < 5) await new Promise(setImmediate)
  const jobs = (await shop.host.call('GET', '/print-jobs')).body.data
  t.same(
    jobs.map(({ status }: { status: string }) => status),
    Array(5).fill('processing'),
  )
  for (const { guid } of jobs) t.equal((await shop.host.notify(guid)).status, 200)
  for (const { body } of await Promise.all(orders)) t.equal(body.data.status, 'completed')
})

t.test('a key that is sent again while its first request waits gets the same file', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const shop = await exportShop(t, engine, accept, { wait: 180 })
    const keyed = () => shop.order({}, { 'idempotency-key': 'k1' })
    const first = keyed()
    const { db, t: names } = shop.host
    // While the first one hands over, the key would be 409.
    for (let made: unknown; !made; ) {
      await new Promise(setImmediate)
      made = (await db.selectFrom(names.idempotency).select('made').executeTakeFirst())?.made
    }
    const second = keyed()
    const [job] = (await shop.host.call('GET', '/print-jobs')).body.data
    t.equal((await shop.host.notify(job.guid)).status, 200)
    t.same((await second).body, (await first).body)
    t.equal((await second).headers['idempotency-replayed'], 'true')
    t.equal(shop.requests.length, 1)
  })
})

t.test('a deleted job ends the wait', async (t) => {
  const shop = await exportShop(t, 'SQLite', (response, guid) => {
    response.end('{}')
    void shop.host.call('DELETE', `/print-jobs/${guid}`)
  })
  t.match(await shop.order(), { status: 404, body: { code: 'svc_print_job_not_found' } })
})

t.test('a closing server ends all waits, for the service and for files', async (t) => {
  const shop = await exportShop(t, 'SQLite', accept, { wait: 180 })
  const port = await listen(shop.host.app)
  const post = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/wp-json/svc/v1/orders/${shop.id}/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ item_id: shop.item }),
    })
    return ((await response.json()) as { data: { status: string } }).data.status
  }
  const waiting = post()
  while (shop.changes.length === 0) await new Promise(setImmediate)
  shop.say.answer = () => {}
  const asking = post()
  while (shop.requests.length < 2) await new Promise(setImmediate)
  const started = performance.now()
  await shop.host.app.close()
  t.ok(performance.now() - started < 10_000)
  t.equal(await waiting, 'processing')
  t.equal(await asking, 'pending')
})

t.test('a client that disconnects ends the wait', async (t) => {
  const shop = await exportShop(t, 'SQLite', accept, { wait: 180 })
  const port = await listen(shop.host.app)
  const served = new Promise((resolve) => {
    shop.host.app.server.on('request', (_request, response) => response.on('close', resolve))
  })
  const hangUp = new AbortController()
  const call = fetch(`http://127.0.0.1:${port}/wp-json/svc/v1/orders/${shop.id}/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ item_id: shop.item }),
    signal: hangUp.signal,
  })
  while (shop.changes.length === 0) await new Promise(setImmediate)
  hangUp.abort()
  await t.rejects(call)
  await served
  const started = performance.now()
  await shop.host.app.close()
  t.ok(performance.now() - started < ceiling)
})

t.test('an invalid wait aborts startup with a message', async (t) => {
  for (const wait of [-1, 181, Number.NaN, '30']) {
    await t.rejects(
      build(t, { export: { wait: wait as number } }),
      /export\.wait: must be a number of seconds/,
    )
  }
})
