// Lists full of medium-sized blobs, in every encoding that installations contain: no page of them stalls the event loop.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { build, onEachEngine, type TestHost, token } from '../support/build.ts'
import { encodings, lists } from '../support/stored-lists.ts'
import type { Watch } from '../support/watched-host.ts'

t.setTimeout(3_600_000)

/** Milliseconds of CPU time between two turns of the event loop: other processes of this machine do not count. */
const maxBusy = 200
/** Characters of one blob, below those that are read on another thread, and of all rows of a list. */
const sizes = [20_000, 500_000]
const total = 40_000_000

t.test('no list of stored values stalls the event loop', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const child = fork(
      join(import.meta.dirname, '../support/watched-host.ts'),
      [JSON.stringify({ database: host.address })],
      { execArgv: [] },
    )
    t.teardown(() => child.disconnect())
    const [address] = await once(child, 'message')
    const watch = async (): Promise<Watch> => {
      child.send('watch')
      return (await once(child, 'message'))[0]
    }
    const worst: Record<string, number> = {}
    for (const [encoding, encode] of Object.entries(encodings)) {
      for (const size of sizes) {
        await fill(host, size, encode)
        for (const path of lists.flatMap(({ paths }) => paths)) {
          await watch()
          for (const read of ['first', 'second']) {
            const response = await fetch(`${address}/wp-json/svc/v1${path}`, {
              headers: { authorization: `Bearer ${token}` },
            })
            const { byteLength } = await response.arrayBuffer()
            const { busy } = await watch()
            const label = `${read} GET ${path} of ${encoding} blobs of ${size} characters`
            t.ok(
              busy < maxBusy,
              `${label}: ${response.status}, ${byteLength} bytes, busy for ${Math.round(busy)} ms`,
            )
            t.equal(response.status, 200, label)
            worst[path] = Math.max(worst[path] ?? 0, Math.round(busy))
          }
        }
      }
    }
    t.comment(`${engine}: ${JSON.stringify(worst)}`)
  }),
)

/** Replaces the rows of all lists by as many as fit. */
async function fill({ db, t }: TestHost, size: number, encode: (value: unknown) => string): Promise<void> {
  const atOnce = 2_000_000 / size
  for (const { table, row } of lists) {
    await db.deleteFrom(t[table]).execute()
    for (let from = 0; from < total / size; from += atOnce) {
      const rows = Array.from({ length: atOnce }, (_, i) => ({
        ID: from + i + 1,
        ...row(from + i + 1, size, encode),
      }))
      await db
        .insertInto(t[table])
        .values(rows as never)
        .execute()
    }
  }
}
