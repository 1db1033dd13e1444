// The listener onChange: when it is called, with which ETags, and what its failures cause.
import t from 'tap'
import { build, onEachEngine } from '../../support/hosts/build.ts'
import { reportingShop } from '../../support/hosts/reporting-shop.ts'

t.test('onChange: not called for requests that change nothing', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, seen } = await reportingShop(t, engine)
    const { call } = host
    const { id } = (await call('POST', '/products', { title: 'Shirt' })).body.data
    const view = (await call('POST', `/products/${id}/views`, { title: 'Front' })).body.data
    const template = { text: 'Hello' }
    await call('POST', '/text-templates', template)
    seen.length = 0
    for (const [method, path, body, headers] of [
      ['PATCH', `/products/${id}`, { title: 'Shirt' }],
      ['PATCH', `/views/${view.id}`, { options: {} }],
      ['PATCH', `/products/${id}`, { title: '' }],
      ['PATCH', `/products/${id}`, { title: 'Mug' }, { 'if-match': '"other"' }],
      ['PATCH', '/products/999', { title: 'Mug' }],
      ['DELETE', '/products/999'],
      ['PATCH', '/text-templates/0', template],
      ['PATCH', '/settings', { svc_unknown: 1 }],
      ['POST', '/categories/999/clear'],
      ['DELETE', '/assets/a.png'],
      ['GET', `/products/${id}`],
    ] as const) {
      const { status } = await call(method, path, body, headers)
      t.same(seen, [], `${method} ${path} responds ${status}`)
    }
  }),
)

t.test('POST /products: a request repeated with its Idempotency-Key is reported once', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, seen } = await reportingShop(t, engine)
    const send = () => host.call('POST', '/products', { title: 'Shirt' }, { 'idempotency-key': 'a' })
    const [first, second] = [await send(), await send()]
    t.equal(second.headers['idempotency-replayed'], 'true')
    t.match(seen, [{ action: 'created', id: first.body.data.id }])
    t.equal(seen.length, 1)
  }),
)

t.test(
  'onChange: before_etag and after_etag are the ETags of the resource, null if the write did not read them',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { host, seen } = await reportingShop(t, engine)
      const { call } = host
      const created = await call('POST', '/pricing-rules', { name: 'A', data: {} })
      const path = `/pricing-rules/${created.body.data.id}`
      const updated = await call('PATCH', path, { name: 'B' })
      await call('PATCH', path, { name: 'C' }, { prefer: 'return=minimal' })
      const last = (await call('GET', path)).headers.etag
      await call('DELETE', path)
      t.same(
        seen.map(({ before_etag, after_etag }) => [before_etag, after_etag]),
        [
          [null, created.headers.etag],
          [created.headers.etag, updated.headers.etag],
          [updated.headers.etag, null],
          [last, null],
        ],
      )
    }),
)

t.test('onChange: a listener that fails or hangs does not change the response', async (t) => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  let hang = false
  const { call } = await build(t, {
    server: { logger: { stream, level: 'error' } },
    onChange: () => {
      if (hang) return new Promise(() => {})
      throw new Error('listener')
    },
  })
  t.equal((await call('POST', '/products', { title: 'A' })).status, 201)
  t.match(lines.join(''), /The listener onChange failed/)
  hang = true
  t.equal((await call('POST', '/products', { title: 'B' })).status, 201)
  t.match(lines.join(''), /onChange did not finish within 2000 ms/)
})

t.test('onChange: the listener has finished before the response', async (t) => {
  const seen: unknown[] = []
  const { call } = await build(t, {
    onChange: async ({ id }) => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      seen.push(id)
    },
  })
  const { id } = (await call('POST', '/products', { title: 'A' })).body.data
  t.same(seen, [id])
})
