// Stored values that cannot be read: reported, never guessed, never lost by a write to another property.

import { newCategory, newProduct, newView } from '../../support/fixtures/rows.ts'
import type { TestHost } from '../../support/hosts/build.ts'
import { rule, ruleOnce } from '../../support/hosts/fresh-host.ts'

const broken = [
  '{"a":1',
  'a:1:{s:1:"a";O:8:"stdClass":0:{}}',
  'O:8:"stdClass":0:{}',
  'b:1',
  'plain text',
  `{${'\\'.repeat(127)}"a":1}`,
  's:5:"short";',
]

async function store({ db, t }: TestHost, options: string): Promise<void> {
  await db.updateTable(t.products).set({ options }).execute()
}

rule(
  'one product whose options cannot be read is 500 with table, row and column, and no value',
  async (t, host) => {
    const id = await newProduct(host)
    for (const value of broken) {
      await store(host, value)
      const { status, body, text } = await host.call('GET', `/products/${id}`)
      t.strictSame([status, body.code], [500, 'svc_unreadable_value'], value)
      const { request_id, ...data } = body.data
      t.strictSame(data, { status: 500, table: 'wp_svc_products', row: id, column: 'options' })
      t.type(request_id, 'string')
      t.notOk(text.includes(value))
    }
  },
)

ruleOnce('a request without the unreadable property gets the rest', async (t, host) => {
  const id = await newProduct(host)
  await store(host, '{broken')
  const { status, body } = await host.call('GET', `/products/${id}?fields=id,title`)
  t.strictSame([status, body.data], [200, { id, title: 'Shirt' }])
  t.notOk(body.meta)
  t.equal((await host.call('GET', `/products/${id}?fields=options`)).status, 500)
})

ruleOnce('in a list the item stands with null there, and meta names it', async (t, host) => {
  const [good, bad] = [await newProduct(host), await newProduct(host)]
  await host.db.updateTable(host.t.products).set({ options: '{broken' }).where('ID', '=', bad).execute()
  const { status, body } = await host.call('GET', '/products?order=asc')
  t.equal(status, 200)
  t.strictSame(
    body.data.map((item: { options: unknown }) => item.options),
    [{}, null],
  )
  t.strictSame(body.meta.unreadable, [{ id: bad, column: 'options' }])
  t.notOk(
    'unreadable' in (await host.call('GET', '/products?fields=id')).body.meta,
    'what is not asked is not said',
  )
  t.notOk('unreadable' in (await host.call('GET', `/products?include=${good}`)).body.meta)
})

ruleOnce('views inside products and lists of views say so, too', async (t, host) => {
  const product = await newProduct(host)
  const view = await newView(host, product)
  await host.db.updateTable(host.t.views).set({ elements: '[broken', options: 'x' }).execute()
  const { body: list } = await host.call('GET', `/products/${product}/views`)
  t.match(list.data, [{ elements: null, options: null }])
  t.strictSame(list.meta.unreadable, [
    { id: view, column: 'elements' },
    { id: view, column: 'options' },
  ])
  const lost = ['elements', 'options'].map((column) => ({ id: view, column, table: 'wp_svc_views' }))
  for (const path of [`/products/${product}?include_views=1`, '/products?include_views=1']) {
    const { status, body } = await host.call('GET', path)
    t.strictSame([status, body.meta.unreadable], [200, lost], path)
  }
  t.match(await host.call('GET', `/views/${view}`), {
    status: 500,
    body: { data: { row: view, column: 'elements' } },
  })
  t.equal(
    (await host.call('GET', `/products/${product}`)).status,
    200,
    'without its views the product is whole',
  )
})

rule('writing another property works and keeps the bytes', async (t, host) => {
  const product = await newProduct(host)
  const view = await newView(host, product)
  const category = await newCategory(host, 'Cups')
  for (const value of broken) {
    await store(host, value)
    await host.db.updateTable(host.t.views).set({ elements: value, options: value }).execute()
    const written = await host.call('PATCH', `/products/${product}`, {
      title: value.slice(0, 3),
      categories: [category],
    })
    t.strictSame([written.status, written.body.data.options], [200, null], value)
    t.strictSame(written.body.meta.unreadable, [{ id: product, column: 'options' }])
    const { status, body } = await host.call('PATCH', `/views/${view}`, { title: 'Changed', elements: [1] })
    t.strictSame([status, body.data.elements, body.data.options], [200, [1], null])
    const row = await host.db.selectFrom(host.t.products).select('options').executeTakeFirstOrThrow()
    const viewRow = await host.db.selectFrom(host.t.views).select('options').executeTakeFirstOrThrow()
    t.strictSame([row.options, viewRow.options], [value, value])
  }
})

ruleOnce('writing the unreadable property replaces it', async (t, host) => {
  const product = await newProduct(host)
  const view = await newView(host, product)
  await store(host, 'O:8:"stdClass":0:{}')
  await host.db.updateTable(host.t.views).set({ elements: '[broken', options: '{broken' }).execute()
  const { body } = await host.call('PATCH', `/products/${product}?merge=false`, { options: { a: 1 } })
  t.strictSame([body.data.options, body.meta], [{ a: 1 }, undefined])
  await host.call('PATCH', `/views/${view}?merge=0`, { elements: [1], options: { b: null, c: 2 } })
  t.strictSame((await host.call('GET', `/views/${view}`)).body.data.options, { b: null, c: 2 })
})

