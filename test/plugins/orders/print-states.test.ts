// Print states of items over the API: read, set for one item or all, and independent of the states of the shop.
import t from 'tap'
import { createShop, shopOrder } from '../../support/fixtures/shop.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'

const meta: [string, string][] = [['_svc_data', '{"product":[{"title":"Front","elements":[]}]}']]
const untouched = {
  state: 'to_print',
  pieces: 1,
  is_changed: false,
  note: '',
  changed_by: null,
  changed_at: null,
}

t.test(
  'PATCH /orders/{id}/print-states: one item or all, by whom and when, and the shop stays as it is',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const host = await build(t, { engine })
      await createShop(host)
      const { id, items } = await shopOrder(host, 'posts', { items: [{ meta }, { meta }, { meta: [] }] })
      const [first, second] = items
      const path = `/orders/${id}/print-states`
      t.strictSame((await host.call('GET', path)).body.data, {
        order_id: id,
        type: 'wc',
        items: [first, second].map((item_id) => ({ item_id, ...untouched })),
      })
      const problem = { item_id: first, state: 'problem', note: 'No white ink' }
      const set = await host.call('PATCH', path, problem)
      t.match(set, {
        status: 200,
        body: { data: { items: [{ ...problem, changed_by: 'token' }, untouched] } },
      })
      const all = await host.call('PATCH', path, { state: 'printed' })
      t.match(all.body.data.items, [
        { item_id: first, state: 'printed', note: '' },
        { item_id: second, state: 'printed' },
      ])
      await host.call('PATCH', `/orders/${id}`, {
        item_id: second,
        order: { product: [{ title: 'Back', elements: [] }] },
      })
      t.strictSame(
        (await host.call('GET', path)).body.data.items.map(
          (item: { is_changed: boolean }) => item.is_changed,
        ),
        [false, true],
      )
      t.equal((await host.call('GET', `/orders/${id}`)).body.data.status, 'processing')
    }),
)

t.test('PATCH /orders/{id}/print-states: 400 and 404 for what does not exist', async (t) => {
  const host = await build(t)
  await createShop(host)
  const { id, items } = await shopOrder(host, 'posts', { items: [{ meta }, { meta: [] }] })
  const path = `/orders/${id}/print-states`
  const codes = async (body: object, at = path) => {
    const { status, body: answer } = await host.call('PATCH', at, body)
    return [status, answer.code]
  }
  t.same(await codes({ state: 'lost' }), [400, 'rest_invalid_param'])
  t.same(await codes({ state: 'printed', note: 'two\nlines' }), [400, 'rest_invalid_param'])
  t.same(await codes({ state: 'printed', item_id: items[1] }), [404, 'svc_order_item_not_found'])
  t.same(await codes({ state: 'printed' }, '/orders/4711/print-states'), [404, 'svc_order_data_not_found'])
  t.same(await codes({ state: 'printed', type: 'gf' }), [404, 'svc_order_data_not_found'])
})
