// Automatic printing of form entries, by the settings, on sheets, and beside prints that were made by hand.
import { sql } from 'kysely'
import t from 'tap'
import { printNewOrders } from '../../../plugins/index.ts'
import { row } from '../../support/fixtures/shop.ts'
import { autoPrintShop, designOf, jobsOf } from '../../support/hosts/auto-print.ts'
import { onEachEngine } from '../../support/hosts/build.ts'
import { addForm, formEntry } from '../../support/hosts/desk.ts'

const entry = { created: '2026-04-29 10:11:12', name: 'Ada', mail: 'ada@shop.example' }

t.test('autoPrint: form entries are printed once they are paid, those of before are not', (t) =>
  onEachEngine(t, async (t, engine) => {
    let form = 0
    const { host, php, look } = await autoPrintShop(t, engine, {
      earlier: async (php) => {
        form = await addForm(php)
        await formEntry(php, form, { ...entry, design: designOf('Earlier') })
      },
    })
    const pay = (id: number, state: string) =>
      sql`update wp_gf_entry set payment_status = ${state} where id = ${id}`.execute(php.connection.db)
    const id = await formEntry(php, form, { ...entry, design: designOf('Later') })
    await pay(id, 'Processing')
    await look()
    t.strictSame(await jobsOf(host), [])
    await pay(id, 'Paid')
    await look()
    await look()
    t.strictSame(await jobsOf(host), [`gf:${id}:0 completed`])
  }),
)

t.test('autoPrint: entries of before the first look are not printed after newer ones are deleted', (t) =>
  onEachEngine(t, async (t, engine) => {
    let newest = 0
    const { host, php, look } = await autoPrintShop(t, engine, {
      earlier: async (php) => {
        const form = await addForm(php)
        newest = 5000 + (await formEntry(php, form, { ...entry, design: designOf('Earlier') }))
        await row(php, 'gf_entry', { id: newest, form_id: form, date_created: entry.created })
      },
    })
    await sql`delete from wp_gf_entry where id = ${newest}`.execute(php.connection.db)
    // The first one stores that the newest id is lower now.
    await look()
    await look()
    t.strictSame(await jobsOf(host), [])
  }),
)

t.test('autoPrint: a form entry that is paid after thousands of newer ones is printed', (t) =>
  onEachEngine(t, async (t, engine) => {
    let form = 0
    const { host, php, another, look } = await autoPrintShop(t, engine, {
      earlier: async (php) => {
        form = await addForm(php)
      },
    })
    const id = await formEntry(php, form, { ...entry, design: designOf('Late') })
    const { db } = php.connection
    await sql`update wp_gf_entry set payment_status = 'Processing' where id = ${id}`.execute(db)
    await look()
    await row(php, 'gf_entry', { id: id + 2100, form_id: form, date_created: entry.created })
    await host.app.close()
    const restarted = async () => {
      const { app } = await another()
      await printNewOrders(app)
      await app.close()
    }
    await restarted()
    await sql`update wp_gf_entry set payment_status = 'Paid' where id = ${id}`.execute(db)
    await restarted()
    t.strictSame(await jobsOf(php), [`gf:${id}:0 completed`])
  }),
)

t.test(
  'PATCH /settings: switches automatic printing on and off, and what happens meanwhile is not printed',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { host, order, php } = await autoPrintShop(t, engine, { autoPrint: undefined as never })
      const look = () => printNewOrders(host.app)
      const set = (settings: object) => host.call('PATCH', '/settings', settings)
      const state = async () => (await host.call('GET', '/system')).body.data.auto_print
      t.strictSame(await state(), { enabled: false, last_look: null, waiting: 0, failed: 0 })
      await order(['Off'], 'wc-processing')
      t.equal((await set({ svc_auto_print: true, svc_auto_print_format: 'svg' })).status, 200)
      await look()
      const { id, items } = await order(['On'], 'wc-processing')
      await look()
      const printed = [`wc:${id}:${items[0]} completed`]
      t.strictSame(await jobsOf(php), printed)
      t.match(await state(), { enabled: true, last_look: /^20.*Z$/, waiting: 0, failed: 0 })
      await set({ svc_auto_print: false })
      await look()
      await order(['Off again'], 'wc-processing')
      await set({ svc_auto_print: true })
      await look()
      await look()
      t.strictSame(await jobsOf(php), printed)
    }),
)

t.test('autoPrint: pages "sheet" prints an order as one job', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, look, order } = await autoPrintShop(t, engine, { autoPrint: { pages: 'sheet' } })
    const { id } = await order(['One', 'Two'], 'wc-processing')
    await look()
    await look()
    t.strictSame(await jobsOf(host), [`wc:${id}:0 completed`])
  }),
)

t.test('POST /orders/{id}/export: what was printed before it became printable is not printed again', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, look, order, setStatus, setDesign } = await autoPrintShop(t, engine)
    const made = await order(['Same', 'Changed'])
    const [same = 0, changed = 0] = made.items
    for (const item_id of made.items)
      await host.call('POST', `/orders/${made.id}/export`, { item_id, output_format: 'svg' })
    await setDesign(changed, 'After')
    await setStatus(made.id, 'wc-processing')
    await look()
    t.strictSame((await jobsOf(host)).sort(), [
      `wc:${made.id}:${same} completed`,
      `wc:${made.id}:${changed} completed`,
      `wc:${made.id}:${changed} completed`,
    ])
  }),
)

t.test('autoPrint: new states of the option leave out the orders that are in them', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, php, another, order, setStatus } = await autoPrintShop(t, engine)
    const before = await order(['Before'], 'wc-packed')
    await host.app.close()
    const next = await another({ autoPrint: { statuses: ['processing', 'packed'], format: 'svg' } })
    const look = () => printNewOrders(next.app)
    await look()
    await setStatus(before.id, 'wc-packed')
    const later = await order(['Later'], 'wc-packed')
    await look()
    t.strictSame(await jobsOf(php), [`wc:${later.id}:${later.items[0]} completed`])
  }),
)

t.test('autoPrint: an item fails in the end if the host has neither a renderer nor an export service', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, php, look, order } = await autoPrintShop(t, engine, {
      autoPrint: undefined as never,
      renderer: false,
    })
    await host.call('PATCH', '/settings', { svc_auto_print: true })
    await look()
    await order(['Order'], 'wc-processing')
    await look()
    const { db } = php.connection
    const rows = () =>
      sql`select state, attempts from wp_svc_auto_prints where state <> 'earlier'`.execute(db)
    t.match((await rows()).rows, [{ state: 'waiting', attempts: 1 }])
    await sql`update wp_svc_auto_prints set attempts = 5, next_at = 0 where state = 'waiting'`.execute(db)
    await look()
    t.match((await rows()).rows, [{ state: 'failed' }])
  }),
)
