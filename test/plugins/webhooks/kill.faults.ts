// Processes are killed while they write and deliver; the soak test of the same does it a hundred times.
import t from 'tap'
import { onEachEngine } from '../../support/hosts/build.ts'
import { outboxKills } from '../../support/load/outbox-kills.ts'

t.test('no event is lost, invented or out of order when processes are killed', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { kills, changes } = await outboxKills(t, engine, 2)
    t.equal(kills, 2)
    t.ok(changes > 0)
  }),
)
