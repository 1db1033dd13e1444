// Design categories: the list with its counts, one with its designs, the rules of the tree, and rows of other writers.
import t, { type Test } from 'tap'
import type { TestHost } from '../support/hosts/build.ts'
import { rulesOn } from '../support/hosts/shared-host.ts'

interface Library extends TestHost {
  /** Creates a category and returns its id. */
  add(title: string, fields?: object): Promise<number>
  /** Titles of a list. */
  titles(query?: string): Promise<string[]>
  parentOf(id: number): Promise<number>
}

const onHost = rulesOn(t, ['designs'])
const rule = (name: string, run: (t: Test, library: Library) => Promise<void>) =>
  onHost(name, (t, host) => run(t, libraryOn(host)))

function libraryOn(host: TestHost): Library {
  const { call } = host
  return {
    ...host,
    add: async (title, fields = {}) =>
      (await call('POST', '/design-categories', { title, ...fields })).body.data.category_data.id,
    titles: async (query = '') =>
      (await call('GET', `/design-categories?limit=-1&${query}`)).body.data.map(
        (item: { title: string }) => item.title,
      ),
    parentOf: async (id) => (await call('GET', `/design-categories/${id}`)).body.data.category_data.parent_id,
  }
}

const designs = [
  { title: 'Löwe', image: 'https://shop.example/a.png', parameters: { z: 1, colors: '#000' }, vendor: [1] },
  { title: 'Bär', image: 'b.svg', thumbnail: 'b.png' },
]

rule('a new category responds 201 with its URL, and as GET returns it', async (t, { call }) => {
  const made = await call('POST', '/design-categories', {
    title: '  Animals ',
    options: { b: 1, a: { '10': 'x', ü: '😀' } },
    thumbnail: 'a.png',
    designs,
    order: 3,
  })
  t.equal(made.status, 201)
  t.equal(made.headers.location, 'https://shop.example/wp-json/svc/v1/design-categories/1')
  const options = { b: 1, a: { '10': 'x', ü: '😀' } }
  t.strictSame(made.body.data, {
    id: 1,
    category_data: {
      id: 1,
      title: 'Animals',
      thumbnail: 'a.png',
      parent_id: 0,
      order: 3,
      options,
      parameters: options,
    },
    designs,
  })
  const read = await call('GET', '/design-categories/1')
  t.strictSame(read.body, made.body)
  t.equal(read.headers.etag, made.headers.etag)
})

rule('without optional fields, a category is an empty root with order 0', async (t, { call }) => {
  const { body } = await call('POST', '/design-categories', { title: 'A' })
  t.match(body.data, { category_data: { parent_id: 0, order: 0, thumbnail: '', options: {} }, designs: [] })
})

rule(
  'the list is flat, ordered by parent, order and title, and counts designs and children',
  async (t, { call, add, titles }) => {
    const b = await add('b', { order: 1 })
    await add('Z', { order: 0 })
    await add('a', { order: 1 })
    await add('child 2', { parent_id: b, order: 2 })
    await add('child 1', { parent_id: b, order: 1, designs })
    t.strictSame(await titles(), ['Z', 'a', 'b', 'child 1', 'child 2'])
    const { body, headers } = await call('GET', '/design-categories')
    t.strictSame(body.meta, { page: 1, limit: 20, total: 5, pages: 1 })
    t.equal(headers['x-wp-total'], '5')
    t.match(body.data[2], { id: b, title: 'b', designs_count: 0, children_count: 2 })
    t.match(body.data[3], { parent_id: b, designs_count: 2, children_count: 0 })
    t.notOk('designs' in body.data[3])
  },
)

rule('the list has pages, and limit -1 returns all of it', async (t, { call, add }) => {
  for (let i = 0; i < 23; i++) await add(`Category ${String(i).padStart(2, '0')}`)
  const second = await call('GET', '/design-categories?page=2')
  t.strictSame(second.body.meta, { page: 2, limit: 20, total: 23, pages: 2 })
  t.equal(second.body.data.length, 3)
  t.match(second.headers.link, /page=1>; rel="prev"/)
  const all = await call('GET', '/design-categories?limit=-1')
  t.strictSame(all.body.meta, { page: 1, limit: -1, total: 23, pages: 1 })
  t.equal(all.body.data.length, 23)
  t.strictSame((await call('GET', '/design-categories?limit=-1&page=2')).body.data, [])
  for (const limit of ['0', '-2', '101', '1e1', 'all'])
    t.match(await call('GET', `/design-categories?limit=${limit}`), {
      status: 400,
      body: { code: 'rest_invalid_param' },
    })
})

