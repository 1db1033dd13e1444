// Lists full of medium-sized blobs, in every encoding that installations contain: no page of them stalls the event loop.
import t from 'tap'
import { createShop } from '../support/fixtures/shop.ts'
import { encodings, fillLists, listPaths, newOrder } from '../support/fixtures/stored-lists.ts'
import { build, onEachEngine } from '../support/hosts/build.ts'
import { watchedHost } from '../support/hosts/watching.ts'

t.setTimeout(3_600_000)

/** Milliseconds of CPU time between two turns of the event loop: other processes of this machine do not count. */
const maxBusy = 200
/** Characters of one blob, below those that are read on another thread, and of all rows of a list. */
const sizes = [20_000, 500_000]
const total = 40_000_000
const only = new RegExp(process.env.SVC_ONLY ?? '')

t.test('no list of stored values stalls the event loop', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await createShop(host)
    const { ask } = await watchedHost(t, { database: host.address, isPatient: true })
    const worst: Record<string, number> = {}
    for (const [encoding, encode] of Object.entries(encodings)) {
      for (const size of sizes) {
        if (!only.test(`${engine} ${encoding} ${size}`)) continue
        await fillLists(host, total / size, size, encode)
        const order = await newOrder(host, total / size, size, encode)
        for (const path of [...listPaths, `/orders/${order}?type=wc`]) {
          for (const read of ['first', 'second']) {
            const { status, busy } = await ask('GET', path)
            const label = `${read} GET ${path} of ${encoding} blobs of ${size} characters: ${status}`
            t.ok(busy < maxBusy, `${label}, busy for ${Math.round(busy)} ms`)
            t.equal(status, 200, label)
            const by = path.replace(/\d+\?type/, '1?type')
            worst[by] = Math.max(worst[by] ?? 0, Math.round(busy))
          }
        }
      }
    }
    for (const [path, busy] of Object.entries(worst)) t.comment(`${engine}: GET ${path}: ${busy} ms`)
  }),
)
