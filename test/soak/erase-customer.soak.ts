// A customer with 10,000 orders is erased while the shop goes on: bounded memory, short locks.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { customers, customized, mail } from '../support/fixtures/customers.ts'
import { engineNames } from '../support/hosts/build.ts'
import { commandIn } from '../support/hosts/command.ts'

t.setTimeout(1_800_000)
const count = 10_000

// One after the other, because they share the machine.
for (const engine of engineNames)
  t.test(`10,000 orders are erased in bounded memory while others write: ${engine}`, async (t) => {
    const { host, stored } = await customers(t, engine)
    const other = await stored({ customer_mail: 'bea@shop.example' })
    const elements = Array.from({ length: 100 }, (_, i) => ({
      type: 'text',
      parameters: { text: `Ada ${i} ${'x'.repeat(150)}` },
    }))
    const views = JSON.stringify([{ ...customized, elements: [...customized.elements, ...elements] }])
    const row = { customer_name: 'Ada', customer_mail: mail, views, print_order: null }
    for (let at = 0; at < count; at += 100)
      await host.db.insertInto(host.t.orders).values(Array(100).fill(row)).execute()
    let slowest = 0
    let writes = 0
    let isOver = false
    const writing = (async () => {
      while (!isOver) {
        const begun = performance.now()
        const { status } = await host.call('PATCH', `/shortcode-orders/${other}`, {
          customer_name: `B${writes++}`,
        })
        t.equal(status, 200)
        slowest = Math.max(slowest, performance.now() - begun)
        await delay(20)
      }
    })()
    const begun = performance.now()
    const { code, stdout, stderr } = await commandIn(t)(['erase-customer', '--mail', mail, '--json'], {
      DATABASE_URL: host.address,
      UPLOADS_DIR: host.uploads,
      // The orders have 200 MiB.
      NODE_OPTIONS: '--max-old-space-size=64',
    })
    const seconds = (performance.now() - begun) / 1000
    isOver = true
    await writing
    t.equal(code, 0, stderr)
    const found = JSON.parse(stdout)
    t.same([found.orders.length, found.problems, found.holders.length], [count, [], 1])
    const left = await host.db
      .selectFrom(host.t.orders)
      .select('ID')
      .where('views', 'like', '%Ada%')
      .where('ID', '<>', other)
      .execute()
    t.same(left, [])
    t.comment(
      `${engine}: ${Math.round(seconds)} s, ${Math.round((seconds * 1e6) / count) / 1000} ms each, ${writes} writes, ` +
        `slowest ${Math.round(slowest)} ms`,
    )
    t.ok(slowest < 5000, `a write took ${Math.round(slowest)} ms`)
  })
