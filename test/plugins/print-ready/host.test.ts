// The webhook in hosts of other habits: short deadlines, pools that count otherwise, a group that stands alone.
import { createPool } from 'mysql2'
import t from 'tap'
import { printReady, svcContext } from '../../../plugins/index.ts'
import { requestTime } from '../../../src/core/deadline.ts'
import { freshAddress } from '../../support/hosts/build.ts'
import { Fastify } from '../../support/hosts/fastify.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'
import { pdf, printHost } from '../../support/hosts/print.ts'

t.test('a download may take longer than other requests', async (t) => {
  const { handler } = requestTime
  t.teardown(() => {
    requestTime.handler = handler
  })
  const host = await printHost(t, {}, async (_request, response) => {
    const start = performance.now()
    while (performance.now() - start < 50) await new Promise(setImmediate)
    response.end(pdf)
  })
  const { guid } = await host.newJob()
  requestTime.handler = 1
  t.equal((await host.notify(guid)).status, 200)
})

onServers('a pool that counts only changed rows loses no lease', async (t, engine) => {
  const address = await freshAddress(t, engine)
  const database = createPool({ uri: address, charset: 'utf8mb4', flags: ['-FOUND_ROWS'] })
  t.teardown(() => new Promise((resolve) => database.end(resolve)))
  const host = await printHost(
    t,
    { address, database, printReady: { leaseSeconds: 0.03 } },
    async (_request, response) => {
      const start = performance.now()
      // Several heartbeats within one second.
      while (performance.now() - start < 200) await new Promise(setImmediate)
      response.end(pdf)
    },
  )
  const { guid } = await host.newJob()
  t.match(await host.notify(guid), { status: 200, body: { data: { status: 'completed' } } })
})

t.test('the webhook works alone beside its context', async (t) => {
  const host = await printHost(t)
  const { guid } = await host.newJob()
  const app = Fastify()
  t.teardown(() => app.close())
  const uploads = { dir: host.uploads, url: 'https://shop.example/uploads' }
  app.register(async (scope) => {
    scope.register(svcContext, {
      database: host.address,
      siteUrl: 'https://shop.example',
      uploads,
      printReady: { allow: [host.router.pair] },
    })
    scope.register(printReady, { prefix: '/wp-json/svc-export/v1.0' })
  })
  const url = `/wp-json/svc-export/v1.0/print_job/${guid}`
  const answer = await app.inject({ method: 'POST', url, payload: { file_url: host.router.url } })
  t.equal(answer.statusCode, 200)
  t.match(answer.json().data.file_url, /^https:\/\/shop\.example\/uploads\/svc\/print_files\//)
})

t.test('an option that cannot be meant ends the start with a sentence', async (t) => {
  for (const [options, words] of [
    [{ printReady: { allow: ['router'] } }, /printReady\.allow/],
    [{ printReady: { secret: 'short' } }, /printReady\.secret/],
    [{ exportService: { url: 'ftp://x' } }, /exportService\.url/],
  ] as const) {
    const app = Fastify()
    app.register(svcContext, {
      database: 'sqlite::memory:',
      siteUrl: 'https://x',
      migrate: true,
      ...(options as object),
    })
    await t.rejects(async () => {
      await app.ready()
    }, words)
  }
})
