// eraseCustomer() reports what it changes as a server does: to a listener, to the audit trail, and to the outbox.
import t from 'tap'
import { auditEntries, type Change, type ChangeOptions } from '../../../plugins/index.ts'
import { customers, mail } from '../../support/fixtures/customers.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'
import { eventually, receiver, webhookSecret } from '../../support/hosts/webhooks.ts'

t.test('each emptied order and each deleted print job is one change, in all three ways', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, stored, erase } = await customers(t, engine)
    const [first, second] = [await stored({ customer_mail: mail }), await stored({ customer_mail: mail })]
    await stored({ customer_mail: 'bea@shop.example' })
    const broken = await stored({ customer_mail: mail, views: '{' })
    const job = await host.newJob({ order_id: first, order_type: 'shortcode' })
    t.equal((await host.notify(job.guid)).status, 200)
    const seen: Change[] = []
    const { endpoint, received } = await receiver(t)
    const jobsOnly = { ...endpoint, url: `${endpoint.url}/jobs`, events: ['print_job.*'] }
    const reports = {
      onChange: (change: Change) => seen.push(change),
      audit: { keepDays: 365 },
      webhooks: [endpoint, jobsOnly],
    }

    t.same((await erase({ ...reports, dryRun: true })).orders, [first, second])
    t.same(seen, [], 'a dry run reports nothing')

    const { orders, problems } = await erase(reports)
    t.same([orders, problems.map(({ order }) => order)], [[first, second], [broken]])
    const by = { operation: 'erase_customer', principal: null, request_id: null }
    const tags = { before_etag: null, after_etag: null }
    const expected: Change[] = [
      { resource: 'print_job', action: 'deleted', id: job.id, ...by, ...tags },
      { resource: 'shortcode_order', action: 'updated', id: first, ...by, ...tags },
      { resource: 'shortcode_order', action: 'updated', id: second, ...by, ...tags },
    ]
    t.same(seen, expected)
    const entries = await auditEntries({ database: host.address })
    t.same(
      entries.reverse().map(({ at: _, ...change }) => change),
      expected,
    )
    t.same(received, [], 'it delivers nothing by itself')

    await build(t, { engine, address: host.address, webhooks: [endpoint, jobsOnly] })
    await eventually(() => received.length === 4)
    const sent = (path: string) =>
      received.filter(({ url }) => url === path).map(({ type, data }) => [type, data.id])
    t.same(
      sent('/hook').sort(),
      [
        ['print_job.deleted', job.id],
        ['shortcode_order.updated', first],
        ['shortcode_order.updated', second],
      ],
      'a running server delivers it',
    )
    t.same(sent('/hook/jobs'), [['print_job.deleted', job.id]])
    // Hexadecimal digits of ids may spell the first name alone.
    t.notMatch(JSON.stringify([entries, received]), /ada[@ ]|lovelace|shop\.example/i)

    await erase(reports)
    t.equal(seen.length, 3, 'nothing is reported where nothing is left to erase')
  }),
)

t.test('an order that is not emptied has no entry, and one that is has one', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, stored, erase, rows } = await customers(t, engine)
    await stored({ customer_mail: mail })
    await host.db.schema.alterTable(host.t.api_audit).dropColumn('request_id').execute()
    await t.rejects(erase({ audit: true }), 'the entry cannot be written')
    t.match((await rows()).orders, [{ customer_mail: mail }])
  }),
)

t.test('a listener that fails does not stop the erasure', async (t) => {
  const { stored, erase } = await customers(t, 'SQLite')
  const id = await stored({ customer_mail: mail })
  const warnings: string[] = []
  const note = ({ message }: Error) => warnings.push(message)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  const { orders } = await erase({
    onChange: () => {
      throw new Error('listener')
    },
  })
  t.same(orders, [id])
  await eventually(() => warnings.some((text) => text.includes('The listener onChange failed')))
})

t.test('wrong options, and tables that are missing, are refused before anything is erased', async (t) => {
  const { host, stored, erase, rows } = await customers(t, 'SQLite')
  await stored({ customer_mail: mail })
  const webhooks = [{ url: 'http://erp.example/', secret: webhookSecret }]
  await t.rejects(erase({ webhooks }), /webhooks\[0\]\.url: must be an https URL/)
  await t.rejects(erase({ audit: 'yes' as never }), /^audit: must be true, false or an object/)
  const needs: [table: 'api_audit' | 'api_outbox', options: ChangeOptions][] = [
    ['api_audit', { audit: true }],
    ['api_outbox', { webhooks: [{ url: 'https://erp.example/', secret: webhookSecret }] }],
  ]
  for (const [table, options] of needs) {
    await host.db.schema.dropTable(host.t[table]).execute()
    await t.rejects(erase(options), new RegExp(`wp_svc_${table} is missing`))
  }
  t.match((await rows()).orders, [{ customer_mail: mail }])
  t.equal((await erase()).orders.length, 1, 'without them it needs no table')
})
