// A process that is killed in the middle of a print job leaves nothing that a second notification does not make good.
import t from 'tap'
import { onEachEngine } from '../../support/hosts/build.ts'
import { type KillPoint, killLoop } from '../../support/load/kill-loop.ts'

t.test(
  'killed at any point, a job ends in one file, one order at the provider and one completed row',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const points: KillPoint[] = ['download', { query: 8, when: 'after' }, { provider: true, when: 'after' }]
      const { reached, kills, jobs, ...counts } = await killLoop(t, engine, points)
      t.equal(kills, points.length)
      t.same(counts, { files: jobs, providerOrders: jobs, providerItems: jobs, completedRows: jobs })
    })
  },
)