rule(
  'only_roots, parent_id, search and include filter the list and its total',
  async (t, { call, add, titles }) => {
    const animals = await add('ÄNIMALS 100%')
    const cats = await add('Cats_and', { parent_id: animals })
    await add('Catsxand')
    t.strictSame(await titles('only_roots=1'), ['Catsxand', 'ÄNIMALS 100%'])
    t.strictSame(await titles(`parent_id=${animals}`), ['Cats_and'])
    t.strictSame(await titles('parent_id=0'), ['Catsxand', 'ÄNIMALS 100%'])
    t.strictSame(await titles('search=cats_'), ['Cats_and'])
    t.strictSame(await titles(`search=${encodeURIComponent('änimals 100%')}`), ['ÄNIMALS 100%'])
    t.strictSame(await titles('search=anim'), [])
    t.strictSame(await titles('search=%25'), ['ÄNIMALS 100%'])
    t.strictSame(await titles(`include=${cats},999`), ['Cats_and'])
    t.equal((await call('GET', '/design-categories?search=cats')).body.meta.total, 2)
  },
)

rule('fields selects the fields of an item, and the two parts of one category', async (t, { call, add }) => {
  const id = await add('A', { designs })
  t.strictSame((await call('GET', '/design-categories?fields=id,designs_count')).body.data, [
    { id, designs_count: 2 },
  ])
  t.strictSame((await call('GET', `/design-categories/${id}?fields=designs`)).body.data, { designs })
  t.equal((await call('GET', '/design-categories?fields=designs')).status, 400)
})

rule('an unknown category gives 404 on every method', async (t, { call }) => {
  for (const [method, body] of [['GET'], ['PATCH', { title: 'x' }], ['DELETE']] as const)
    t.match(await call(method, '/design-categories/9', body), {
      status: 404,
      body: { code: 'svc_design_category_not_found' },
    })
  t.match(await call('GET', '/design-categories/1abc'), { status: 404, body: { code: 'rest_no_route' } })
})

rule('a category as its own parent, or an unknown parent, gives 400', async (t, { call, add }) => {
  const id = await add('A')
  t.match(await call('PATCH', `/design-categories/${id}`, { parent_id: id }), {
    status: 400,
    body: { code: 'rest_invalid_param', data: { params: { parent_id: /itself/ } } },
  })
  for (const result of [
    await call('PATCH', `/design-categories/${id}`, { parent_id: 77 }),
    await call('POST', '/design-categories', { title: 'B', parent_id: 77 }),
  ])
    t.match(result, { status: 400, body: { message: /77/, data: { params: { parent_id: /77/ } } } })
})

rule(
  'a move below a descendant gives 400 as a cycle, any other move 200',
  async (t, { call, add, parentOf }) => {
    const a = await add('A')
    const b = await add('B', { parent_id: a })
    const c = await add('C', { parent_id: b })
    for (const target of [b, c])
      t.match(await call('PATCH', `/design-categories/${a}`, { parent_id: target }), {
        status: 400,
        body: { code: 'svc_design_category_cycle' },
      })
    t.equal((await call('PATCH', `/design-categories/${c}`, { parent_id: 0 })).status, 200)
    t.equal((await call('PATCH', `/design-categories/${a}`, { parent_id: c })).status, 200)
    t.equal(await parentOf(a), c)
  },
)

rule(
  'of two concurrent moves that together form a cycle, one gives 400',
  async (t, { call, add, parentOf }) => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await add('A'), await add('B')]
      const results = await Promise.all([
        call('PATCH', `/design-categories/${a}`, { parent_id: b }),
        call('PATCH', `/design-categories/${b}`, { parent_id: a }),
      ])
      t.strictSame(results.map(({ status }) => status).sort(), [200, 400])
      t.equal([await parentOf(a), await parentOf(b)].filter((parent) => parent === 0).length, 1)
    }
  },
)

