// The guarantees between processes under thousands of writes from four of them. Prints what was tried, rejected and lost.
import t, { type Test } from 'tap'
import { build, type Engine, onEachEngine, type TestHost, token } from '../support/hosts/build.ts'
import type { PeerRequest, PeerResponse } from '../support/hosts/peer.ts'
import { type Peer, sendConcurrently, servingPeers } from '../support/hosts/process.ts'

const processes = 4
/** Requests in flight at once, over all processes. */
const wave = 80

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

interface World extends TestHost {
  peers: Peer[]
  /** Sends all requests in waves and prints how many got which status. */
  fire(what: string, requests: PeerRequest[]): Promise<PeerResponse[]>
}

async function world(t: Test, engine: Engine): Promise<World> {
  const host = await build(t, { engine })
  const peers = await servingPeers(t, host.address, token, processes)
  async function fire(what: string, requests: PeerRequest[]): Promise<PeerResponse[]> {
    const since = performance.now()
    const responses: PeerResponse[] = []
    for (let at = 0; at < requests.length; at += wave)
      responses.push(...(await sendConcurrently(peers, requests.slice(at, at + wave))))
    const statuses = [...Map.groupBy(responses, ({ status }) => status)].map(
      ([status, list]) => `${list.length} x ${status}`,
    )
    const seconds = (performance.now() - since) / 1000
    t.comment(
      `${engine}, ${what}: ${requests.length} requests in ${seconds.toFixed(1)} s: ${statuses.join(', ')}`,
    )
    return responses
  }
  return { ...host, peers, fire }
}

const withStatus = (responses: PeerResponse[], status: number) =>
  responses.filter((response) => response.status === status)

async function post(host: TestHost, path: string, body: object): Promise<number> {
  return (await host.call('POST', path, body)).body.data.id
}

