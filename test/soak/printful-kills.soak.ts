// Kills at every query, at every request to Printful and at random moments while orders are placed, on each engine.
import t from 'tap'
import { engineNames } from '../support/hosts/build.ts'
import { type PrintfulKillPoint, printfulKillLoop } from '../support/load/printful-kill-loop.ts'

for (const engine of engineNames) {
  t.test(`${engine}: whatever crashes in between, each item is at the provider once`, async (t) => {
    const points: PrintfulKillPoint[] = []
    for (const when of ['before', 'after'] as const) {
      for (const request of ['GET', 'POST', 'PUT'] as const) {
        for (let i = 0; i < 3; i++) points.push({ request, when })
      }
      for (let query = 1; query <= 45; query++) points.push({ query, when })
    }
    for (let millis = 0; millis < 90; millis += 2) points.push({ millis })
    const { reached, kills, jobs, orders, ...counts } = await printfulKillLoop(t, engine, points)
    t.ok(kills >= 90, `${kills} kills`)
    t.same(counts, {
      lost: 0,
      doubled: 0,
      drafts: orders,
      dataRows: orders,
      completed: jobs,
      files: jobs * 3,
      placed: jobs * 2,
      confirmations: 0,
    })
    t.comment(`${engine}: ${JSON.stringify({ jobs, kills, orders, ...counts })}`)
  })
}
