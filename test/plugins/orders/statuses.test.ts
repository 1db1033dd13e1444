// States of orders in lists: which are asked for, and which are to be printed.
import t, { type Test } from 'tap'
import { storeOption } from '../../support/fixtures/rows.ts'
import { createShop, row, shopOrder, useShop } from '../../support/fixtures/shop.ts'
import { build, onEachEngine, type TestHost } from '../../support/hosts/build.ts'

const meta: [string, string][] = [['_svc_data', '{"product":[{"title":"Front","elements":[]}]}']]
const states = ['wc-processing', 'wc-completed', 'wc-cancelled', 'wc-on-hold', 'wc-packed', 'trash']

/** Ids of the listed orders, oldest first. */
const listed = async (host: TestHost, query: string) => {
  const { status, body } = await host.call('GET', `/orders?${query}`)
  return status === 200 ? body.data.map(({ id }: { id: number }) => id).sort() : [status, body.data.params]
}

async function shopWith(t: Test, host: TestHost, shop: 'posts' | 'tables') {
  t.comment(shop)
  await createShop(host)
  await useShop(host, shop)
  const ids: Record<string, number> = {}
  for (const status of states)
    ids[status.replace('wc-', '')] = (await shopOrder(host, shop, { status, items: [{ meta }] })).id
  return ids as Record<'processing' | 'completed' | 'cancelled' | 'on-hold' | 'packed', number>
}

t.test('GET /orders: status takes states of the shop and of plugins, and any', (t) =>
  onEachEngine(t, async (t, engine) => {
    for (const shop of ['posts', 'tables'] as const) {
      const host = await build(t, { engine })
      const ids = await shopWith(t, host, shop)
      t.strictSame(await listed(host, 'status=cancelled'), [ids.cancelled])
      t.strictSame(await listed(host, 'status=wc-packed,%20On-Hold'), [ids['on-hold'], ids.packed].sort())
      t.equal((await listed(host, 'status=any')).length, 5)
      t.equal((await listed(host, '')).length, 5)
      t.match(await listed(host, 'status=trash'), [400, { status: /not listed/ }])
      t.match(await listed(host, "status=x'y"), [400, { status: /no state/ }])
      const { body } = await host.call('GET', '/orders?status=packed,cancelled&limit=1')
      t.equal(body.meta.total, 2)
      t.equal(body.data[0].status, 'packed')
    }
  }),
)

t.test('GET /orders: has_print_file=false takes printable states unless status names others', (t) =>
  onEachEngine(t, async (t, engine) => {
    for (const shop of ['posts', 'tables'] as const) {
      const host = await build(t, { engine })
      const { processing, completed, cancelled, packed } = await shopWith(t, host, shop)
      t.strictSame(await listed(host, 'has_print_file=false'), [processing, completed])
      t.strictSame(await listed(host, 'has_print_file=false&status=cancelled'), [cancelled])
      t.equal((await listed(host, 'has_print_file=false&status=any')).length, 5)
      await storeOption(host, 'svc_printable_statuses', 'packed, wc-processing')
      t.strictSame(await listed(host, 'has_print_file=false'), [processing, packed].sort())
      const { body } = await host.call('GET', '/orders?has_print_file=false')
      t.equal(body.meta.total, 2)
    }
  }),
)

t.test('GET /orders?type=gf: entries that are paid, or need not be, are printable', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await createShop(host)
    const form = await row(host, 'gf_form', { title: 'Form', date_created: '2026-01-01 00:00:00' })
    const fields = [{ id: 7, cssClass: 'svc-order' }]
    await row(host, 'gf_form_meta', { form_id: form, display_meta: JSON.stringify({ fields }) })
    const entry = async (payment_status: string | null) => {
      const id = await row(host, 'gf_entry', {
        form_id: form,
        date_created: '2026-04-29 10:11:12',
        payment_status,
      })
      await row(host, 'gf_entry_meta', { form_id: form, entry_id: id, meta_key: '7', meta_value: '{"a":1}' })
      return id
    }
    const [free, paid, failed] = [await entry(null), await entry('Paid'), await entry('Failed')]
    t.strictSame(await listed(host, 'type=gf&has_print_file=false'), [free, paid])
    t.strictSame(await listed(host, 'type=gf&status=failed'), [failed])
    const { body } = await host.call('GET', `/orders/${failed}?type=gf`)
    t.equal(body.data.status, 'failed')
  }),
)

t.test('GET /orders?type=shortcode: orders have no states and are always printable', async (t) => {
  const host = await build(t, { printableStatuses: ['packed'] })
  const order = { views: [{ title: 'Front' }] }
  const { body } = await host.call('POST', '/shortcode-orders', order)
  t.strictSame(await listed(host, 'type=shortcode&has_print_file=false'), [body.data.id])
  t.strictSame(await listed(host, 'type=shortcode&status=processing'), [])
  t.strictSame(await listed(host, 'type=shortcode&status=active'), [body.data.id])
})
