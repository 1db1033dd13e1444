// The lists, pages and searches of API, desk and /system on a shop with 100,000 print jobs, 30,000 products and 20,000 orders.
// SVC_SHOP_JOBS sets another number of jobs, and the others in proportion.
import { migrate } from '../plugins/index.ts'
import { fillBigShop, sizeOf } from '../test/support/fixtures/big-shop.ts'
import { shopApp, shopRequests, shopTimes } from '../test/support/load/shop-lists.ts'
import { rounds } from './load.ts'

const jobs = Number(process.env.SVC_SHOP_JOBS ?? 100_000)

/** @param address an empty database */
export async function shopRows(address: string): Promise<string[]> {
  const size = sizeOf(jobs)
  await fillBigShop(address, size)
  await migrate({ database: address, indexes: true })
  const app = await shopApp(address)
  try {
    const times = await shopTimes(app, shopRequests(size), 3 * rounds)
    return [
      `| ${jobs.toLocaleString('en')} print jobs, ms in one process | counted anew, p50 | p95 | again, p50 |`,
      '|---|--:|--:|--:|',
      ...[...times].map(
        ([name, { p50, p95, again }]) =>
          `| ${name} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${again.toFixed(1)} |`,
      ),
    ]
  } finally {
    await app.close()
  }
}
