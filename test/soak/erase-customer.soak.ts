// A customer with 10,000 orders is erased while the shop goes on: bounded memory, short locks.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { onEachEngine } from '../support/build.ts'
import { customers, customized, mail } from '../support/customers.ts'

t.setTimeout(1_800_000)
const count = 10_000
const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)

t.test('10,000 orders are erased in bounded memory while others write', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, stored, erase } = await customers(t, engine)
    const other = await stored({ customer_mail: 'bea@shop.example' })
    const elements = Array.from({ length: 100 }, (_, i) => ({
      type: 'text',
      parameters: { text: `Ada ${i} ${'x'.repeat(150)}` },
    }))
    const views = JSON.stringify([{ ...customized, elements: [...customized.elements, ...elements] }])
    const row = { customer_name: 'Ada', customer_mail: mail, views, print_order: null }
    for (let at = 0; at < count; at += 100)
      await host.db.insertInto(host.t.orders).values(Array(100).fill(row)).execute()
    await erase({ dryRun: true, mail: 'nobody@shop.example' })
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    let largest = before
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
        largest = Math.max(largest, process.memoryUsage().rss)
        await delay(20)
      }
    })()
    const begun = performance.now()
    const found = await erase()
    const seconds = (performance.now() - begun) / 1000
    isOver = true
    await writing
    t.same([found.orders.length, found.problems], [count, []])
    t.equal(found.holders.length + found.moreHolders, count)
    const left = await host.db
      .selectFrom(host.t.orders)
      .select('ID')
      .where('views', 'like', '%Ada%')
      .where('ID', '<>', other)
      .execute()
    t.same(left, [])
    t.comment(
      `${engine}: ${Math.round(seconds)} s, ${Math.round((seconds * 1e6) / count) / 1000} ms each, ${writes} writes, ` +
        `slowest ${Math.round(slowest)} ms, memory ${megabytes(before)} to ${megabytes(largest)} MiB`,
    )
    t.ok(largest - before < 200 * 2 ** 20, `${megabytes(largest - before)} MiB more`)
    t.ok(slowest < 5000, `a write took ${Math.round(slowest)} ms`)
  }),
)
