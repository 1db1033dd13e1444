// The outbox of webhooks under 100 kills on each engine.
import t from 'tap'
import { onEachEngine } from '../support/hosts/build.ts'
import { outboxKills } from '../support/load/outbox-kills.ts'

t.test('of 100 killed processes each committed change arrives, in order for each resource', (t) =>
  onEachEngine(t, async (t, engine) => {
    const report = await outboxKills(t, engine, 100)
    t.comment(`${engine}: ${JSON.stringify(report)}`)
    t.equal(report.kills, 100)
    t.ok(report.changes > 100 && report.doubles > 0)
  }),
)
