// Conditional requests: what the client holds is not sent again, and what has changed is not overwritten unseen.
import t from 'tap'
import { newCategory, newProduct, newView } from '../../support/fixtures/rows.ts'
import { build, type TestHost } from '../../support/hosts/build.ts'
import { catalogTables, rulesOn } from '../../support/hosts/shared-host.ts'

const rule = rulesOn(t, catalogTables)

async function tagOf({ call }: TestHost, path: string): Promise<string> {
  return String((await call('GET', path)).headers.etag)
}

/** A product with a view and a category; the paths of the three. */
async function catalog(host: TestHost): Promise<string[]> {
  const product = await newProduct(host)
  const view = await newView(host, product)
  const category = await newCategory(host, 'Cups', [product])
  return [`/products/${product}`, `/views/${view}`, `/categories/${category}`]
}

rule('every single resource has a strong tag, the same until something changes', async (t, host) => {
  for (const path of await catalog(host)) {
    const tag = await tagOf(host, path)
    t.match(tag, /^"[^"]+"$/, path)
    t.equal(await tagOf(host, path), tag)
    await host.call('PATCH', path, { title: 'Other' })
    t.not(await tagOf(host, path), tag)
  }
  for (const path of ['/products', '/categories', '/products/1/views']) {
    t.equal((await host.call('GET', path)).headers.etag, undefined, path)
  }
})