rule(
  'merging into options that cannot be read as an object is 409, and nothing is written',
  async (t, host) => {
    const product = await newProduct(host)
    const view = await newView(host, product)
    for (const value of [...broken, '[1,2]', '"text"', '7', 'a:2:{i:0;s:1:"a";i:1;s:1:"b";}']) {
      await host.db.updateTable(host.t.products).set({ options: value }).execute()
      await host.db.updateTable(host.t.views).set({ options: value }).execute()
      for (const [path, table, row] of [
        [`/products/${product}`, 'wp_svc_products', product],
        [`/views/${view}`, 'wp_svc_views', view],
      ] as const) {
        const { status, body } = await host.call('PATCH', path, { title: 'Changed', options: { a: 1 } })
        t.strictSame([status, body.code], [409, 'svc_unreadable_value'], value)
        t.match(body.message, /\?merge=false/)
        t.strictSame(body.data, { status: 409, table, row, column: 'options' })
      }
      const rows = await Promise.all([
        host.db.selectFrom(host.t.products).select(['title', 'options']).executeTakeFirstOrThrow(),
        host.db.selectFrom(host.t.views).select(['title', 'options']).executeTakeFirstOrThrow(),
      ])
      t.same(rows, [
        { title: 'Shirt', options: value },
        { title: 'Front', options: value },
      ])
    }
  },
)

ruleOnce(
  'merging into options that PHP wrote without properties adds to an empty object',
  async (t, host) => {
    const product = await newProduct(host)
    for (const value of ['[]', 'a:0:{}', 'null', '', '{}']) {
      await store(host, value)
      const { status, body } = await host.call('PATCH', `/products/${product}`, { options: { a: 1 } })
      t.strictSame([status, body.data.options], [200, { a: 1 }], value)
    }
  },
)

ruleOnce('options that hold nulls can be sent back as they were read', async (t, host) => {
  const product = await newProduct(host)
  const view = await newView(host, product)
  const options = '{"a": null, "b": {"c": null, "n": 12345678901234567890}}'
  await host.db.updateTable(host.t.products).set({ options }).execute()
  await host.db.updateTable(host.t.views).set({ options }).execute()
  for (const path of [`/products/${product}`, `/views/${view}`]) {
    const { text, body } = await host.call('GET', path)
    const sent = await host.call('PATCH', path, body.data)
    t.strictSame([sent.status, sent.text], [200, text])
  }
  const { body } = await host.call('PATCH', `/views/${view}`, { options: { a: null } })
  t.strictSame(Object.keys(body.data.options), ['b'], 'a null in a patch still removes a property')
})

rule('copies take the broken bytes along, and moves and orders do not mind them', async (t, host) => {
  const product = await newProduct(host)
  const [view, other] = [await newView(host, product), await newView(host, product)]
  await store(host, '{broken')
  await host.db.updateTable(host.t.views).set({ elements: '[broken' }).where('ID', '=', view).execute()
  const copy = await host.call('POST', '/products?include_views=1', { duplicate_product_id: product })
  t.strictSame([copy.status, copy.body.data.options, copy.body.data.views[0].elements], [201, null, null])
  t.equal((await host.call('POST', `/views/${view}/duplicate`)).status, 201)
  const stored = await host.db
    .selectFrom(host.t.views)
    .select('ID')
    .where('elements', '=', '[broken')
    .execute()
  t.equal(stored.length, 3)
  t.equal((await host.call('PATCH', `/views/${other}`, { product_id: copy.body.data.id })).status, 200)
  t.equal((await host.call('DELETE', `/views/${view}`)).status, 200)
})

ruleOnce('values in legacy encodings are read', async (t, host) => {
  const id = await newProduct(host)
  const meant = { a: [1, 'x"y'], ü: null }
  const text = JSON.stringify(meant)
  const slashed = (layers: number): string =>
    layers === 0 ? text : slashed(layers - 1).replace(/[\\"']/g, '\\$&')
  const php = 'a:2:{s:1:"a";a:2:{i:0;i:1;i:1;s:3:"x"y";}s:2:"ü";N;}'
  const encodings = [
    text,
    slashed(1),
    slashed(2),
    slashed(5),
    text.replace(/"/g, '&quot;'),
    php,
    ` ${text}\n`,
  ]
  for (const value of encodings) {
    await store(host, value)
    const [one, list] = [await host.call('GET', `/products/${id}`), await host.call('GET', '/products')]
    t.strictSame(one.body.data?.options, meant, value)
    t.strictSame(list.body.data[0].options, meant)
  }
  await store(host, slashed(6))
  t.equal((await host.call('GET', `/products/${id}`)).status, 500, 'six layers are not read')
})

ruleOnce(
  'valid JSON of others is handed out unchanged, and an empty column as what it is for',
  async (t, host) => {
    const product = await newProduct(host)
    const view = await newView(host, product)
    const stored = '{ "b":1, "a":12345678901234567890, "u":"\\u00e4\\/", "b":1.10, "10":0, "2":0 }'
    await store(host, stored)
    t.ok((await host.call('GET', `/products/${product}`)).text.includes(`"options":${stored},`))
    t.ok((await host.call('GET', '/products')).text.includes(`"options":${stored},`))
    for (const empty of ['', null, '  ']) {
      await host.db.updateTable(host.t.products).set({ options: empty }).execute()
      await host.db
        .updateTable(host.t.views)
        .set({ options: empty, elements: empty ?? 'a:0:{}' })
        .execute()
      t.strictSame((await host.call('GET', `/products/${product}`)).body.data.options, {})
      t.match((await host.call('GET', `/views/${view}`)).body.data, { elements: [], options: {} })
    }
  },
)
