// A few kills at the decisive moments of an order at Printful; the soak test does it everywhere.
import t from 'tap'
import { engineNames } from '../../support/hosts/build.ts'
import { type PrintfulKillPoint, printfulKillLoop } from '../../support/load/printful-kill-loop.ts'

for (const engine of engineNames) {
  t.test(`${engine}: after a kill around a write at the provider no item is lost or doubled`, async (t) => {
    const points: PrintfulKillPoint[] = [
      { request: 'POST', when: 'before' },
      { request: 'PUT', when: 'before' },
      { request: 'PUT', when: 'after' },
      { request: 'POST', when: 'after' },
      { request: 'GET', when: 'after' },
      { request: 'PUT', when: 'after' },
    ]
    const { reached, ...counts } = await printfulKillLoop(t, engine, points)
    t.ok(reached.every(Boolean), 'each kill is reached')
    t.same(counts, {
      jobs: 6,
      kills: 6,
      lost: 0,
      doubled: 0,
      orders: 2,
      drafts: 2,
      dataRows: 2,
      completed: 6,
      files: 18,
      placed: 12,
      confirmations: 0,
    })
  })
}
