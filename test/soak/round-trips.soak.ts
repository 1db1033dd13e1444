// Round trips of every resource and of orders, over as many stored values as time allows.
import t from 'tap'
import { checkOrderRoundTrips } from '../support/fixtures/order-round-trip.ts'
import { roundTrips } from '../support/fixtures/round-trips.ts'
import { build, onEachEngine } from '../support/hosts/build.ts'

/** Stored values per resource and engine. */
const runs = Number(process.env.SVC_ROUND_TRIPS ?? 20_000)
const seed = Number(process.env.SVC_SEED ?? Date.now() % 2 ** 31)

t.setTimeout(6 * 3_600_000)
t.comment(`seed ${seed}`)

for (const [name, check] of Object.entries(roundTrips)) {
  t.test(`what was read of ${name} can be sent back`, { timeout: 3_600_000 }, (t) =>
    onEachEngine(t, async (t, engine) => {
      t.setTimeout(3_600_000)
      const count = await check(await build(t, { engine }), runs, seed)
      t.ok(count > runs / 2)
      t.comment(`${name} on ${engine}: ${count} of ${runs} stored values read and sent back`)
    }),
  )
}

t.test('what was read of orders can be sent back', { timeout: 3_600_000 }, (t) =>
  onEachEngine(t, async (t, engine) => {
    t.setTimeout(3_600_000)
    const counts = await checkOrderRoundTrips(await build(t, { engine }), runs, seed)
    t.equal(Object.keys(counts).length, 6)
    t.comment(`orders on ${engine}`, counts)
  }),
)
