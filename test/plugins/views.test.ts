// /views/{id}: single views, moves and copies.
import t from 'tap'
import { newProduct, newView, storedOrder } from '../support/fixtures/rows.ts'
import { catalogTables, rulesOn } from '../support/hosts/shared-host.ts'

const rule = rulesOn(t, [...catalogTables, 'orders'])

rule('PATCH changes the given fields and nothing else', async (t, host) => {
  const view = await newView(host, await newProduct(host), { elements: [1], options: { a: { b: 1, c: 2 } } })
  let expected = (await host.call('GET', `/views/${view}`)).body.data
  for (const [change, after] of [
    [{ title: 'New' }, { title: 'New' }],
    [{ thumbnail: 'x.png' }, { thumbnail: 'x.png' }],
    [{ elements: [{ a: 1 }, 2] }, { elements: [{ a: 1 }, 2] }],
    [{ elements: [] }, { elements: [] }],
    [{ options: { a: { b: null, d: 3 }, e: [] } }, { options: { a: { c: 2, d: 3 }, e: [] } }],
    [{ options: {} }, {}],
  ] as const) {
    const { status, body } = await host.call('PATCH', `/views/${view}`, change)
    expected = { ...expected, ...after }
    t.strictSame([status, body.data], [200, expected], JSON.stringify(change))
  }
  t.strictSame((await host.call('GET', `/views/${view}`)).body.data, expected)
})

rule('a move appends the view to the other product, and leaves no gaps', async (t, host) => {
  const [from, to] = [await newProduct(host), await newProduct(host)]
  for (const title of ['A', 'B', 'C']) await newView(host, from, { title })
  for (const title of ['X', 'Y']) await newView(host, to, { title })
  const { status, body } = await host.call('PATCH', '/views/1', { product_id: to, title: 'Moved' })
  t.strictSame([status, body.data.product_id, body.data.order, body.data.title], [200, to, 2, 'Moved'])
  t.strictSame(await storedOrder(host, from), [
    ['B', 0],
    ['C', 1],
  ])
  t.strictSame(await storedOrder(host, to), [
    ['X', 0],
    ['Y', 1],
    ['Moved', 2],
  ])
})

rule('a move to the same product keeps the position', async (t, host) => {
  const product = await newProduct(host)
  for (const title of ['A', 'B']) await newView(host, product, { title })
  t.equal((await host.call('PATCH', '/views/1', { product_id: product })).status, 200)
  t.strictSame(await storedOrder(host, product), [
    ['A', 0],
    ['B', 1],
  ])
})

rule('a move to an unknown product gives 400 with its id, and nothing is written', async (t, host) => {
  const product = await newProduct(host)
  await newView(host, product)
  const { status, body } = await host.call('PATCH', '/views/1', {
    title: 'Changed',
    options: { a: 1 },
    product_id: 999,
  })
  t.strictSame([status, body.data.params], [400, { product_id: 'names products that do not exist: 999' }])
  t.match((await host.call('GET', '/views/1')).body.data, {
    title: 'Front',
    product_id: product,
    options: {},
  })
})

rule('a copy is placed right after its source, with all blobs', async (t, host) => {
  const product = await newProduct(host)
  await newView(host, product, { title: 'A', thumbnail: 'a.png', elements: [{ a: 1 }], options: { o: 1 } })
  await newView(host, product, { title: 'B' })
  const { status, body } = await host.call('POST', '/views/1/duplicate', {})
  t.equal(status, 201)
  t.strictSame(body.data, {
    id: 3,
    product_id: product,
    title: 'A (Copy)',
    thumbnail: 'a.png',
    elements: [{ a: 1 }],
    options: { o: 1 },
    order: 1,
  })
  t.equal((await host.call('POST', '/views/2/duplicate', { title: 'End' })).body.data.order, 3)
  t.strictSame(await storedOrder(host, product), [
    ['A', 0],
    ['A (Copy)', 1],
    ['B', 2],
    ['End', 3],
  ])
})

rule('a copy among disordered views is placed right after its source too', async (t, host) => {
  const product = await newProduct(host)
  for (const [title, view_order] of [
    ['A', 5],
    ['B', 5],
    ['C', 5],
  ] as const) {
    await host.db.insertInto(host.t.views).values({ product_id: product, title, view_order }).execute()
  }
  t.equal((await host.call('POST', '/views/2/duplicate')).body.data.order, 2)
  t.strictSame(await storedOrder(host, product), [
    ['A', 0],
    ['B', 1],
    ['B (Copy)', 2],
    ['C', 3],
  ])
})

rule('deleting a view closes the gap', async (t, host) => {
  const product = await newProduct(host)
  for (const title of ['A', 'B', 'C']) await newView(host, product, { title })
  t.strictSame((await host.call('DELETE', '/views/2')).body, {
    success: true,
    data: { id: 2, deleted: true },
  })
  t.strictSame(await storedOrder(host, product), [
    ['A', 0],
    ['C', 1],
  ])
})

rule('an unknown view gives 404 with the view’s own code', async (t, { call }) => {
  for (const [method, path, body] of [
    ['GET', '/views/9', undefined],
    ['PATCH', '/views/9', { title: 'x' }],
    ['PATCH', '/views/9', { options: {} }],
    ['DELETE', '/views/9', undefined],
    ['POST', '/views/9/duplicate', {}],
  ] as const) {
    t.match(
      await call(method, path, body),
      { status: 404, body: { code: 'svc_view_not_found' } },
      `${method} ${path}`,
    )
  }
})

