// The database itself on a disk that is full: writes are refused as a whole, reads go on, and everything works again once there is
// room. Needs root for the mount.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { newProduct } from '../support/fixtures/rows.ts'
import { build, ownServer, type TestHost, type TestResponse } from '../support/hosts/build.ts'
import { eventually } from '../support/hosts/webhooks.ts'
import { freshDatabaseOn } from '../support/peers/database-server.ts'

const minutes = (count: number) => count * 60_000
t.setTimeout(minutes(15))

/** A disk of its own, and what fills it except for some bytes. */
function disk(t: Test) {
  const dir = mkdtempSync(join(tmpdir(), 'svc-full-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1g', 'tmpfs', dir], { stdio: 'pipe' })
  t.teardown(() => {
    execFileSync('umount', ['--lazy', dir])
    rmSync(dir, { recursive: true })
  })
  const ballast = join(dir, 'ballast')
  return {
    dir,
    fill(room: number) {
      const file = openSync(ballast, 'w')
      const block = Buffer.alloc(256 * 1024)
      for (;;) {
        const { bavail, bsize } = statfsSync(dir)
        const excess = bavail * bsize - room
        if (excess <= 0) break
        writeSync(file, block, 0, Math.min(block.length, excess))
      }
      closeSync(file)
    },
    empty: () => rmSync(ballast),
  }
}

type Tally = Record<string, number>
const reasonOf = ({ status, body }: TestResponse) =>
  [status, body?.data?.reason, body?.data?.outcome].filter(Boolean).join(' ')

/** Adds views of half a megabyte until ten are refused. */
async function viewsUntilFull(t: Test, { call }: TestHost, product: number): Promise<Tally> {
  const tally: Tally = {}
  for (let refused = 0; refused < 10; ) {
    const elements = [{ title: 'filler', source: 'x'.repeat(500_000) }]
    const started = performance.now()
    const response = await call('POST', `/products/${product}/views`, { title: 'Full', elements })
    tally[reasonOf(response)] = (tally[reasonOf(response)] ?? 0) + 1
    if (response.status !== 201) {
      refused++
      t.equal(response.status, 503)
      t.match(response.body, { code: 'svc_unavailable', message: /\.$/ })
      t.match(response.headers['retry-after'], /^\d+$/)
    }
    t.ok(performance.now() - started < 15_000, 'it responds within its deadline')
  }
  return tally
}

// MariaDB ends itself when its disk is full: that is a server which cannot be reached.
for (const engine of ['SQLite', 'MySQL'] as const)
  t.test(
    `POST /products/{id}/views: 503 on a full disk, then 201 with nothing half-written: ${engine}`,
    async (t) => {
      t.setTimeout(minutes(5))
      const full = disk(t)
      const address =
        engine === 'SQLite'
          ? `sqlite:${full.dir}/shop.sqlite`
          : await freshDatabaseOn(t, (await ownServer(t, engine, { disk: full.dir })).url())
      const host = await build(t, { address, readinessPath: '/ready' })
      const product = await newProduct(host)
      full.fill(3 * 2 ** 20)
      const tally = await viewsUntilFull(t, host, product)
      t.comment(JSON.stringify({ engine, tally }))
      t.equal((await host.call('GET', `/products/${product}`)).status, 200, 'reads go on')

      full.empty()
      await eventually(
        async () => (await host.call('POST', '/categories', { title: 'Room' })).status === 201,
        minutes(2),
      )
      const added = await host.call('POST', `/products/${product}/views`, { title: 'Room' })
      t.equal(added.status, 201)
      const { body } = await host.call('GET', `/products/${product}?include_views=1`)
      const stored = body.data.views.length
      const unknown = Object.entries(tally).reduce((sum, [key, n]) => sum + (/unknown/.test(key) ? n : 0), 0)
      const saved = 1 + (tally['201'] ?? 0)
      t.ok(
        stored >= saved && stored <= saved + unknown,
        `${stored} views, ${saved} confirmed, ${unknown} unknown`,
      )
      t.equal((await host.app.inject('/ready')).statusCode, 200)
    },
  )
