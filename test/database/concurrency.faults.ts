// The rules that span rows, held against two processes that write at the same moment.
import t, { type Test } from 'tap'
import { build, onEachEngine, type TestHost, token } from '../support/hosts/build.ts'
import { type Peer, sendConcurrently, servingPeers } from '../support/hosts/process.ts'

interface World extends TestHost {
  peers: Peer[]
}

async function world(t: Test, options: Parameters<typeof build>[1]): Promise<World> {
  const host = await build(t, options)
  return { ...host, peers: await servingPeers(t, host.address, token) }
}

const counts = (responses: { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(responses, (response) => response.status)].map(([status, list]) => [status, list.length]),
  )

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

async function newProduct(host: TestHost, views: number): Promise<{ id: number; views: number[] }> {
  const { body } = await host.call('POST', '/products', { title: 'Mug' })
  const ids: number[] = []
  for (let i = 0; i < views; i++) {
    const view = await host.call('POST', `/products/${body.data.id}/views`, { title: `View ${i}` })
    ids.push(view.body.data.id)
  }
  return { id: body.data.id, views: ids }
}

/** The stored orders of a product's views, and their ids. */
async function viewsOf({ db, t }: TestHost, product: number) {
  const rows = await db
    .selectFrom(t.views)
    .select(['ID', 'view_order'])
    .where('product_id', '=', product)
    .orderBy('view_order')
    .orderBy('ID')
    .execute()
  return { ids: rows.map((row) => row.ID), orders: rows.map((row) => row.view_order) }
}

