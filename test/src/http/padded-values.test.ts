// A stored value that is large only by its whitespace is read as the same value without it, by every route.
import { type RawBuilder, sql } from 'kysely'
import type { Test } from 'tap'
import type { TestHost } from '../../support/hosts/build.ts'
import { rule } from '../../support/hosts/fresh-host.ts'

/** Puts whitespace around and into a stored value. */
const padded = ({ engine }: TestHost, column: string): RawBuilder<unknown> => {
  const spaces = engine !== 'SQLite' ? sql`repeat(' ', 600000)` : sql`printf('%600000s', '')`
  const { ref } = sql
  return engine !== 'SQLite'
    ? sql`concat(${spaces}, substring(${ref(column)}, 1, 1), char(10), substring(${ref(column)}, 2), char(9))`
    : sql`${spaces} || substr(${ref(column)}, 1, 1) || char(10) || substr(${ref(column)}, 2) || char(9)`
}

const pad = ({ db, ...host }: TestHost, table: string, column: string) =>
  sql`update ${sql.table(table)} set ${sql.ref(column)} = ${padded({ db, ...host }, column)}`.execute(db)

/** What the paths return. The text of a value may contain whitespace. */
async function responses({ call }: TestHost, paths: readonly string[]): Promise<unknown[]> {
  const all = []
  for (const path of paths) {
    const { status, body } = await call('GET', path)
    all.push([path, status, body.data, body.meta])
  }
  return all
}

async function assertSame(
  t: Test,
  host: TestHost,
  columns: readonly [table: string, column: string][],
  paths: readonly string[],
): Promise<void> {
  const before = await responses(host, paths)
  for (const [table, column] of columns) await pad(host, table, column)
  t.strictSame(await responses(host, paths), before)
}

rule('products and views', async (t, host) => {
  const { call, t: tables } = host
  await call('POST', '/products', { title: 'a', options: { a: { b: [1, 'é'] } } })
  await call('POST', '/products/1/views', { title: 'x', elements: [{ type: 'text' }], options: { c: 1 } })
  await call('POST', '/products/1/views', { title: 'y' })
  const paths = ['/products/1', '/products?include_views=1', '/products/1/views', '/views/1', '/views/2']
  const columns: [string, string][] = [
    [tables.products, 'options'],
    [tables.views, 'elements'],
    [tables.views, 'options'],
  ]
  await assertSame(t, host, columns, paths)
  const { body } = await call('GET', '/products/1')
  // What was read may be sent back, changes are merged, and copies are equal.
  const { status, headers } = await call('GET', '/products/1')
  const echoed = await call('PATCH', '/products/1', body.data)
  t.strictSame([echoed.status, echoed.headers.etag], [status, headers.etag])
  const merged = await call('PATCH', '/products/1', { options: { a: { b: null }, d: 2 } })
  t.strictSame(merged.body.data.options, { a: {}, d: 2 })
  const view = await call('PATCH', '/views/1', { options: { c: null } })
  t.strictSame([view.status, view.body.data.options], [200, {}])
  const copy = await call('POST', '/products', { duplicate_product_id: 1 })
  const copied = await call('GET', `/products/${copy.body.data.id}/views`)
  t.strictSame(copied.body.data[0].elements, [{ type: 'text' }])
})

rule('designs, profiles, layouts and rules', async (t, host) => {
  const { call, t: tables } = host
  const design = { title: 'a', image: 'https://shop.example/a.png' }
  await call('POST', '/design-categories', { title: 'x', designs: [design], options: { a: 1 } })
  await call('POST', '/design-categories', { title: 'y' })
  await call('POST', '/print-profiles', { name: 'x', data: { customImageParameters: { minW: 7 } } })
  await call('POST', '/user-interfaces', { name: 'x', data: { a: 1 } })
  const rules = { property: 'textLength', target: { views: -1, elements: 'all' }, rules: [] }
  const { status } = await call('POST', '/pricing-rules', { name: 'x', data: rules })
  t.equal(status, 201)
  const columns: [string, string][] = [
    [tables.designs, 'designs'],
    [tables.designs, 'options'],
    [tables.print_profiles, 'data'],
    [tables.user_interfaces, 'data'],
    [tables.pricing_rules, 'data'],
  ]
  const lists = ['/design-categories', '/print-profiles', '/user-interfaces', '/pricing-rules']
  const paths = lists.flatMap((path) => [path, `${path}/1`])
  await assertSame(t, host, columns, [...paths, '/print-profiles/master', '/user-interfaces/default'])
  t.equal((await call('GET', '/system')).body.data.counts.designs, 1)
  for (const path of ['/print-profiles/1', '/user-interfaces/1', '/pricing-rules/1']) {
    const { body, headers } = await call('GET', path)
    const echoed = await call('PATCH', path, body.data)
    t.strictSame([echoed.status, echoed.headers.etag], [200, headers.etag], path)
  }
  const designs = [design, { title: 'b', image: 'https://shop.example/b.png' }]
  t.strictSame((await call('PATCH', '/design-categories/1', { designs })).body.data.designs, designs)
})

rule('orders', async (t, host) => {
  const { call, db, t: tables } = host
  const forms = [
    '{}',
    '[{"title":"x","elements":[]}]',
    '{"product":[{"title":"x"}],"usedFonts":[]}',
    '{"views":[],"a":"item_id"}',
    '{"item_id":1,"product":[]}',
    '{"\\u0069tem_key":"a"}',
  ]
  for (const views of forms) {
    const { body } = await call('POST', '/shortcode-orders', { views: [{}] })
    await db.updateTable(tables.orders).set({ views }).where('ID', '=', body.data.id).execute()
  }
  const ids = forms.map((_, at) => at + 1)
  const paths = ids.flatMap((id) => [
    `/shortcode-orders/${id}`,
    `/orders/${id}?type=sc`,
    `/orders/${id}?type=sc&item_key=_svc_print_order`,
  ])
  await assertSame(t, host, [[tables.orders, 'views']], [...paths, '/orders?type=sc', '/shortcode-orders'])
  for (const id of [2, 3, 4, 5, 6]) {
    const { body, headers } = await call('GET', `/orders/${id}?type=sc`)
    const echoed = await call('PATCH', `/orders/${id}`, { type: 'sc', order: body.data })
    t.strictSame([echoed.status, echoed.headers.etag], [200, headers.etag], `${id}`)
  }
  const changed = await call('PATCH', '/shortcode-orders/3', { views: [{ title: 'y' }] })
  t.strictSame(changed.body.data.views, [{ title: 'y' }])
  t.match((await call('GET', '/orders/3?type=sc')).text, 'usedFonts')
})