rule('concurrent moves, copies and deletes leave positions without gaps or duplicates', async (t, host) => {
  const products = [await newProduct(host), await newProduct(host)]
  for (let i = 0; i < 10; i++) await newView(host, Number(products[i % 2]), { title: `${i}` })
  const work = Array.from({ length: 10 }, (_, i) => {
    if (i % 5 === 4) return host.call('POST', `/views/${i + 1}/duplicate`)
    if (i % 5 === 3) return host.call('DELETE', `/views/${i + 1}`)
    return host.call('PATCH', `/views/${i + 1}`, { product_id: products[(i + 1) % 2] })
  })
  t.ok((await Promise.all(work)).every(({ status }) => status < 300))
  for (const product of products) {
    const orders = (await storedOrder(host, product)).map(([, order]) => order)
    t.strictSame(
      orders,
      orders.map((_, i) => i),
    )
  }
})

rule('concurrent merges lose nothing', async (t, host) => {
  await newView(host, await newProduct(host))
  const merges = Array.from({ length: 20 }, (_, i) =>
    host.call('PATCH', '/views/1', { options: { [`k${i}`]: i } }),
  )
  t.ok((await Promise.all(merges)).every(({ status }) => status === 200))
  t.equal(Object.keys((await host.call('GET', '/views/1')).body.data.options).length, 20)
})

rule('order in a response is the position, whatever numbers are stored', async (t, host) => {
  const product = await newProduct(host)
  const other = await newProduct(host)
  const ids: number[] = []
  for (const title of ['A', 'B', 'C', 'D']) ids.push(await newView(host, product, { title }))
  await newView(host, other, { title: 'Foreign' })
  const [a, b, c, d] = ids as [number, number, number, number]
  // PHP takes MAX + 1 in two concurrent requests.
  for (const [stored, expected] of [
    [
      [7, 7, 7, 7],
      [a, b, c, d],
    ],
    [
      [3, 1, 1, 9],
      [b, c, a, d],
    ],
    [
      [0, 5, 0, -2],
      [d, a, c, b],
    ],
    [
      [0, 1, 1, 2],
      [a, b, c, d],
    ],
  ] as const) {
    for (const [i, view_order] of stored.entries())
      await host.db
        .updateTable(host.t.views)
        .set({ view_order })
        .where('ID', '=', ids[i] ?? 0)
        .execute()
    const orders = expected.map((id, order) => ({ id, order }))
    const shown = (views: { id: number; order: number }[]) => views.map(({ id, order }) => ({ id, order }))
    const { body: list } = await host.call('GET', `/products/${product}/views`)
    t.strictSame(shown(list.data), orders)
    const { body: one } = await host.call('GET', `/products/${product}?include_views=1`)
    t.strictSame(shown(one.data.views), orders)
    const { body: all } = await host.call('GET', '/products?include_views=1')
    t.strictSame(
      all.data.map(({ views }: { views: never[] }) => shown(views)[0]?.order),
      [0, 0],
    )
    t.strictSame(shown(all.data.find(({ id }: { id: number }) => id === product).views), orders)
    for (const { id, order } of orders) {
      const { body, headers } = await host.call('GET', `/views/${id}`)
      t.equal(body.data.order, order)
      const sent = await host.call('PATCH', `/views/${id}`, body.data, { 'if-match': headers.etag })
      t.strictSame([sent.status, sent.body.data], [200, body.data])
      const only = await host.call('GET', `/products/${product}/views?include=${id}&fields=id,order`)
      t.strictSame(only.body.data, [{ id, order }])
    }
  }
})

rule('the tag of a view changes with its position, although its row does not', async (t, host) => {
  const product = await newProduct(host)
  const [first, second] = [await newView(host, product), await newView(host, product)]
  const { headers } = await host.call('GET', `/views/${second}`)
  await host.db.updateTable(host.t.views).set({ view_order: 9 }).where('ID', '=', first).execute()
  const { status, body } = await host.call('GET', `/views/${second}`, undefined, {
    'if-none-match': headers.etag,
  })
  t.strictSame([status, body.data.order], [200, 0])
})

rule('writes at a position count positions, whatever numbers are stored', async (t, host) => {
  const product = await newProduct(host)
  const target = await newProduct(host)
  const ids: number[] = []
  for (const title of ['A', 'B', 'C']) ids.push(await newView(host, product, { title }))
  await newView(host, target, { title: 'T' })
  const titles = async (id: number) => {
    const { body } = await host.call('GET', `/products/${id}/views`)
    t.strictSame(
      body.data.map(({ order }: { order: number }) => order),
      [...body.data.keys()],
    )
    return body.data.map(({ title }: { title: string }) => title).join('')
  }
  const disturb = () => host.db.updateTable(host.t.views).set({ view_order: 5 }).execute()
  await disturb()
  await newView(host, product, { title: 'N', order: 1 })
  t.equal(await titles(product), 'ANBC')
  await disturb()
  await host.call('POST', `/views/${ids[0]}/duplicate`, { title: 'D' })
  t.equal(await titles(product), 'ADBCN')
  await disturb()
  const { body } = await host.call('GET', `/products/${product}/views`)
  const reversed = body.data.map(({ id }: { id: number }) => ({ id })).reverse()
  await host.call('PATCH', `/products/${product}`, { sorted_views: reversed })
  t.equal(await titles(product), 'DNCBA')
  await disturb()
  await host.call('PATCH', `/views/${ids[1]}`, { product_id: target })
  t.equal(await titles(target), 'TB')
  t.equal(await titles(product), 'ACND')
})
