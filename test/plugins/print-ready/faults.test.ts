// The webhook when several call at once, when something fails in between, and when the provider prints.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { memoryProvider } from '../../support/fixtures/memory-provider.ts'
import { onEachEngine } from '../../support/hosts/build.ts'
import { namesIn, pdf, printHost } from '../../support/hosts/print.ts'

t.test('many calls at once in two processes end in one file and one completed row', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const provider = memoryProvider()
    const one = await printHost(t, { engine, printProvider: provider })
    const pair = one.router.pair
    const two = await printHost(t, {
      address: one.address,
      printProvider: provider,
      printReady: { allow: [pair] },
      uploads: { dir: one.uploads, url: 'https://x' },
    })
    const { guid } = await one.newJob({ order_id: 17, item_id: 5, variation_printful: 4012 })
    const body = { file_url: `${one.router.url}/a.pdf` }
    const calls = Array.from({ length: 30 }, (_, i) => (i % 2 ? one : two).notify(guid, body))
    const statuses = new Set((await Promise.all(calls)).map((answer) => answer.status))
    t.ok(statuses.has(200))
    t.same(
      [...statuses].filter((status) => status !== 200 && status !== 409),
      [],
    )
    t.equal(one.router.hits.length, 1)
    t.equal(provider.calls, 1)
    t.equal(one.stored().length + two.stored().length, 1)
    t.equal((await one.job(guid)).status, 'completed')
    t.same([...namesIn(one.tempDir), ...namesIn(two.tempDir)], [])
  })
})

t.test('a call while the job is worked on is 409 at once and says when to come back', async (t) => {
  const waiting: ServerResponse[] = []
  const host = await printHost(t, {}, (_request, response) => void waiting.push(response))
  const { guid } = await host.newJob()
  const first = host.notify(guid)
  while (waiting.length === 0) await new Promise(setImmediate)
  const second = await host.notify(guid)
  t.match(second, { status: 409, body: { code: 'svc_print_job_busy' } })
  t.ok(Number(second.headers['retry-after']) > 0)
  waiting[0]?.end(pdf)
  t.equal((await first).status, 200)
})

t.test('at most four files are fetched at once, the rest is told to come back', async (t) => {
  const waiting: ServerResponse[] = []
  const host = await printHost(t, {}, (_request, response) => void waiting.push(response))
  const jobs = await Promise.all(Array.from({ length: 20 }, () => host.newJob()))
  const responses = jobs.map(({ guid }) => host.notify(guid))
  let settled = 0
  for (const response of responses) void response.then(() => settled++)
  // The others are refused while the four are still being fetched.
  await waitFor(() => waiting.length === 4 && settled === 16)
  t.equal(waiting.length, 4)
  t.equal((await host.call('GET', '/print-jobs')).status, 200)
  for (const response of waiting) response.end(pdf)
  const all = await Promise.all(responses)
  t.equal(all.filter(({ status }) => status === 200).length, 4)
  const busy = all.filter(({ status }) => status === 503)
  t.equal(busy.length, 16)
  t.ok(busy.every(({ headers }) => Number(headers['retry-after']) > 0))
  t.equal(
    (await host.notify(jobs.find((_, i) => all[i]?.status === 503)?.guid ?? '', { file_url: 'http://x:1/' }))
      .status,
    422,
  )
})

t.test('a job that is deleted during its download does not come back, and its file goes', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const waiting: ServerResponse[] = []
    const host = await printHost(t, { engine }, (_request, response) => void waiting.push(response))
    const { guid } = await host.newJob()
    const answer = host.notify(guid)
    await waitFor(() => waiting.length === 1)
    t.equal((await host.call('DELETE', `/print-jobs/${guid}`)).status, 200)
    waiting[0]?.end(pdf)
    t.equal((await answer).status, 404)
    t.same(host.stored(), [])
    t.same(namesIn(host.tempDir), [])
    t.same(await host.db.selectFrom(host.t.print_jobs).selectAll().execute(), [])
    t.same(await host.db.selectFrom(host.t.print_job_steps).selectAll().execute(), [])
  })
})

t.test(
  'work that a dead process held is taken up once its lease is over, at the step that is missing',
  async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const host = await printHost(t, { engine })
      const { id, guid } = await host.newJob()
      const file = 'svc/print_files/0123/whole.pdf'
      const hold = async (step: string, until: number) => {
        await host.db
          .updateTable(host.t.print_job_steps)
          .set({ step, file, lease_owner: 'dead', lease_until: until })
          .where('job_id', '=', id)
          .execute()
      }
      await hold('downloaded', Math.floor(Date.now() / 1000) + 600)
      t.equal((await host.notify(guid)).status, 409)
      await hold('downloaded', 1)
      const { localStorage } = await import('../../../src/storage/local.ts')
      await localStorage(host.uploads).put(file, Buffer.from(pdf))
      t.equal((await host.notify(guid)).status, 200)
      t.same(host.router.hits, [], 'a file that is whole is not fetched again')
      t.same(host.stored(), [file])
    })
  },
)

t.test('the provider is asked once per job, and again only after it could not be reached', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const provider = memoryProvider()
    const host = await printHost(t, { engine, printProvider: provider })
    const details = { order_id: 17, item_id: 5, variation_printful: '4012' }
    const { guid } = await host.newJob(details)
    provider.failures.push('be unavailable', 'be unavailable')
    for (let i = 0; i < 2; i++) {
      t.match(await host.notify(guid), { status: 502, body: { code: 'svc_print_provider_unavailable' } })
      t.not((await host.job(guid)).status, 'completed')
    }
    t.match(await host.notify(guid), { status: 200, body: { data: { status: 'completed' } } })
    t.match(await host.notify(guid), { status: 200 })
    t.equal(provider.calls, 3)
    t.equal(host.router.hits.length, 1, 'the file is fetched once')
    const draft = provider.drafts.get('17')?.get(5)
    t.match(draft, {
      variation: '4012',
      orderType: 'wc',
      jobGuid: guid,
      fileUrl: (await host.job(guid)).file_url,
    })
  })
})

