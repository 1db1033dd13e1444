// GET /orders?type=all: the orders of all sources in one list.
import t from 'tap'
import { createShop, shopOrder } from '../../support/fixtures/shop.ts'
import { build, onEachEngine, type TestHost } from '../../support/hosts/build.ts'

const design = JSON.stringify({ product: [{ title: 'F', elements: [] }] })
const shopOrderAt = (host: TestHost, created: string, status = 'wc-processing') =>
  shopOrder(host, 'posts', { created, status, items: [{ meta: [['_svc_data', design]] }] })

async function shortcodeOrderAt({ db, t: tables }: TestHost, created_date: string, name = 'Ann') {
  const values = { customer_name: name, customer_mail: 'ann@shop.example', views: design, created_date }
  const { insertId } = await db.insertInto(tables.orders).values(values).executeTakeFirstOrThrow()
  return Number(insertId)
}

t.test('GET /orders?type=all: newest first, each with its type, page by page', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await createShop(host)
    const shop = [
      (await shopOrderAt(host, '2026-01-01 10:00:00')).id,
      (await shopOrderAt(host, '2026-01-03 10:00:00')).id,
    ]
    const shortcode = [
      await shortcodeOrderAt(host, '2026-01-02 10:00:00'),
      await shortcodeOrderAt(host, '2026-01-04 10:00:00'),
    ]
    const expected = [
      ['shortcode', shortcode[1]],
      ['wc', shop[1]],
      ['shortcode', shortcode[0]],
      ['wc', shop[0]],
    ]
    const listed = async (query: string) => {
      const { status, body } = await host.call('GET', `/orders?type=all${query}`)
      t.equal(status, 200, query)
      const rows: { type: string; id: number }[] = body.data
      return { pairs: rows.map(({ type, id }) => [type, id]), meta: body.meta }
    }
    const all = await listed('')
    t.strictSame(all.pairs, expected)
    t.match(all.meta, { type: 'all', total: 4 })
    t.strictSame((await listed('&limit=3&page=2')).pairs, expected.slice(3))
    t.strictSame((await listed('&limit=1&page=2')).pairs, expected.slice(1, 2))
    t.strictSame((await listed('&search=Ann')).pairs, [expected[0], expected[2]])
    t.strictSame((await listed('&status=processing')).pairs, [expected[1], expected[3]])
    const [row] = (await host.call('GET', '/orders?type=all&limit=1')).body.data
    t.equal(row.print_file_url, null)
  }),
)

t.test('GET /orders?type=all: a source whose plugin is not installed has no orders', async (t) => {
  const host = await build(t)
  const id = await shortcodeOrderAt(host, '2026-01-02 10:00:00')
  const { body } = await host.call('GET', '/orders?type=all&has_print_file=false&status=any')
  t.match(body, { data: [{ type: 'shortcode', id }], meta: { total: 1 } })
})

t.test('GET /orders?type=all: 400 beyond the newest 1,000, with what to do', async (t) => {
  const { status, body } = await (await build(t)).call('GET', '/orders?type=all&limit=100&page=11')
  t.equal(status, 400)
  t.match(body.data.params.page, /newest 1000 orders/)
})
