// Lists whose rows are read on the main thread, but are large together.
import t from 'tap'
import { createShop } from '../../support/fixtures/shop.ts'
import { encodings, fillLists, listPaths, newOrder } from '../../support/fixtures/stored-lists.ts'
import { build, onEachDialect } from '../../support/hosts/build.ts'
import { watchedHost } from '../../support/hosts/watching.ts'

const rows = 20
const size = 150_000

t.test('other requests get responses while the rows of a list are read', (t) =>
  onEachDialect(t, async (t, engine) => {
    const host = await build(t, { engine })
    await createShop(host)
    const { ask } = await watchedHost(t, { database: host.address })
    // In these encodings, values are decoded with every request.
    const encode = encodings[engine === 'SQLite' ? 'three times slashed' : 'serialized'] ?? JSON.stringify
    await fillLists(host, rows, size, encode)
    const order = await newOrder(host, rows, size, encode)
    // A statement of the embedded database is one piece of work.
    const most = engine === 'SQLite' ? 1 / 2 : 2 / 5
    for (const path of [...listPaths, `/orders/${order}?type=wc`]) {
      const work = { busy: 0, cpu: 0 }
      // All of three requests count.
      for (let tries = 0; tries < 3; tries++) {
        const { status, busy, cpu } = await ask('GET', path)
        t.equal(status, 200, path)
        work.busy += busy
        work.cpu += cpu
      }
      // Small lists are read at once.
      const share = work.cpu < 150 ? 0 : work.busy / work.cpu
      t.ok(share <= most, `${path}: ${Math.round(100 * share)} % of the work between two turns`)
    }
  }),
)