t.test(
  'a refusal for good fails the job with its reason, and a later notification may still complete it',
  async (t) => {
    const provider = memoryProvider()
    const host = await printHost(t, { printProvider: provider })
    const { guid } = await host.newJob({ order_id: 17, variation_printful: 1 })
    provider.failures.push('refuse')
    t.match(await host.notify(guid), { status: 200, body: { data: { status: 'failed' } } })
    t.match(await host.job(guid), {
      status: 'failed',
      error: { code: 'svc_print_provider_refused', message: /does not print/ },
    })
    t.match(await host.notify(guid), { status: 200, body: { data: { status: 'completed' } } })
    t.equal((await host.job(guid)).error, null)
    t.equal(host.router.hits.length, 1)
  },
)

t.test('without a provider, a job that needs one fails with a sentence', async (t) => {
  const host = await printHost(t)
  const { guid } = await host.newJob({ order_id: 17, variation_printful: 1 })
  t.match(await host.notify(guid), { status: 200, body: { data: { status: 'failed' } } })
  t.match(await host.job(guid), { error: { code: 'svc_print_provider_not_configured' } })
  t.equal(host.stored().length, 1)
})

t.test('a variation is attached in whatever form PHP stored it, unless it is empty', async (t) => {
  const host = await printHost(t)
  for (const [variation_printful, status] of [
    [{ id: 4012 }, 'failed'],
    [[4012], 'failed'],
    [null, 'completed'],
    ['', 'completed'],
    [false, 'completed'],
    [[], 'completed'],
  ]) {
    const { guid } = await host.newJob({ order_id: 17, variation_printful })
    t.equal((await host.notify(guid)).body.data.status, status, JSON.stringify(variation_printful))
  }
})

t.test('large details of a job are read like small ones', async (t) => {
  const host = await printHost(t, { printProvider: memoryProvider() })
  const rest = 'x'.repeat(700_000)
  for (const variation_printful of ['4012', undefined, { id: rest }]) {
    const { guid } = await host.newJob({ order_id: 17, item_id: 5, variation_printful, rest })
    t.equal((await host.notify(guid)).body.data.status, 'completed')
    const row = await host.db.selectFrom(host.t.print_job_steps).select(['order_ref', 'item_id']).execute()
    t.match(row.at(-1), { order_ref: 'wc:17', item_id: 5 })
  }
})

t.test('one job at a time has the turn at the provider for an order', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const provider = memoryProvider()
    const { upsertDraft } = provider
    const gate = Promise.withResolvers<void>()
    let entered = 0
    provider.upsertDraft = async (item, signal) => {
      entered++
      await gate.promise
      return upsertDraft(item, signal)
    }
    const host = await printHost(t, { engine, printProvider: provider })
    const [first, second] = [
      await host.newJob({ order_id: 17, item_id: 5, variation_printful: 1 }),
      await host.newJob({ order_id: 17, item_id: 6, variation_printful: 1 }),
    ]
    const answer = host.notify(first.guid)
    await waitFor(() => entered === 1)
    t.match(await host.notify(second.guid), { status: 409, body: { code: 'svc_print_job_busy' } })
    gate.resolve()
    t.equal((await answer).status, 200)
    t.equal((await host.notify(second.guid)).status, 200)
    t.same([...(provider.drafts.get('17')?.keys() ?? [])], [5, 6])
    t.equal(host.router.hits.length, 2)
  })
})

t.test('listeners hear of a completed job after commit, and harm nothing when they throw', async (t) => {
  const heard: unknown[] = []
  const host = await printHost(t, {
    onPrintJobChanged: (change) => {
      heard.push(change)
      throw new Error('listener')
    },
  })
  const { id, guid } = await host.newJob()
  t.equal((await host.notify(guid)).status, 200)
  t.same(heard, [{ id, guid, status: 'completed' }])
})

t.test('closing the app ends a download and leaves nothing half done', async (t) => {
  const host = await printHost(t, {}, () => {})
  const { guid } = await host.newJob()
  const answer = host.notify(guid)
  await waitFor(() => host.router.hits.length === 1)
  await host.app.close()
  t.equal((await answer).status, 502)
  t.same(host.stored(), [])
  t.same(namesIn(host.tempDir), [])
})

t.test('a download goes on when the notifier hangs up', async (t) => {
  const waiting: ServerResponse[] = []
  const host = await printHost(t, {}, (_request, response) => void waiting.push(response))
  const { guid } = await host.newJob()
  const address = await host.app.listen({ port: 0, host: '127.0.0.1' })
  const hangUp = new AbortController()
  const call = fetch(`${address}/wp-json/svc-export/v1.0/print_job/${guid}?file_url=${host.router.url}`, {
    method: 'POST',
    signal: hangUp.signal,
  })
  await waitFor(() => waiting.length === 1)
  hangUp.abort()
  await t.rejects(call)
  const finished = waiting[0] && once(waiting[0], 'close')
  waiting[0]?.end(pdf)
  await finished
  while ((await host.job(guid)).status !== 'completed') await new Promise(setImmediate)
  t.equal(host.stored().length, 1)
})

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate)
}
