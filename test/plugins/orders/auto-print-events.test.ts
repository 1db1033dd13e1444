// Events of automatic printing: an order that has become printable, and print jobs that have ended.
import t from 'tap'
import { type Change, printOrder } from '../../../plugins/index.ts'
import { autoPrintShop, eventually, jobsOf } from '../../support/hosts/auto-print.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

/** The events of printing, as `type`, id and what is printed. */
const printed = (seen: readonly Change[]) =>
  seen.flatMap(({ resource, action, id, print }) => (print ? [[`${resource}.${action}`, id, print]] : []))

t.test('onChange: order.printable, then print_job.completed with order, item and file', (t) =>
  onEachEngine(t, async (t, engine) => {
    const seen: Change[] = []
    const { host, look, order } = await autoPrintShop(t, engine, {
      onChange: (change) => void seen.push(change),
    })
    const { id, items } = await order(['One', 'Two'], 'wc-processing')
    await look()
    const [printable, ...jobs] = printed(seen)
    const of = { order_type: 'wc', order_id: String(id) }
    t.strictSame(printable, ['order.printable', id, { ...of, item_ids: items, file: null }])
    t.equal(jobs.length, 2)
    for (const [type, , print] of jobs) {
      t.equal(type, 'print_job.completed')
      t.match(print, { ...of, file: /\.svg$/ })
    }
    t.strictSame(jobs.flatMap(([, , print]) => Object(print).item_ids).sort(), items)
    t.equal(seen.find(({ resource }) => resource === 'order')?.operation, 'auto_print')
    seen.length = 0
    await look()
    t.strictSame(printed(seen), [], 'nothing is reported twice')
    t.equal((await jobsOf(host)).length, 2)
  }),
)

t.test('onChange: a design that cannot be drawn is one failed job, which is not made again', (t) =>
  onEachEngine(t, async (t, engine) => {
    const seen: Change[] = []
    const shop = await autoPrintShop(t, engine, { onChange: (change) => void seen.push(change) })
    const { id, items } = await shop.order(['Good'])
    await shop.setFont(items[0] ?? 0, 'No Such Font')
    await shop.setStatus(id, 'wc-processing')
    await shop.look()
    await shop.look()
    t.strictSame(await jobsOf(shop.host), [`wc:${id}:${items[0]} failed`])
    t.match(printed(seen).at(-1), [
      'print_job.failed',
      /\d/,
      { order_id: String(id), item_ids: items, file: null },
    ])
  }),
)

t.test('webhooks: takes the types of printing, and refuses those that no event has', async (t) => {
  const url = 'https://127.0.0.1:9/'
  const with_ = (type: string) => build(t, { webhooks: [{ url, secret, events: [type] }] })
  for (const type of ['order.printable', 'print_job.completed', 'print_job.failed', '*.completed'])
    await t.resolves(with_(type), type)
  for (const type of ['order.created', 'product.completed', 'print_job.printable'])
    await t.rejects(with_(type), /events/, type)
})

t.test('printOrder: prints an order once, whether or not automatic printing is on', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { php, order, setStatus } = await autoPrintShop(t, engine, { autoPrint: false })
    const { id, items } = await order(['By hand'])
    t.equal(await printOrder(php.app, { type: 'wc', id }), 0, 'not while it is unpaid')
    await setStatus(id, 'wc-processing')
    t.equal(await printOrder(php.app, { type: 'wc', id }), 1)
    t.equal(await printOrder(php.app, { type: 'wc', id }), 0)
    await eventually(
      () => jobsOf(php),
      ([job]) => job === `wc:${id}:${items[0]} completed`,
    )
    t.strictSame(await jobsOf(php), [`wc:${id}:${items[0]} completed`])
    await t.rejects(printOrder(php.app, { type: 'wc', id: 9999 }), /No customization data/)
  }),
)
