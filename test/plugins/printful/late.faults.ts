// A write that the provider carries out after we gave it up does not undo what another job of the order has written.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { databaseOn } from '../../../src/db/connect.ts'
import { jobCompleter } from '../../../src/print/complete-job.ts'
import { printReadySettings } from '../../../src/print/options.ts'
import { printfulProvider } from '../../../src/print/providers/printful.ts'
import { localStorage } from '../../../src/storage/local.ts'
import { onlyLocal } from '../../support/fixtures/storages.ts'
import { printHost } from '../../support/hosts/print.ts'
import { printful, token } from '../../support/peers/printful.ts'

t.test('a job whose write has no response keeps its turn until its lease expires', async (t) => {
  const remote = await printful(t)
  const host = await printHost(t)
  const line = {
    name: 'Shirt',
    quantity: 1,
    retailPrice: undefined,
    variantId: 4012,
    placements: ['front'],
    recipient: { name: 'Ada', address1: '1 Road', city: 'London', country_code: 'GB' },
    goneItems: [],
    notes: [],
  }
  const provider = printfulProvider({
    url: remote.url,
    token,
    orders: { line: async () => line, ordered: async () => {} },
  })
  const completer = jobCompleter({
    database: await databaseOn(host.connection),
    storages: onlyLocal(localStorage(host.uploads, 'https://shop.example/uploads')),
    localFile: String,
    settings: {
      ...printReadySettings({ allow: [host.router.pair], tempDir: host.tempDir, leaseSeconds: 2 }),
      providerSeconds: 0.5,
    },
    provider: async () => provider,
    changed: async () => {},
  })
  t.teardown(() => completer.close())
  const jobs = await Promise.all(
    [5, 6, 7].map((item_id) => host.newJob({ order_id: 17, item_id, variation_printful: 1 })),
  )
  const complete = (n: number) => completer.complete(jobs[n]?.guid ?? '', `${host.router.url}/a.png`)
  await complete(0)

  const { promise: applied, resolve } = Promise.withResolvers<void>()
  remote.faults.push(undefined, async (_request, { serve }) => {
    await delay(1200)
    serve()
    resolve()
  })
  await t.rejects(complete(1), { code: 'svc_print_provider_unavailable' })
  for (const n of [1, 2]) {
    for (let tries = 0; tries < 200; tries++) {
      const done = await complete(n).catch((error) => {
        if (error.code !== 'svc_print_job_busy') throw error
      })
      if (done) break
      await delay(50)
    }
  }
  await applied
  t.same(remote.items('17')?.toSorted(), ['5', '6', '7'])
})
