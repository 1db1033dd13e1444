// An item or form entry whose row of the design is there, but empty. The CMS reads the first row of a key only.

import { sql } from 'kysely'
import t from 'tap'
import type { Change } from '../../../src/core/change.ts'
import { createShop, row, shopOrder } from '../../support/fixtures/shop.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'

t.test('a design is written into the empty row of the key, not beside it', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await createShop(host)
    const { db } = host.connection
    for (const empty of ['', 'null', '[]', 'a:0:{}']) {
      const { items } = await shopOrder(host, 'posts', {
        items: [
          { meta: [['_svc_data', '']] },
          {
            meta: [
              ['legacy_data', ''],
              ['_svc_data', empty],
            ],
          },
        ],
      })
      const { status } = await host.call('PATCH', `/orders/${items[1]}`, { order: { a: 1 } })
      t.equal(status, 200)
      const { rows } = await sql`select meta_key as k, meta_value as v from wp_woocommerce_order_itemmeta
        where order_item_id in (${sql.join(items)}) order by meta_id`.execute(db)
      const stored = [
        { k: '_svc_data', v: '' },
        { k: 'legacy_data', v: '' },
        { k: '_svc_data', v: '{"a":1}' },
      ]
      t.strictSame(
        rows.map((r) => ({ ...Object(r) })),
        stored,
        JSON.stringify(empty),
      )
    }

    const fields = [{ id: 7, type: 'textarea', cssClass: 'svc-order' }]
    await row(host, 'gf_form_meta', { form_id: 3, display_meta: JSON.stringify({ fields }) })
    const entry_id = await row(host, 'gf_entry', { form_id: 3, date_created: '2026-01-02 03:04:05' })
    await row(host, 'gf_entry_meta', { form_id: 3, entry_id, meta_key: '7', meta_value: '' })
    const { status } = await host.call('PATCH', `/orders/${entry_id}`, { type: 'gf', order: { b: 2 } })
    t.equal(status, 200)
    const { rows } = await sql`select meta_value as v from wp_gf_entry_meta`.execute(db)
    t.strictSame(
      rows.map((r) => ({ ...Object(r) })),
      [{ v: '{"b":2}' }],
    )
  })
})

t.test(
  'PATCH /orders/{id}: 404, without an event, for an entry of a form without a field for designs',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const changes: Change[] = []
      const host = await build(t, { engine, onChange: (change) => void changes.push(change) })
      await createShop(host)
      const fields = [{ id: 7, type: 'textarea' }]
      await row(host, 'gf_form_meta', { form_id: 3, display_meta: JSON.stringify({ fields }) })
      const entry = await row(host, 'gf_entry', { form_id: 3, date_created: '2026-01-02 03:04:05' })
      const { status, body } = await host.call(
        'PATCH',
        `/orders/${entry}`,
        { type: 'gf', order: { b: 2 } },
        { prefer: 'return=minimal' },
      )
      t.match({ status, body }, { status: 404, body: { code: 'svc_order_data_not_found' } })
      t.strictSame(changes, [])
    })
  },
)
