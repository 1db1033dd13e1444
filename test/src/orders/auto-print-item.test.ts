// What becomes of an item that automatic printing could not print: when the next attempt comes, and after which one it is given up.
import t from 'tap'
import { type ErrorCode, SvcError } from '../../../src/core/errors.ts'
import { databaseOn } from '../../../src/db/connect.ts'
import { type PrintingItems, printItem } from '../../../src/orders/auto-print-item.ts'
import { autoPrintRows } from '../../../src/orders/auto-print-rows.ts'
import { ordersOf } from '../../../src/orders/orders.ts'
import { jobOverview } from '../../../src/print/job-overview.ts'
import { cmsOptions } from '../../../src/settings/cms.ts'
import { optionsStore } from '../../../src/settings/option-rows.ts'
import { build, type Engine, onEachEngine } from '../../support/hosts/build.ts'

const rules = { statuses: [], types: ['shortcode' as const], overrides: {} }
const views = [{ title: 'Front', elements: [], options: { stageWidth: 100, stageHeight: 100 } }]

/** A function that tries to print a new order with this outcome, and returns what its row says then; and what was logged. */
async function failingOrder(t: Parameters<typeof build>[0], engine: Engine) {
  const host = await build(t, { engine })
  const database = await databaseOn(host.connection)
  const rows = autoPrintRows(database)
  const orderId = (await host.call('POST', '/shortcode-orders', { views })).body.data.id as number
  await rows.add('shortcode', [{ orderId, itemId: 0 }])
  const warnings: object[] = []
  const attempt = async (handOver: () => Promise<unknown>) => {
    await host.db.updateTable(host.t.auto_prints).set({ next_at: 0 }).execute()
    const item = await rows.take('this process')
    if (!item) throw new Error('The item is not due.')
    const services: PrintingItems = {
      rows,
      orders: ordersOf(database, cmsOptions(database)),
      jobs: jobOverview(database),
      exporter: { handOver } as never,
      options: optionsStore(database, () => {}),
      printable: async () => [],
      warn: (details) => void warnings.push(details),
    }
    const { isBusy } = await printItem(services, rules, item)
    const row = await host.db.selectFrom(host.t.auto_prints).selectAll().executeTakeFirstOrThrow()
    const pause = Number(row.next_at) === 0 ? 0 : Number(row.next_at) - Date.now() / 1000
    return { isBusy, state: row.state, attempts: Number(row.attempts), pause, error: row.error }
  }
  const fails = (code: ErrorCode) => attempt(() => Promise.reject(new SvcError(code)))
  return { attempt, fails, warnings, orderId }
}

const isAbout = (seconds: number, pause: number) => Math.abs(pause - seconds) <= 3

t.test('printItem: a busy renderer is no failed attempt, and is asked again after ten seconds', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { fails } = await failingOrder(t, engine)
    for (let i = 0; i < 2; i++) {
      const found = await fails('svc_renderer_busy')
      t.match(found, { isBusy: true, state: 'waiting', attempts: 0, error: /Too many designs/ })
      t.ok(isAbout(10, found.pause), `${found.pause} s`)
    }
  }),
)

t.test('printItem: pauses grow from ten seconds to half an hour, and the sixth failure is the last', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { fails, warnings, orderId } = await failingOrder(t, engine)
    for (const [index, seconds] of [10, 30, 120, 600, 1800].entries()) {
      const found = await fails('svc_render_failed')
      t.match(found, { isBusy: false, state: 'waiting', attempts: index + 1 })
      t.ok(isAbout(seconds, found.pause), `${found.pause} s`)
    }
    t.same(warnings, [])
    t.match(await fails('svc_render_failed'), { state: 'failed', error: /could not draw/ })
    t.match(warnings, [{ type: 'shortcode', order: orderId, item: 0, reason: /could not draw/ }])
  }),
)

t.test(
  'printItem: a refused design is given up at once, and an order that the service refuses has its job',
  async (t) => {
    const design = await failingOrder(t, 'SQLite')
    t.match(await design.fails('svc_render_refused'), { state: 'failed', attempts: 0 })
    t.equal(design.warnings.length, 1)
    const order = await failingOrder(t, 'SQLite')
    t.match(await order.fails('svc_export_refused'), { state: 'printed' })
    t.same(order.warnings, [])
  },
)

t.test('printItem: a service that does not respond is a failed attempt, and is tried again', async (t) => {
  const { attempt } = await failingOrder(t, 'SQLite')
  const found = await attempt(async () => ({ job: { id: 7, status: 'pending' }, isExpected: true }))
  t.match(found, { isBusy: false, state: 'waiting', attempts: 1, error: /did not respond/ })
  t.ok(isAbout(10, found.pause), `${found.pause} s`)
  t.match(await attempt(async () => ({ job: { id: 7, status: 'processing' }, isExpected: true })), {
    state: 'printed',
  })
})
