// A failed print job is made once more: for whom, as what, and what becomes of it.
import t from 'tap'
import type { Change } from '../../plugins/index.ts'
import { shopOrder } from '../support/fixtures/shop.ts'
import { onEachEngine } from '../support/hosts/build.ts'
import { jobRow } from '../support/hosts/desk.ts'
import { caller, connected } from '../support/hosts/mcp.ts'
import { as, makeToken } from '../support/hosts/named-tokens.ts'
import { renderShop, textElement, viewWith } from '../support/render/render-shop.ts'

const design = { product: [viewWith(textElement('Ada Lovelace'))] }

t.test('a failed job is retried as a new job of the same item, printed in the same way, and told of', (t) =>
  onEachEngine(t, async (t, engine) => {
    const changes: Change[] = []
    const { host, id, item } = await renderShop(t, engine, design, {
      audit: true,
      onChange: (told: Change) => void changes.push(told),
    })
    const failed = await jobRow(host, { type: 'wc', id, item, status: 'failed' })
    const how = { order_id: id, order_type: 'wc', item_id: item, output_format: 'png', dpi: 144 }
    await host.db
      .updateTable(host.t.print_jobs)
      .set({ details: JSON.stringify(how) })
      .where('ID', '=', failed.id)
      .execute()
    const { status, headers, body } = await host.call('POST', `/print-jobs/${failed.guid}/retry`)
    t.equal(status, 201)
    t.match(body.data, { details: how, error: null })
    t.not(body.data.guid, failed.guid)
    t.match(headers.location, new RegExp(`/print-jobs/${body.data.guid}$`))
    t.match(changes, [
      { resource: 'print_job', action: 'created', id: String(body.data.id), operation: 'retry_print_job' },
    ])
    const again = await host.call('POST', `/print-jobs/${failed.id}/retry`)
    t.match([again.status, again.body.code], [409, 'svc_print_job_not_failed'])
    t.equal(again.body.data.print_job_id, body.data.guid)
    t.equal((await host.call('GET', '/print-jobs')).body.meta.total, 2)
  }),
)

t.test('only failed jobs that name an order which is still there are retried', async (t) => {
  const { host, id, item } = await renderShop(t, 'SQLite', design)
  const retry = async (job: { guid: string }) => {
    const { status, body } = await host.call('POST', `/print-jobs/${job.guid}/retry`)
    return [status, body.code]
  }
  const job = (status: string, of = {}) => jobRow(host, { type: 'wc', id, item, status, ...of })
  t.same(await retry(await job('completed')), [409, 'svc_print_job_not_failed'])
  t.same(await retry(await job('processing')), [409, 'svc_print_job_not_failed'])
  t.same(await retry(await job('failed', { id: 4711 })), [404, 'svc_order_data_not_found'])
  t.same(await retry({ guid: 'nobody' }), [404, 'svc_print_job_not_found'])
  const odd = { product: design.product, variation_printful: 'x'.repeat(100_000) }
  const meta: [string, string][] = [['_svc_data', JSON.stringify(odd)]]
  const { id: oddId, items } = await shopOrder(host, 'posts', { items: [{ meta }] })
  const unprintable = await jobRow(host, { type: 'wc', id: oddId, item: items[0] ?? 0, status: 'failed' })
  t.same(await retry(unprintable), [409, 'svc_unreadable_value'])
  const nameless = await job('failed')
  await host.db.updateTable(host.t.print_jobs).set({ details: '{}' }).where('ID', '=', nameless.id).execute()
  t.same(await retry(nameless), [404, 'svc_order_data_not_found'])
  t.equal((await host.call('GET', '/print-jobs')).body.meta.total, 5)
})

t.test('a repeated request with its key gets the same job, and retries nothing', async (t) => {
  const { host, id, item } = await renderShop(t, 'SQLite', design)
  const { guid } = await jobRow(host, { type: 'wc', id, item, status: 'failed' })
  const send = (more = {}) =>
    host.call('POST', `/print-jobs/${guid}/retry`, undefined, { 'idempotency-key': 'k1', ...more })
  const [first, second] = [await send(), await send()]
  t.equal(second.headers['idempotency-replayed'], 'true')
  t.equal(second.body.data.guid, first.body.data.guid)
  const minimal = await send({ prefer: 'return=minimal' })
  t.strictSame(minimal.body.data, { id: first.body.data.id })
})

t.test('it needs the right to print an order, not the one to look after jobs', async (t) => {
  const { host, id, item } = await renderShop(t, 'SQLite', design)
  const { guid } = await jobRow(host, { type: 'wc', id, item, status: 'failed' })
  const tidy = as(host, await makeToken(host, 'tidy', ['print_jobs:write', 'orders:read']))
  const refused = await tidy('POST', `/print-jobs/${guid}/retry`)
  t.match([refused.status, refused.body.data.scope], [403, 'orders:write'])
  const printer = as(host, await makeToken(host, 'printer', ['orders:write']))
  t.equal((await printer('POST', `/print-jobs/${guid}/retry`)).status, 201)
})

t.test('agents retry jobs by a tool, and find orders without a print file', async (t) => {
  const { host, id, item } = await renderShop(t, 'SQLite', design, { mcp: true })
  const origin = await host.app.listen({ port: 0, host: '127.0.0.1' })
  const tool = caller(await connected(t, `${origin}/wp-json/svc/v1/mcp`))
  const { guid } = await jobRow(host, { type: 'wc', id, item, status: 'failed' })
  const missing = await tool('list_orders', { has_print_file: false, fields: ['id'] })
  t.same(missing.structuredContent?.data, [{ id }])
  const made = await tool('retry_print_job', { print_job_id: guid })
  t.match(made.structuredContent?.data, { details: { order_id: id, item_id: item } })
})