t.setTimeout(3_600_000)
onEachEngine(t, async (t, engine) => {
  t.setTimeout(3_600_000)
  const host = await world(t, engine)
  const { db, t: names, peers, fire, call } = host

  await t.test(
    'each of 50 titles is taken once, however often and in whatever case it is requested',
    async (t) => {
      const spellings = [
        (n: number) => ` Títle ${n}`,
        (n: number) => `TÍTLE ${n} `,
        (n: number) => `ti\u0301tle ${n}`,
      ]
      const responses = await fire(
        'creates of 50 category titles',
        times(2000, (i) => ({
          method: 'POST',
          path: '/categories',
          body: { title: spellings[i % 3]?.(Math.floor(i / 40)) },
        })),
      )
      t.equal(withStatus(responses, 201).length, 50)
      t.equal(withStatus(responses, 409).length, 1950)
      t.equal((await db.selectFrom(names.categories).select('ID').execute()).length, 50)
    },
  )

  await t.test(
    'views that are moved, added, copied, sorted and removed stay numbered without gaps and duplicates',
    async (t) => {
      const products = [
        await post(host, '/products', { title: 'A' }),
        await post(host, '/products', { title: 'B' }),
      ]
      const views: number[] = []
      for (const i of times(20, (i) => i))
        views.push(await post(host, `/products/${products[i % 2]}/views`, { title: `${i}` }))
      const kinds = [
        (i: number) => ({
          method: 'PATCH',
          path: `/views/${views[(i * 7) % 20]}`,
          body: { product_id: products[i % 2] },
        }),
        (i: number) => ({
          method: 'POST',
          path: `/products/${products[i % 2]}/views`,
          body: { title: 'New', order: i % 9 },
        }),
        (i: number) => ({ method: 'POST', path: `/views/${views[i % 20]}/duplicate`, body: {} }),
        (i: number) => ({ method: 'DELETE', path: `/views/${(views[0] ?? 0) + ((i * 3) % 400)}` }),
      ]
      const responses = await fire(
        'moves, creates, copies and deletes of views',
        times(2000, (i) => kinds[i % 4]?.(i) as PeerRequest),
      )
      const made = withStatus(responses, 201).length
      const gone = responses.filter(({ body }) => body.data?.deleted).length
      const rows = await db.selectFrom(names.views).select(['product_id', 'view_order']).execute()
      t.equal(rows.length, 20 + made - gone)
      for (const product of products) {
        const orders = rows.filter((row) => row.product_id === product).map((row) => Number(row.view_order))
        t.strictSame(
          orders.toSorted((a, b) => a - b),
          times(orders.length, (i) => i),
        )
      }
    },
  )

  await t.test('merges into one product lose no property', async (t) => {
    const id = await post(host, '/products', { title: 'Merged' })
    const responses = await fire(
      'merges into one product',
      times(1000, (i) => ({ method: 'PATCH', path: `/products/${id}`, body: { options: { [`m${i}`]: i } } })),
    )
    const { options } = (await call('GET', `/products/${id}`)).body.data
    const acknowledged = responses.flatMap(({ status }, i) => (status === 200 ? [`m${i}`] : []))
    const stored = new Set(Object.keys(options))
    t.comment(`${engine}, merges: ${acknowledged.length} acknowledged, ${stored.size} stored`)
    t.strictSame(
      acknowledged.filter((member) => !stored.has(member)),
      [],
    )
    // Under overload a request may be rejected, but never half done.
    t.ok(responses.every(({ status }) => status === 200 || status === 503))
  })

  await t.test('of two sets of categories exactly one remains after every wave', async (t) => {
    const id = await post(host, '/products', { title: 'Assigned' })
    const ids = (await db.selectFrom(names.categories).select('ID').orderBy('ID').limit(30).execute()).map(
      (row) => row.ID,
    )
    const sets = [ids.slice(0, 20), ids.slice(10)]
    for (const round of times(10, (i) => i)) {
      await fire(
        `sets of categories, round ${round}`,
        times(wave, (i) => ({ method: 'PATCH', path: `/products/${id}`, body: { categories: sets[i % 2] } })),
      )
      const { categories } = (await call('GET', `/products/${id}`)).body.data
      t.ok(sets.map(String).includes(String(categories)))
    }
  })

  await t.test('products deleted meanwhile leave neither views nor assignments behind', async (t) => {
    const category = await post(host, '/categories', { title: 'Doomed' })
    for (const round of times(30, (i) => i)) {
      const id = await post(host, '/products', { title: `Doomed ${round}` })
      await sendConcurrently(peers, [
        ...times(round % 12, (i) => ({
          method: 'POST',
          path: `/products/${id}/views`,
          body: { title: `${i}` },
        })),
        { method: 'DELETE', path: `/products/${id}` },
        { method: 'PATCH', path: `/categories/${category}`, body: { products: [id] } },
        ...times(12 - (round % 12), (i) => ({
          method: 'POST',
          path: `/products/${id}/views`,
          body: { title: `${i}` },
        })),
      ])
    }
    const orphans = await db
      .selectFrom(names.views)
      .select('ID')
      .where('product_id', 'not in', (eb) => eb.selectFrom(names.products).select('ID'))
      .execute()
    t.strictSame(orphans, [])
    const assigned = await db
      .selectFrom(names.category_products)
      .selectAll()
      .where('category_id', '=', category)
      .execute()
    t.strictSame(assigned, [])
  })

  await t.test('2000 changes of one option by compare-and-swap lose none', async (t) => {
    const since = performance.now()
    const marks = times(2000, String)
    let lost = 0
    for (let at = 0; at < marks.length; at += wave) {
      const some = marks.slice(at, at + wave)
      await Promise.all(
        peers.map((peer, p) =>
          peer
            .order({
              do: 'append',
              key: 'svc_test_marks',
              marks: some.filter((_, i) => i % peers.length === p),
            })
            .catch(() => lost++),
        ),
      )
    }
    const row = await db
      .selectFrom(names.options)
      .select('option_value')
      .where('option_name', '=', 'svc_test_marks')
      .executeTakeFirstOrThrow()
    const stored = row.option_value.split(',').filter(Boolean)
    t.comment(
      `${engine}, compare-and-swap: ${stored.length} of 2000 in ${((performance.now() - since) / 1000).toFixed(1)} s, ${lost} batches gave up`,
    )
    t.equal(lost, 0)
    t.strictSame(stored.toSorted(), marks.toSorted())
  })

  await t.test('four processes that each count to 1000 in transactions reach 4000', async (t) => {
    const since = performance.now()
    const key = 'svc_test_count'
    await db
      .insertInto(names.options)
      .values({ option_name: key, option_value: '0', autoload: 'no' })
      .execute()
    await Promise.all(peers.map((peer) => peer.order({ do: 'count', key, times: 1000 })))
    const row = await db
      .selectFrom(names.options)
      .select('option_value')
      .where('option_name', '=', key)
      .executeTakeFirstOrThrow()
    t.comment(
      `${engine}, counting: ${row.option_value} of 4000 in ${((performance.now() - since) / 1000).toFixed(1)} s`,
    )
    t.equal(row.option_value, '4000')
  })
})

t.test('200 concurrent requests to four processes produce one token, ten times in a row', (t) =>
  onEachEngine(t, async (t, engine) => {
    for (const round of times(10, (i) => i)) {
      await t.test(`round ${round}`, async (t) => {
        const { address, db, t: names } = await build(t, { engine })
        await db
          .updateTable(names.options)
          .set({ option_value: '' })
          .where('option_name', '=', 'svc_api_token')
          .execute()
        const peers = await servingPeers(t, address, token, processes)
        const responses = await sendConcurrently(
          peers,
          times(200, () => ({ method: 'GET', path: '/system' })),
        )
        t.ok(responses.every(({ status }) => status === 403))
        const rows = await db
          .selectFrom(names.options)
          .select('option_value')
          .where('option_name', '=', 'svc_api_token')
          .execute()
        t.match(rows, [{ option_value: /^[0-9a-f]{64}$/ }])
        const made = rows[0]?.option_value ?? ''
        const then = await sendConcurrently(
          peers,
          times(8, () => ({ method: 'GET', path: '/system', token: made })),
        )
        t.ok(then.every(({ status }) => status === 200))
      })
    }
  }),
)