rule(
  'the children of a deleted category move up, and its designs are deleted',
  async (t, { call, add, parentOf }) => {
    const a = await add('A')
    const b = await add('B', { parent_id: a, designs })
    const c = await add('C', { parent_id: b })
    t.strictSame((await call('DELETE', `/design-categories/${b}`)).body, {
      success: true,
      data: { id: b, deleted: true },
    })
    t.equal(await parentOf(c), a)
    await call('DELETE', `/design-categories/${a}`)
    t.equal(await parentOf(c), 0)
  },
)

rule(
  'children become roots where the deleted category was in a cycle or without a parent',
  async (t, library) => {
    const { call, add, parentOf, db, t: names } = library
    const [a, b, lost] = [await add('A'), await add('B'), await add('Lost')]
    const child = await add('Child', { parent_id: lost })
    const put = (id: number, parent_id: number) =>
      db.updateTable(names.designs).set({ parent_id }).where('ID', '=', id).execute()
    await put(a, b)
    await put(b, a)
    await put(lost, 999)
    t.equal((await call('DELETE', `/design-categories/${a}`)).status, 200)
    t.equal(await parentOf(b), 0)
    await call('DELETE', `/design-categories/${lost}`)
    t.equal(await parentOf(child), 0)
  },
)

rule('PATCH replaces the given fields and leaves the rest', async (t, { call, add }) => {
  const id = await add('A', { options: { keep: 1 }, designs })
  const { body } = await call('PATCH', `/design-categories/${id}`, {
    title: ' B ',
    options: { only: 2 },
    order: -4,
  })
  t.match(body.data.category_data, { title: 'B', order: -4 })
  t.strictSame(body.data.category_data.options, { only: 2 })
  t.strictSame(body.data.designs, designs)
  t.match(await call('PATCH', `/design-categories/${id}`, {}), {
    status: 400,
    body: { code: 'rest_missing_callback_param' },
  })
})

rule(
  'what was read can be sent back; another value of a read-only field gives 400',
  async (t, { call, add }) => {
    const id = await add('A', { options: { a: 1 }, designs })
    const path = `/design-categories/${id}`
    const { body } = await call('GET', path)
    const item = (await call('GET', '/design-categories')).body.data[0]
    t.equal((await call('PATCH', path, item)).status, 200)
    t.equal((await call('PATCH', path, body.data)).status, 200)
    t.equal((await call('PATCH', path, body.data.category_data)).status, 200)
    for (const wrong of [{ id: 99 }, { children_count: 3 }, { parameters: {} }])
      t.equal((await call('PATCH', path, { title: 'B', ...wrong })).status, 400)
  },
)

rule('category_data alone can be sent back, and changes nothing', async (t, { call, add }) => {
  const id = await add('A', { options: { a: 1 }, designs })
  const path = `/design-categories/${id}`
  const before = await call('GET', path)
  const { category_data } = before.body.data
  for (const body of [{ id, category_data }, { category_data }]) {
    const { status, body: response, headers } = await call('PATCH', path, body)
    t.strictSame([status, response.data, headers.etag], [200, before.body.data, before.headers.etag])
  }
  t.match(await call('PATCH', path, { id, category_data: { ...category_data, title: 'B' } }), {
    status: 400,
    body: { data: { params: { category_data: /^cannot be changed/ } } },
  })
  t.match(await call('PATCH', path, { id }), { status: 400, body: { code: 'rest_missing_callback_param' } })
})

rule('values of a wrong type give 400 with all their names', async (t, { call }) => {
  const { status, body } = await call('POST', '/design-categories', {
    title: ' ',
    options: [1],
    designs: {},
    parent_id: '1',
    order: 1.5,
    thumbnail: null,
    color: 'red',
  })
  t.equal(status, 400)
  t.strictSame(Object.keys(body.data.params).sort(), [
    'color',
    'designs',
    'options',
    'order',
    'parent_id',
    'thumbnail',
    'title',
  ])
  t.match(await call('POST', '/design-categories', {}), {
    status: 400,
    body: { data: { params: ['title'] } },
  })
})

