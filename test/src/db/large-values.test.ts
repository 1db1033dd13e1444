// Large stored values: lists stay below a size, and what others stored is read whatever its encoding.
import { sql } from 'kysely'
import t from 'tap'
import { newProduct, newView } from '../../support/fixtures/rows.ts'
import { build, onEachEngine, type TestHost } from '../../support/hosts/build.ts'
import { rule } from '../../support/hosts/fresh-host.ts'

/** Makes the elements of every view a string of this many characters, without sending them. */
async function fill({ db, t, engine }: TestHost, length: number): Promise<void> {
  const text =
    engine !== 'SQLite'
      ? sql`concat('["', repeat('x', ${length}), '"]')`
      : sql`'["' || replace(hex(zeroblob(${length / 2})), '0', 'x') || '"]'`
  // One by one: a statement has five seconds.
  for (const { ID } of await db.selectFrom(t.views).select('ID').execute()) {
    await sql`update ${sql.table(t.views)} set elements = ${text} where ID = ${ID}`.execute(db)
  }
}

t.test('rows that pass 64 MiB together are 413 with a way out, and the rest of the API goes on', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const product = await newProduct(host)
    for (let i = 0; i < 7; i++) await newView(host, product)
    await fill(host, 10_000_000)
    const views = `/products/${product}/views`
    const others = ['/products?include_views=1', `/products/${product}?include_views=1`]
    for (const path of [views, ...(engine === 'SQLite' ? others : [])]) {
      const { status, body } = await host.call('GET', path)
      t.strictSame([status, body.code], [413, 'svc_list_too_large'], path)
      t.match(body.message, /fewer rows or use fields/)
    }
    t.equal((await host.call('GET', `${views}?fields=id,title`)).body.data.length, 7)
    t.equal((await host.call('GET', `${views}?include=1,2&fields=elements`)).body.data.length, 2)
    // The state of all views is still told, which takes reading them one by one.
    if (engine !== 'SQLite') return
    const { status, headers, body } = await host.call('GET', `/products/${product}`)
    t.strictSame([status, body.data.id], [200, product])
    const match = { 'if-match': String(headers.etag) }
    const renamed = await host.call('PATCH', `/products/${product}`, { title: 'y' }, match)
    t.strictSame([renamed.status, renamed.body.data.title], [200, 'y'])
    t.equal((await host.call('DELETE', `/products/${product}`, undefined, match)).status, 412)
    t.equal((await host.call('DELETE', `/products/${product}`)).status, 200)
  }),
)

t.test('one row may be larger than a list', (t) =>
  onEachEngine(t, async (t, engine) => {
    // A value that the database's packet limit lets through.
    const host = await build(t, { engine })
    await newView(host, await newProduct(host))
    await fill(host, 12_000_000)
    const { status, text } = await host.call('GET', '/views/1')
    t.equal(status, 200)
    t.ok(text.length > 12_000_000)
  }),
)

rule('large values of PHP and those that nobody can read are told apart', async (t, host) => {
  const product = await newProduct(host)
  for (let i = 0; i < 3; i++) await newView(host, product)
  const value = [{ title: 'x'.repeat(600_000), "quo'te": '"' }]
  const set = (ID: number, elements: string) =>
    host.db.updateTable(host.t.views).set({ elements }).where('ID', '=', ID).execute()
  const text = JSON.stringify(value)
  await set(1, text.replace(/["\\]/g, '\\$&'))
  await set(2, `a:1:{i:0;s:${text.length}:"${text}";}`)
  await set(3, `${text}x`)
  t.strictSame((await host.call('GET', '/views/1')).body.data.elements, value)
  t.strictSame((await host.call('GET', '/views/2')).body.data.elements, [text])
  const { status, body } = await host.call('GET', '/views/3')
  t.strictSame([status, body.code], [500, 'svc_unreadable_value'])
})

rule(
  'designs are counted anew when others change a list, also to one of the same length',
  async (t, host) => {
    const large = [
      { title: 'x'.repeat(600_000), image: 'x' },
      { title: 'y', image: 'y' },
    ]
    await host.call('POST', '/design-categories', { title: 'a', designs: [{ title: 'x', image: 'x' }] })
    await host.call('POST', '/design-categories', { title: 'b', designs: large })
    const counts = async () =>
      (await host.call('GET', '/design-categories')).body.data.map(
        ({ designs_count }: { designs_count: number }) => designs_count,
      )
    t.strictSame(await counts(), [1, 2])
    t.equal((await host.call('GET', '/system')).body.data.counts.designs, 3)
    await host.db
      .updateTable(host.t.designs)
      .set({ designs: '[1,2,3,4,5,6,7]' })
      .where('ID', '=', 1)
      .execute()
    t.strictSame(await counts(), [7, 2])
    await host.db.updateTable(host.t.designs).set({ designs: '["[[[[[[[[[["]' }).where('ID', '=', 1).execute()
    t.strictSame(await counts(), [1, 2])
    await host.db.updateTable(host.t.designs).set({ designs: '[' }).where('ID', '=', 1).execute()
    t.strictSame(await counts(), [null, 2])
  },
)
