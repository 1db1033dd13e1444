// A shop with 1,000,000 print jobs, 300,000 products, 900,000 views and 200,000 orders: every list, page and search of the
// API, the desk and /system answers in time, and hardly later than in a shop of a thousandth. SVC_SHOP_JOBS sets another number of jobs.
import t, { type Test } from 'tap'
import { migrate } from '../../plugins/index.ts'
import { fillBigShop, sizeOf, useOrders } from '../support/fixtures/big-shop.ts'
import { shopApp, shopRequests, shopTimes } from '../support/load/shop-lists.ts'
import { freshDatabaseOn } from '../support/peers/database-server.ts'
import { startMariadb } from '../support/peers/mariadb.ts'

t.setTimeout(3_600_000)

const jobs = Number(process.env.SVC_SHOP_JOBS ?? 1_000_000)
const rounds = 10
/** In milliseconds. */
const marks = { p50: 100, p95: 400 }
const maxGrowth = 5
/** Quicker ones count as this many milliseconds, since they vary. */
const least = 10

/** Requests whose time is that of reading the whole table, or of a response that grows with the shop. */
const whole: Record<string, { p50: number; p95: number; because: string }> = {
  'categories with products': { p50: 500, p95: 1000, because: 'it returns 670,000 ids, 4.5 MB' },
  'print jobs by status, all': { p50: 500, p95: 1000, because: 'it returns 10,000 jobs, 3 MB' },
}
/** Searches of orders read all names of customers, at any size. */
const isOrderSearch = (name: string) => /^(?:orders|desk).*search/.test(name)

async function filled(t: Test, server: string, count: number) {
  const address = await freshDatabaseOn(t, server)
  const begun = performance.now()
  await fillBigShop(address, sizeOf(count))
  await migrate({ database: address, indexes: true })
  t.comment(`${count} jobs in ${Math.round((performance.now() - begun) / 1000)} s`)
  return address
}

async function timesOf(t: Test, address: string, count: number) {
  const app = await shopApp(address)
  t.teardown(() => app.close())
  return shopTimes(app, shopRequests(sizeOf(count)), rounds)
}

t.test(`every list, page and search of a shop with ${jobs} print jobs keeps its mark`, async (t) => {
  const mariadb = await startMariadb({
    flags: ['--innodb-buffer-pool-size=2G', '--innodb-log-file-size=512M'],
  })
  t.teardown(() => mariadb.stop())
  const [large, small] = [await filled(t, mariadb.url(), jobs), await filled(t, mariadb.url(), 1000)]
  for (const where of ['tables', 'posts'] as const)
    await t.test(`orders in ${where}`, async (t) => {
      for (const address of [large, small]) await useOrders(address, where)
      const few = await timesOf(t, small, 1000)
      const many = await timesOf(t, large, jobs)
      for (const [name, times] of many) {
        const { p50, p95, because } = { because: '', ...marks, ...whole[name] }
        const before = few.get(name)?.again ?? 0
        const shown = [times.p50, times.p95, times.again, before].map((time) => time.toFixed(1)).join(', ')
        t.same([...times.problems], [], `${name} answers`)
        t.ok(times.p50 < p50 && times.p95 < p95, `${name}: ${shown} ms ${because}`)
        if (because === '' && !isOrderSearch(name))
          t.ok(times.again < maxGrowth * Math.max(before, least), `${name} grows: ${shown} ms`)
      }
    })
})
