// The guarantees between processes on a cluster of three nodes, one of which dies and returns during the writes.
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { createConnection } from 'mysql2/promise'
import t from 'tap'
import { connect } from '../../src/db/connect.ts'
import { newProduct } from '../support/fixtures/rows.ts'
import { build, token } from '../support/hosts/build.ts'
import type { PeerRequest, PeerResponse } from '../support/hosts/peer.ts'
import { startPeer } from '../support/hosts/process.ts'
import { galeraCluster } from '../support/peers/galera.ts'

/** Milliseconds of load before the death, until the return and after it. */
const phases = { before: 20_000, dead: 20_000, after: 20_000 }
const workers = 12
const minutes = (count: number) => count * 60_000

/** Polls until the result fits. The ceiling only prevents hangs. */
async function eventually<T>(ask: () => Promise<T>, fits: (response: T) => boolean): Promise<T> {
  const end = performance.now() + 30_000
  for (;;) {
    const response = await ask()
    if (fits(response) || performance.now() > end) return response
    await delay(100)
  }
}

t.setTimeout(minutes(15))
t.test('three processes on three nodes lose and duplicate nothing', async (t) => {
  t.setTimeout(minutes(15))
  const nodes = await galeraCluster(t)
  const admin = await createConnection(nodes[0].url(''))
  await admin.query('create database shop character set utf8mb4')
  await admin.end()
  const host = await build(t, { address: nodes[0].url('shop') })
  const { db, t: names, call } = host

  /** Polls each node until it has what the first one has: a node may lag behind. */
  async function onEachNode<T>(ask: (at: typeof db) => Promise<T>, wanted: T): Promise<void> {
    for (const node of nodes) {
      const connection = await eventually(
        () => connect({ database: node.url('shop') }).catch(() => undefined),
        (opened) => opened !== undefined,
      )
      if (!connection) throw new Error('A node cannot be reached.')
      const fits = (found: T | undefined) => JSON.stringify(found) === JSON.stringify(wanted)
      const found = await eventually(() => ask(connection.db).catch(() => undefined), fits)
      t.same(found, wanted)
      await connection.close()
    }
  }

  const product = await newProduct(host, { title: 'Contested' })
  const sets: number[] = []
  for (const i of [0, 1, 2, 3])
    sets.push((await call('POST', '/categories', { title: `Set ${i}` })).body.data.id)
  await onEachNode(async (at) => (await at.selectFrom(names.categories).select('ID').execute()).length, 4)
  const peers = await Promise.all(nodes.map(() => startPeer(t)))
  await Promise.all(
    peers.map((peer, i) =>
      peer.order({ do: 'serve', database: nodes[(i % 3) as 0 | 1 | 2].url('shop'), token }),
    ),
  )

  const figures = { operations: 0, retries: 0, conflicts: 0, hangs: 0, lost: 0, doubled: 0, unexpected: 0 }

  async function send(at: number, request: PeerRequest): Promise<PeerResponse> {
    const since = performance.now()
    const [response] = await (peers[at % 3] as (typeof peers)[0]).requests([request])
    if (!response) throw new Error('No response came.')
    if (performance.now() - since > 10_000) figures.hangs++
    if (response.status === 409) figures.conflicts++
    return response
  }

  /** What a sensible client does: retry on another node until it succeeds. */
  async function insist(at: number, request: PeerRequest): Promise<PeerResponse> {
    figures.operations++
    for (;;) {
      const response = await send(at++, request)
      if (response.status !== 503 && response.body.code !== 'svc_idempotency_key_running') return response
      figures.retries++
      await delay(50)
    }
  }

  function expect({ status, body }: PeerResponse, ...statuses: number[]): void {
    if (statuses.includes(status)) return
    figures.unexpected++
    t.fail(`${status} came instead of ${statuses}: ${JSON.stringify(body)}`)
  }

  const done = {
    titles: [] as string[],
    contested: new Set<string>(),
    winners: [] as string[],
    views: [] as string[],
    members: [] as string[],
    marks: [] as string[],
  }

  /** One write of each kind; `n` is never used twice. */
  const writes: ((n: number) => Promise<void>)[] = [
    async function newCategoryWithKey(n) {
      const request = {
        method: 'POST',
        path: '/categories',
        body: { title: `Category ${n}` },
        headers: { 'idempotency-key': `c${n}` },
      }
      const first = await insist(n, request)
      expect(first, 201)
      done.titles.push(`Category ${n}`)
      const again = await insist(n + 1, request)
      expect(again, 201)
      if (again.body.data?.id !== first.body.data?.id) figures.doubled++
    },
    async function oneTitleFromAllNodes(n) {
      const title = `Contested ${n}`
      figures.operations += 3
      const responses = await Promise.all(
        [title, title.toUpperCase(), ` ${title}`].map((spelling, at) =>
          send(at, { method: 'POST', path: '/categories', body: { title: spelling } }),
        ),
      )
      for (const response of responses) {
        expect(response, 201, 409, 503)
        if (response.status === 201) done.winners.push(title)
      }
      if (responses.some(({ status }) => status === 201)) done.contested.add(title.toLowerCase())
    },
    async function viewAtAPlace(n) {
      const body = { title: `View ${n}`, order: n % 4 }
      expect(
        await insist(n, {
          method: 'POST',
          path: `/products/${product}/views`,
          body,
          headers: { 'idempotency-key': `v${n}` },
        }),
        201,
      )
      done.views.push(body.title)
    },
    async function sortedViews(n) {
      const list = await insist(n, { method: 'GET', path: `/products/${product}/views?fields=id` })
      const sorted_views = list.body.data.toReversed()
      const request = { method: 'PATCH', path: `/products/${product}`, body: { sorted_views } }
      expect(await insist(n, request), 200, 400)
    },
    async function mergedOptions(n) {
      const body = { options: { [`m${n}`]: { by: n } } }
      expect(await insist(n, { method: 'PATCH', path: `/products/${product}`, body }), 200)
      done.members.push(`m${n}`)
    },
    async function assignedCategories(n) {
      const body = { categories: n % 2 ? sets.slice(0, 3) : sets.slice(1) }
      expect(await insist(n, { method: 'PATCH', path: `/products/${product}`, body }), 200)
    },
    async function swappedOption(n) {
      figures.operations++
      const peer = peers[n % 3] as (typeof peers)[0]
      const mark = String(n)
      await peer.order({ do: 'append', key: 'svc_test_marks', marks: [mark] }).then(
        () => done.marks.push(mark),
        () => figures.retries++,
      )
    },
  ]

  await t.test('concurrent requests to all nodes produce one token', async (t) => {
    await db.deleteFrom(names.options).where('option_name', '=', 'svc_api_token').execute()
    await delay(2000)
    const requests = Array.from({ length: 20 }, () => ({ method: 'GET', path: '/system' }))
    const responses = (await Promise.all(peers.map((peer) => peer.requests(requests)))).flat()
    t.ok(responses.every(({ status }) => [401, 403, 503].includes(status)))
    const row = db.selectFrom(names.options).select('option_value').where('option_name', '=', 'svc_api_token')
    const rows = await row.execute()
    t.equal(rows.length, 1)
    const made = rows[0]?.option_value ?? ''
    t.match(made, /^[0-9a-f]{64}$/)
    await delay(2000)
    for (const peer of peers)
      t.equal((await peer.requests([{ method: 'GET', path: '/system', token: made }]))[0]?.status, 200)
    await db
      .updateTable(names.options)
      .set({ option_value: token })
      .where('option_name', '=', 'svc_api_token')
      .execute()
    await delay(2000)
  })

  let isOver = false
  let next = 0
  const load = Array.from({ length: workers }, async (_, worker) => {
    for (let turn = worker; !isOver; turn++) await writes[turn % writes.length]?.(next++)
  })
  await delay(phases.before)
  await nodes[2].kill()
  const dead = Promise.all([peers[2]?.order({ do: 'ready' }), send(2, { method: 'GET', path: '/products' })])
  await delay(phases.dead)
  const [ready, response] = await dead
  t.equal(ready, 503, 'the process on the dead node is not ready')
  t.equal(response.status, 503)
  await nodes[2].start()
  t.equal(await nodes[2].status('wsrep_cluster_size'), '3')
  t.equal(
    await eventually(
      () => peers[2]?.order({ do: 'ready' }) as Promise<number>,
      (status) => status === 200,
    ),
    200,
  )
  await delay(phases.after)
  isOver = true
  await Promise.all(load)

  await t.test('every node holds what was confirmed, once', async (t) => {
    const checksum = async (at: typeof db) => {
      const tables = [names.categories, names.views, names.products, names.category_products]
      const { rows } = await sql`checksum table ${sql.join(tables.map((table) => sql.table(table)))}`.execute(
        at,
      )
      return rows
    }
    await onEachNode(checksum, await checksum(db))

    const titles = (await db.selectFrom(names.categories).select('title').execute()).map((row) =>
      String(row.title),
    )
    const views = await db
      .selectFrom(names.views)
      .select(['title', 'view_order'])
      .where('product_id', '=', product)
      .orderBy('view_order')
      .execute()
    const viewTitles = views.map((row) => String(row.title))
    const { body } = await call('GET', `/products/${product}`)
    const stored = await db
      .selectFrom(names.options)
      .select('option_value')
      .where('option_name', '=', 'svc_test_marks')
      .executeTakeFirst()
    const marks = String(stored?.option_value ?? '')
      .split(',')
      .filter(Boolean)
    const folded = titles.map((title) => title.trim().toLowerCase())
    const missing = (wanted: Iterable<string>, found: string[]) =>
      [...wanted].filter((one) => !found.includes(one)).length
    const repeated = (found: string[]) => found.length - new Set(found).size
    figures.lost +=
      missing(done.titles, titles) +
      missing(done.contested, folded) +
      missing(done.views, viewTitles) +
      missing(done.members, Object.keys(body.data.options)) +
      missing(done.marks, marks)
    figures.doubled += repeated(folded) + repeated(viewTitles) + repeated(marks) + repeated(done.winners)
    t.same(
      views.map((row) => row.view_order),
      views.map((_, i) => i),
      'the orders have no gaps and no doubles',
    )
    t.ok([String(sets.slice(0, 3)), String(sets.slice(1))].includes(String(body.data.categories)))
    t.comment(JSON.stringify(figures))
    t.match(figures, { lost: 0, doubled: 0, hangs: 0, unexpected: 0 })
  })

  await t.test(
    'a node without quorum responds with 503 and is not ready, and serves again once it has quorum',
    async (t) => {
      await Promise.all([nodes[1].kill(), nodes[2].kill()])
      const alone = { method: 'POST', path: '/categories', body: { title: 'Alone' } }
      const unserved = async (request: PeerRequest) => {
        const since = performance.now()
        t.match(await send(0, request), { status: 503, body: { code: 'svc_unavailable' } })
        t.ok(performance.now() - since < 10_000)
      }
      // The node notices after some seconds, during which its writes wait for the others.
      await unserved(alone)
      await eventually(
        () => nodes[0].status('wsrep_cluster_status'),
        (status) => status === 'non-Primary',
      )
      await unserved(alone)
      await unserved({ method: 'GET', path: '/categories' })
      t.equal(await peers[0]?.order({ do: 'ready' }), 503)
      await nodes[0].lead()
      t.equal((await send(0, { method: 'POST', path: '/categories', body: { title: 'Alone' } })).status, 201)
      t.equal(await peers[0]?.order({ do: 'ready' }), 200)
    },
  )
})