rule('designs in a legacy encoding are read, and kept until they are written', async (t, library) => {
  const { call, add, db, t: names } = library
  const slashed = JSON.stringify([{ title: 'O"Neil', image: 'a' }]).replace(/["\\]/g, '\\$&')
  const php = 'a:1:{i:0;a:2:{s:5:"title";s:1:"x";s:5:"image";s:1:"y";}}'
  const html = '{&quot;a&quot;:1}'
  const id = await add('A')
  await db.updateTable(names.designs).set({ designs: slashed, options: html }).where('ID', '=', id).execute()
  const { body } = await call('GET', `/design-categories/${id}`)
  t.strictSame(body.data.designs, [{ title: 'O"Neil', image: 'a' }])
  t.strictSame(body.data.category_data.options, { a: 1 })
  await db.updateTable(names.designs).set({ designs: php, options: '' }).where('ID', '=', id).execute()
  t.strictSame((await call('GET', '/design-categories')).body.data[0].designs_count, 1)
  await call('PATCH', `/design-categories/${id}`, { title: 'B' })
  const row = await db.selectFrom(names.designs).selectAll().executeTakeFirstOrThrow()
  t.match(row, { title: 'B', designs: php, options: '' })
})

rule(
  'an unreadable value is null in the list, gives 500 alone, and survives other writes',
  async (t, library) => {
    const { call, add, db, t: names } = library
    const id = await add('A')
    await db.updateTable(names.designs).set({ designs: '{broken' }).execute()
    const { body } = await call('GET', '/design-categories')
    t.strictSame(body.meta.unreadable, [{ id, column: 'designs' }])
    t.equal(body.data[0].designs_count, null)
    t.match(await call('GET', `/design-categories/${id}`), {
      status: 500,
      body: { code: 'svc_unreadable_value', data: { table: names.designs, row: id, column: 'designs' } },
    })
    t.equal((await call('GET', `/design-categories/${id}?fields=category_data`)).status, 200)
    const written = await call('PATCH', `/design-categories/${id}`, { title: 'B' })
    t.match(written, {
      status: 200,
      body: { data: { designs: null }, meta: { unreadable: [{ id, column: 'designs' }] } },
    })
    t.equal((await call('PATCH', `/design-categories/${id}`, { designs })).status, 200)
    t.strictSame((await call('GET', `/design-categories/${id}`)).body.data.designs, designs)
  },
)

rule('If-None-Match gives 304, a stale If-Match gives 412 for PATCH and DELETE', async (t, { call, add }) => {
  const id = await add('A')
  const path = `/design-categories/${id}`
  const { headers } = await call('GET', path)
  t.equal((await call('GET', path, undefined, { 'if-none-match': headers.etag })).status, 304)
  t.equal((await call('PATCH', path, { title: 'B' }, { 'if-match': headers.etag })).status, 200)
  for (const method of ['PATCH', 'DELETE'])
    t.match(
      await call(method, path, method === 'PATCH' ? { title: 'C' } : undefined, { 'if-match': headers.etag }),
      {
        status: 412,
        body: { code: 'svc_precondition_failed' },
      },
    )
  t.match(await call('HEAD', path), { status: 200, text: '' })
})

rule('designs that PHP stored as a list with gaps are counted', async (t, { call, db, t: tables }) => {
  for (const stored of [
    '{"0":{"title":"a"},"2":{"title":"c"}}',
    'a:1:{i:3;a:1:{s:5:"title";s:1:"a";}}',
    '{}',
  ])
    await db
      .insertInto(tables.designs)
      .values({ title: 'x', options: '{}', thumbnail: '', designs: stored, parent_id: 0, category_order: 0 })
      .execute()
  const { body } = await call('GET', '/design-categories?fields=designs_count')
  t.strictSame(body.data, [{ designs_count: 2 }, { designs_count: 1 }, { designs_count: 0 }])
  t.equal((await call('GET', '/system')).body.data.counts.designs, 3)
})