onEachEngine(t, async (t, engine) => {
  const host = await world(t, { engine })
  const { call, peers, db, t: names } = host

  await t.test(
    'of 50 creates of one category title in any spelling, one gives 201 and the others 409',
    async (t) => {
      const titles = [' Shirts', 'SHIRTS', 'shirts ']
      const requests = times(50, (i) => ({
        method: 'POST',
        path: '/categories',
        body: { title: titles[i % 3] },
      }))
      t.strictSame(counts(await sendConcurrently(peers, requests)), { 201: 1, 409: 49 })
      const stored = await db.selectFrom(names.categories).select('title').execute()
      t.equal(stored.length, 1)
      t.match(stored[0]?.title, /^shirts$/i)
    },
  )

  await t.test(
    'of 20 renames of different categories to one title, one is done and the others give 409',
    async (t) => {
      const made = await sendConcurrently(
        peers,
        times(20, (i) => ({ method: 'POST', path: '/categories', body: { title: `Rename ${i}` } })),
      )
      const renames = made.map(({ body }, i) => ({
        method: 'PATCH',
        path: `/categories/${body.data.id}`,
        body: { title: i % 2 ? 'Caps' : 'CAPS' },
      }))
      t.strictSame(counts(await sendConcurrently(peers, renames)), { 200: 1, 409: 19 })
      const rows = await db.selectFrom(names.categories).select('title').execute()
      t.equal(rows.filter((row) => row.title?.toLowerCase() === 'caps').length, 1)
      t.equal(rows.filter((row) => row.title?.startsWith('Rename')).length, 19)
    },
  )

  await t.test(
    '20 moves of views between two products leave orders without gaps or doubles in both',
    async (t) => {
      const a = await newProduct(host, 6)
      const b = await newProduct(host, 6)
      const all = [...a.views, ...b.views]
      const moves = times(20, (i) => ({
        method: 'PATCH',
        path: `/views/${all[(i * 5) % all.length]}`,
        body: { product_id: i % 2 ? a.id : b.id },
      }))
      t.strictSame(counts(await sendConcurrently(peers, moves)), { 200: 20 })
      const [inA, inB] = [await viewsOf(host, a.id), await viewsOf(host, b.id)]
      t.strictSame(
        [...inA.ids, ...inB.ids].toSorted((x, y) => x - y),
        all.toSorted((x, y) => x - y),
      )
      t.strictSame(
        inA.orders,
        times(inA.ids.length, (i) => i),
      )
      t.strictSame(
        inB.orders,
        times(inB.ids.length, (i) => i),
      )
    },
  )

  await t.test('20 views created at places of their own leave orders without gaps or doubles', async (t) => {
    const { id } = await newProduct(host, 0)
    const creates = times(20, (i) => ({
      method: 'POST',
      path: `/products/${id}/views`,
      body: { title: `View ${i}`, order: i % 4 },
    }))
    t.strictSame(counts(await sendConcurrently(peers, creates)), { 201: 20 })
    t.strictSame(
      (await viewsOf(host, id)).orders,
      times(20, (i) => i),
    )
  })

  await t.test(
    'sorting while views are deleted and duplicated keeps orders whole, or is refused',
    async (t) => {
      const { id, views } = await newProduct(host, 8)
      const sorts = times(10, (i) => ({
        method: 'PATCH',
        path: `/products/${id}`,
        body: { sorted_views: (i % 2 ? views : views.toReversed()).map((view) => ({ id: view })) },
      }))
      const others = [
        ...views.slice(0, 4).map((view) => ({ method: 'DELETE', path: `/views/${view}` })),
        ...views.slice(4).map((view) => ({ method: 'POST', path: `/views/${view}/duplicate`, body: {} })),
      ]
      const responses = await sendConcurrently(peers, [...sorts.slice(0, 3), ...others, ...sorts.slice(3)])
      t.ok(responses.every(({ status }) => [200, 201, 400].includes(status)))
      const after = await viewsOf(host, id)
      t.equal(after.ids.length, 8)
      t.strictSame(
        after.orders,
        times(8, (i) => i),
      )
    },
  )

  await t.test('20 merges into one product and one view at once lose no property', async (t) => {
    const { id, views } = await newProduct(host, 1)
    const merges = times(40, (i) => ({
      method: 'PATCH',
      path: i % 2 ? `/products/${id}` : `/views/${views[0]}`,
      body: { options: { [`m${i}`]: { by: i } } },
    }))
    t.strictSame(counts(await sendConcurrently(peers, merges)), { 200: 40 })
    const { body } = await call('GET', `/products/${id}?include_views=1`)
    const properties = { ...body.data.options, ...body.data.views[0].options }
    t.strictSame(properties, Object.fromEntries(times(40, (i) => [`m${i}`, { by: i }])))
  })

  await t.test('of two sets of categories written 20 times, exactly one stands in the end', async (t) => {
    const product = await newProduct(host, 0)
    const ids: number[] = []
    for (const i of times(6, (i) => i))
      ids.push((await call('POST', '/categories', { title: `Set ${i}` })).body.data.id)
    const [a, b] = [ids.slice(0, 4), ids.slice(2)]
    const writes = times(20, (i) => ({
      method: 'PATCH',
      path: `/products/${product.id}`,
      body: { categories: i % 2 ? a : b },
    }))
    t.strictSame(counts(await sendConcurrently(peers, writes)), { 200: 20 })
    const { body } = await call('GET', `/products/${product.id}`)
    t.ok([String(a), String(b)].includes(String(body.data.categories)))
    const rows = await db
      .selectFrom(names.category_products)
      .select('category_id')
      .where('product_id', '=', product.id)
      .execute()
    t.equal(rows.length, 4)
  })

  await t.test('a product deleted while it gets views and categories leaves no orphans', async (t) => {
    const category = (await call('POST', '/categories', { title: 'Doomed' })).body.data.id
    for (const round of times(5, (i) => i)) {
      const { id, views } = await newProduct(host, 2)
      const writes = times(8, (i) => ({
        method: 'POST',
        path: `/products/${id}/views`,
        body: { title: `${i}` },
      }))
      const responses = await sendConcurrently(peers, [
        ...writes.slice(0, round),
        { method: 'DELETE', path: `/products/${id}` },
        { method: 'PATCH', path: `/categories/${category}`, body: { products: [id] } },
        { method: 'POST', path: `/views/${views[0]}/duplicate`, body: {} },
        ...writes.slice(round),
      ])
      t.ok(responses.every(({ status }) => [200, 201, 400, 404].includes(status)))
    }
    const orphans = await db
      .selectFrom(names.views)
      .leftJoin(names.products, `${names.products}.ID`, `${names.views}.product_id`)
      .select(`${names.views}.ID`)
      .where(`${names.products}.ID`, 'is', null)
      .execute()
    t.strictSame(orphans, [])
    const assigned = await db
      .selectFrom(names.category_products)
      .selectAll()
      .where('category_id', '=', category)
      .execute()
    t.strictSame(assigned, [])
  })

  await t.test('100 changes of one option at once lose none', async (t) => {
    const marks = times(100, String)
    await Promise.all(
      peers.map((peer, at) =>
        peer.order({ do: 'append', key: 'svc_test_marks', marks: marks.filter((_, i) => i % 2 === at) }),
      ),
    )
    const row = await db
      .selectFrom(names.options)
      .select('option_value')
      .where('option_name', '=', 'svc_test_marks')
      .executeTakeFirstOrThrow()
    t.strictSame(row.option_value.split(',').filter(Boolean).toSorted(), marks.toSorted())
  })
})

t.test('50 requests to each of two processes end up with one token, which works in both', async (t) => {
  for (const before of ['empty', 'absent']) {
    await t.test(`the row was ${before}`, (t) =>
      onEachEngine(t, async (t, engine) => {
        const { db, t: names, address } = await build(t, { engine })
        const row = () =>
          db.selectFrom(names.options).select('option_value').where('option_name', '=', 'svc_api_token')
        if (before === 'absent')
          await db.deleteFrom(names.options).where('option_name', '=', 'svc_api_token').execute()
        else
          await db
            .updateTable(names.options)
            .set({ option_value: '' })
            .where('option_name', '=', 'svc_api_token')
            .execute()
        const peers = await servingPeers(t, address, token)
        const first = await sendConcurrently(
          peers,
          times(100, () => ({ method: 'GET', path: '/system' })),
        )
        t.ok(first.every(({ status }) => status === 401 || status === 403))
        const rows = await row().execute()
        t.equal(rows.length, 1)
        const made = rows[0]?.option_value ?? ''
        t.match(made, /^[0-9a-f]{64}$/)
        const then = await sendConcurrently(
          peers,
          times(4, () => ({ method: 'GET', path: '/system', token: made })),
        )
        t.strictSame(counts(then), { 200: 4 })
      }),
    )
  }
})
