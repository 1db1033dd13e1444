// Kills the process at every query, at the provider, in the download and at random moments, on each engine.
import t from 'tap'
import { engineNames } from '../support/hosts/build.ts'
import { type KillPoint, killLoop } from '../support/load/kill-loop.ts'

for (const engine of engineNames) {
  t.test(`${engine}: whatever crashes, each job completes once`, async (t) => {
    const points: KillPoint[] = ['download', 'download']
    for (const when of ['before', 'after'] as const) {
      points.push({ provider: true, when })
      for (let query = 1; query <= 30; query++) points.push({ query, when })
    }
    // Between them the file is moved and flushed.
    for (let i = 0; i < 30; i++) points.push({ millis: i })
    const { reached, kills, jobs, ...counts } = await killLoop(t, engine, points)
    t.ok(kills >= 60, `${kills} kills`)
    t.same(counts, { files: jobs, providerOrders: jobs, providerItems: jobs, completedRows: jobs })
    t.comment(`${engine}: ${JSON.stringify({ jobs, kills, ...counts })}`)
  })
}