rule('who holds the tag gets 304 and no body, alone, in a list, weak, or by *', async (t, host) => {
  for (const path of await catalog(host)) {
    const tag = await tagOf(host, path)
    for (const held of [tag, `"x", ${tag}`, `"a,b" ,W/${tag},"c"`, `W/${tag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const { status, text, headers } = await host.call(method, path, undefined, { 'if-none-match': held })
        t.strictSame(
          [status, text, headers.etag, headers['cache-control']],
          [304, '', tag, 'private, no-cache'],
          held,
        )
      }
    }
    for (const held of ['"x"', tag.slice(1, -1), '', '"*"', `${tag.slice(0, -2)}"`]) {
      t.equal((await host.call('GET', path, undefined, { 'if-none-match': held })).status, 200, held)
    }
  }
})

rule('a tag belongs to one representation: other fields and inclusions have others', async (t, host) => {
  const [product, , category] = await catalog(host)
  const asked = [
    `${product}`,
    `${product}?fields=id`,
    `${product}?fields=id,title`,
    `${product}?include_views=1`,
  ]
  const tags = await Promise.all(asked.map((path) => tagOf(host, path)))
  t.equal(new Set(tags).size, asked.length)
  t.equal(await tagOf(host, `${product}?_fields=title,id`), tags[2], 'the order of fields does not matter')
  t.not(await tagOf(host, `${category}?include_products=0`), await tagOf(host, `${category}`))
  const { status } = await host.call('GET', `${product}`, undefined, { 'if-none-match': String(tags[1]) })
  t.equal(status, 200, 'what is known of another representation does not help')
})

rule(
  'the tag of a product covers its views and categories, that of a category its products',
  async (t, host) => {
    const [product, view, category] = (await catalog(host)) as [string, string, string]
    const seen = new Set([await tagOf(host, product)])
    for (const [method, path, body] of [
      ['PATCH', view, { title: 'Back' }],
      ['PATCH', view, { elements: [{ a: 1 }] }],
      ['POST', `${view}/duplicate`, {}],
      ['PATCH', product, { sorted_views: [{ id: 2 }, { id: 1 }] }],
      ['DELETE', view, undefined],
      ['POST', `${category}/clear`, undefined],
      ['PATCH', category, { products: [1] }],
      ['DELETE', category, undefined],
    ] as const) {
      const before = await tagOf(host, product)
      t.ok((await host.call(method, path, body)).status < 300)
      t.not(await tagOf(host, product), before, `${method} ${path} ${JSON.stringify(body)}`)
      seen.add(await tagOf(host, product))
    }
    t.ok(seen.size >= 7)
  },
)

rule('responses to writes carry the tag that the next GET has', async (t, host) => {
  for (const path of await catalog(host)) {
    const written = await host.call('PATCH', path, { title: 'Other' })
    t.equal(written.headers.etag, await tagOf(host, path), path)
    t.equal(written.headers['cache-control'], 'private, no-cache')
  }
  const made = await host.call('POST', '/products?include_views=1', { title: 'x' })
  t.equal(made.headers.etag, await tagOf(host, `/products/${made.body.data.id}?include_views=true`))
})

rule(
  'a write with the current tag goes through, whatever representation it was read with',
  async (t, host) => {
    const [product, view, category] = (await catalog(host)) as [string, string, string]
    let n = 0
    for (const [path, query] of [
      [product, '?fields=id'],
      [product, '?include_views=1'],
      [view, '?fields=title'],
      [category, '?include_products=0'],
    ]) {
      const tag = await tagOf(host, `${path}${query}`)
      for (const header of [tag, '*', undefined]) {
        const current = header === tag ? `"x", ${await tagOf(host, `${path}${query}`)} , "y"` : header
        const { status } = await host.call(
          'PATCH',
          `${path}`,
          { title: `Title ${n++}` },
          { 'if-match': current },
        )
        t.equal(status, 200, `${path} ${current}`)
      }
    }
  },
)

rule('a write with a stale tag is 412 and changes nothing', async (t, host) => {
  for (const path of await catalog(host)) {
    const stale = await tagOf(host, path)
    await host.call('PATCH', path, { title: 'Newer' })
    for (const header of [stale, `${stale}, "x"`, '"x"', `W/${await tagOf(host, path)}`, '"*"']) {
      for (const [method, body] of [
        ['PATCH', { title: 'Older' }],
        ['DELETE', undefined],
      ] as const) {
        const response = await host.call(method, path, body, { 'if-match': header })
        t.strictSame(
          [response.status, response.body.code],
          [412, 'svc_precondition_failed'],
          `${method} ${path} ${header}`,
        )
      }
    }
    t.equal((await host.call('GET', path)).body.data.title, 'Newer')
  }
})

rule('a delete with the current tag goes through', async (t, host) => {
  for (const path of (await catalog(host)).reverse()) {
    const { status } = await host.call('DELETE', path, undefined, { 'if-match': await tagOf(host, path) })
    t.equal(status, 200, path)
    t.equal((await host.call('DELETE', path, undefined, { 'if-match': '*' })).status, 404)
  }
})

t.test('resources of every group are guarded by their tags', async (t) => {
  const host = await build(t)
  const { call } = host
  const tag = async (path: string) => String((await call('GET', path)).headers.etag)
  for (const [group, body, change] of [
    ['design-categories', { title: 'Logos' }, { title: 'Signs' }],
    ['pricing-rules', { name: 'Per color', data: {} }, { name: 'Per area' }],
    ['print-profiles', { name: 'A4' }, { name: 'A5' }],
    ['user-interfaces', { name: 'Wide', data: {} }, { name: 'Narrow' }],
    [
      'shortcode-orders',
      { customer_name: 'Ada', views: [{ title: 'Front', elements: [] }] },
      { customer_name: 'Bo' },
    ],
  ] as const) {
    const path = `/${group}/${(await call('POST', `/${group}`, body)).body.data.id}`
    const stale = await tag(path)
    t.equal((await call('PATCH', path, change, { 'if-match': stale })).status, 200, path)
    const current = await tag(path)
    t.not(current, stale)
    for (const method of ['PATCH', 'DELETE'] as const) {
      const response = await call(method, path, method === 'PATCH' ? body : undefined, { 'if-match': stale })
      t.match(response, { status: 412, body: { code: 'svc_precondition_failed' } }, `${method} ${path}`)
    }
    t.equal(await tag(path), current)
    t.equal((await call('DELETE', path, undefined, { 'if-match': current })).status, 200, path)
  }
})

rule('of 20 writers with the same tag exactly one wins', async (t, host) => {
  for (const path of await catalog(host)) {
    const tag = await tagOf(host, path)
    const writes = Array.from({ length: 20 }, (_, i) =>
      host.call('PATCH', path, { title: `Writer ${i}` }, { 'if-match': tag }),
    )
    const responses = await Promise.all(writes)
    const won = responses.flatMap((response, i) => (response.status === 200 ? [`Writer ${i}`] : []))
    t.equal(won.length, 1, path)
    t.equal(responses.filter((response) => response.status === 412).length, 19)
    t.equal((await host.call('GET', path)).body.data.title, won[0])
  }
})

rule('what others write straight into the tables changes the tag, too', async (t, host) => {
  const [product, view, category] = (await catalog(host)) as [string, string, string]
  const tags = [await tagOf(host, product), await tagOf(host, view), await tagOf(host, category)]
  await host.db.updateTable(host.t.views).set({ options: '{"by":"PHP"}' }).execute()
  t.not(await tagOf(host, product), tags[0])
  t.not(await tagOf(host, view), tags[1])
  await host.db.deleteFrom(host.t.category_products).execute()
  t.not(await tagOf(host, category), tags[2])
})

t.test('If-Match that is no entity tag is 400, as a tag without its quotation marks', async (t) => {
  const host = await build(t)
  const id = await newProduct(host)
  const { headers } = await host.call('GET', `/products/${id}`)
  const bare = String(headers.etag).slice(1, -1)
  for (const tag of [bare, '', '"', `"${bare}`, `${bare}"`, `"${bare}" x`, `"${bare}",`, `*, "${bare}"`]) {
    for (const [method, body] of [['PATCH', { title: 'x' }], ['DELETE']] as const) {
      const response = await host.call(method, `/products/${id}`, body, { 'if-match': tag })
      t.strictSame([response.status, response.body.code], [400, 'rest_invalid_param'], tag)
      t.match(response.body.data.params['If-Match'], /^must be an ETag/)
    }
  }
  const kept = await host.call('PATCH', `/products/${id}`, { title: 'x' }, { 'if-match': `"old", "${bare}"` })
  t.equal(kept.status, 200)
})
