// What reporting changes costs in statements: nothing when it is off, nothing for a listener, and two inserts at most.
import type { Test } from 'tap'
import t from 'tap'
import { type BuildOptions, type Engine, onEachEngine } from '../../support/hosts/build.ts'
import { watched } from '../../support/hosts/statements.ts'

const webhooks = [
  { url: 'https://127.0.0.1:9/', secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`, events: ['*.*'] },
]

const writes = [
  'PATCH /views title',
  'PATCH /products title',
  'PUT /color-library',
  'PATCH /settings',
  'DELETE /products',
]

/** The statements of each write, without those of the outbox's deliveries. */
async function statements(t: Test, engine: Engine, options: Partial<BuildOptions>) {
  const host = await watched(t, { engine, ...options })
  const { call } = host
  const product = (await call('POST', '/products', { title: 'Shirt' })).body.data.id
  const view = (await call('POST', `/products/${product}/views`, { title: 'Front' })).body.data.id
  const library = { version: 2, colors: [{ id: 'red', hex: '#ff0000', name: 'Red' }], palettes: [] }
  const requests: [name: string, method: string, path: string, body?: unknown][] = [
    ['PATCH /views title', 'PATCH', `/views/${view}`, { title: 'Back' }],
    ['PATCH /products title', 'PATCH', `/products/${product}`, { title: 'Mug' }],
    ['PUT /color-library', 'PUT', '/color-library', library],
    ['PATCH /settings', 'PATCH', '/settings', { svc_hide_dialog_on_add: 'yes' }],
    ['DELETE /products', 'DELETE', `/products/${product}`],
  ]
  const seen: Record<string, string[]> = {}
  for (const [name, method, path, body] of requests) {
    const sent = await host.statementsOf(() => call(method, path, body))
    seen[name] = sent
      .map(({ sql }) => sql)
      .filter((sql) => !sql.includes('svc_api_outbox') || sql.startsWith('insert'))
  }
  return seen
}

t.test('a listener costs no statement', (t) =>
  onEachEngine(t, async (t, engine) => {
    const off = await statements(t, engine, {})
    t.equal(off['PATCH /views title']?.length, 5)
    t.same(await statements(t, engine, { onChange: () => {} }), off)
  }),
)

t.test('audit trail and webhooks add an insert each, in the transaction of the write', (t) =>
  onEachEngine(t, async (t, engine) => {
    const off = await statements(t, engine, {})
    const on = await statements(t, engine, { onChange: () => {}, audit: true, webhooks })
    for (const name of writes) {
      const [before = [], after = []] = [off[name], on[name]]
      const added = after.filter((sql) => /svc_api_(audit|outbox)/.test(sql))
      t.equal(added.length, 2, name)
      const begins = engine === 'SQLite' ? 'begin immediate' : 'begin'
      t.equal(after[0], begins, `${name} begins with a transaction`)
      t.same(after.slice(-3), [...added, 'commit'], `${name} ends with the inserts and the commit`)
      const others = after.filter((sql) => !added.includes(sql))
      t.strictSame(others, before, `${name} has no other statement`)
    }
  }),
)
