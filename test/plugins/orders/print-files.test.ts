// Orders without a print file: found in every source, whoever made the jobs.
import t from 'tap'
import { createShop, type Shop, shopOrder, useShop } from '../../support/fixtures/shop.ts'
import { onEachEngine } from '../../support/hosts/build.ts'
import { addForm, formEntry, jobRow, shortcodeOrder } from '../../support/hosts/desk.ts'
import { printHost } from '../../support/hosts/print.ts'
import { watched } from '../../support/hosts/statements.ts'

const meta: [string, string][] = [['_svc_data', '{"product":[]}']]
const stored = '{"local_file":"/var/www/uploads/svc/print_files/p/1.pdf"}'
const shops: Shop[] = ['posts', 'tables']

type Host = Awaited<ReturnType<typeof printHost>>

/** A finished job of this API. */
async function printed(host: Host, job: { type: string; id: number; item: number }): Promise<void> {
  const { id } = await jobRow(host, { ...job, status: 'completed' })
  await host.db.updateTable(host.t.print_jobs).set({ data: stored }).where('ID', '=', id).execute()
}

let guids = 0
/** A finished job of PHP, with details as it left them. */
const byPhp = (host: Host, details: string, status = 'completed') =>
  host.db
    .insertInto(host.t.print_jobs)
    .values({ guid: `5f3a9c1b2d4${++guids}`, status, details, data: stored })
    .execute()

async function found(host: Host, query: string): Promise<number[]> {
  const { status, body } = await host.call('GET', `/orders?${query}&fields=id`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  const ids = body.data.map(({ id }: { id: number }) => id)
  if (body.meta.total !== ids.length) throw new Error(`${ids.length} of ${body.meta.total}`)
  return ids
}

t.test('orders of the shop of which an item has no print file, and those of which each has one', (t) =>
  onEachEngine(t, async (t, engine) => {
    for (const shop of shops) {
      const host = await printHost(t, { engine })
      await createShop(host)
      await useShop(host, shop)
      const order = (items: number) =>
        shopOrder(host, shop, { items: Array.from({ length: items }, () => ({ meta })) })
      const [none, half, all, php, failed] = [
        await order(1),
        await order(2),
        await order(2),
        await order(1),
        await order(1),
      ]
      const item = ({ id, items }: typeof all, at: number) => ({ type: 'wc', id, item: items[at] ?? 0 })
      await printed(host, item(half, 0))
      for (const at of [0, 1]) await printed(host, item(all, at))
      await byPhp(host, JSON.stringify({ order_id: String(php.id), item_id: php.items[0] }))
      await jobRow(host, { ...item(failed, 0), status: 'failed' })
      await byPhp(host, JSON.stringify({ order_id: failed.id, item_id: failed.items[0] }), 'failed')
      await byPhp(host, JSON.stringify({ order_id: none.id, item_id: none.items[0], order_type: 'gf' }))
      for (const odd of ['', '{"order_id":', '[1]', '{"order_id":null}', 'a:0:{}']) await byPhp(host, odd)
      t.same(await found(host, 'has_print_file=false'), [failed.id, half.id, none.id], shop)
      t.same(await found(host, 'has_print_file=true'), [php.id, all.id], shop)
      t.same(await found(host, `has_print_file=false&include=${half.id},${all.id}`), [half.id])
      t.same(await found(host, 'has_print_file=true&search=ada'), [php.id, all.id])
      t.equal((await found(host, 'type=wc')).length, 5)
    }
  }),
)

t.test('entries of forms and shortcode orders are filtered in the same way', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await printHost(t, { engine })
    await createShop(host)
    const form = await addForm(host)
    const design = [{ title: 'Front', elements: [] }]
    const sources = {
      gf: () => formEntry(host, form, { created: '2026-05-01 08:00:00', name: 'A', mail: '', design }),
      shortcode: () => shortcodeOrder(host, { customer_name: 'A', customer_mail: '', views: design }),
    }
    for (const [type, add] of Object.entries(sources)) {
      const [none, ours, php] = [await add(), await add(), await add()]
      await printed(host, { type, id: ours, item: 0 })
      await byPhp(host, JSON.stringify({ order_id: php, item_id: null, order_type: type }))
      await byPhp(host, JSON.stringify({ order_id: none }))
      t.same(await found(host, `type=${type}&has_print_file=false`), [none], type)
      t.same(await found(host, `type=${type}&has_print_file=true`), [php, ours], type)
      t.same(await found(host, `type=${type}&has_print_file=true&search=a`), [php, ours], type)
    }
    t.equal((await host.call('GET', '/orders?has_print_file=maybe')).status, 400)
  }),
)

t.test('a filtered list takes as many statements for two orders as for twenty', async (t) => {
  const host = await watched(t)
  await createShop(host)
  // Once a minute the size of the shop is looked at.
  await host.call('GET', '/orders?limit=1')
  const counts: number[] = []
  for (const count of [2, 18]) {
    for (let i = 0; i < count; i++) await shopOrder(host, 'posts', { items: [{ meta }] })
    const seen = await host.statementsOf(() => host.call('GET', '/orders?has_print_file=false&limit=100'))
    counts.push(seen.length)
  }
  t.ok(counts[0])
  t.equal(counts[0], counts[1])
})
