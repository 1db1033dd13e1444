// Orders that are erased while they are exported, printed or changed: no data comes back.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { connect } from '../../../src/db/connect.ts'
import { guard } from '../../../src/db/guard.ts'
import { customers, emptied, mail } from '../../support/fixtures/customers.ts'
import { onEachEngine } from '../../support/hosts/build.ts'
import { pdf } from '../../support/hosts/print.ts'
import { httpServer } from '../../support/peers/servers.ts'

/** An export service that keeps the requests it gets. */
async function exportService(t: Parameters<typeof httpServer>[0]) {
  const bodies: string[] = []
  const { url } = await httpServer(t, async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    response.end('{"data":{"print_job_id":"x"}}')
  })
  return { bodies, options: { exportService: { url }, export: { wait: 0 } } }
}

t.test('an export that has read the order before it is erased does not go on with it', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { bodies, options } = await exportService(t)
    const { host, stored } = await customers(t, engine, options)
    const id = await stored({ customer_mail: mail })
    // Creates the guard rows.
    const sent = await host.call('POST', `/orders/${id}/export`, { type: 'shortcode' })
    t.equal(sent.status, 201)
    t.match(bodies.splice(0).join(), /Ada Lovelace/)
    await host.call('DELETE', `/print-jobs/${sent.body.data.print_job_id}`)
    const other = await connect({ database: host.address })
    t.teardown(other.close)
    const exporting = await other.db.transaction().execute(async (trx) => {
      await guard(other, trx, 'print_orders')
      const views = JSON.stringify([emptied])
      const change = { views, customer_mail: '', customer_name: '' }
      await trx.updateTable(other.t.orders).set(change).where('ID', '=', id).execute()
      const responding = host.call('POST', `/orders/${id}/export`, { type: 'shortcode' })
      await delay(1000)
      return { responding }
    })
    const { status, headers } = await exporting.responding
    t.notMatch(bodies.join(), /Ada Lovelace/)
    t.match([status, headers['retry-after']], [503, '1'])
    t.same(await host.db.selectFrom(host.t.print_jobs).selectAll().execute(), [])
    t.equal((await host.call('POST', `/orders/${id}/export`, { type: 'shortcode' })).status, 201)
    t.notMatch(bodies.join(), /Ada Lovelace/)
  }),
)

t.test('a print file that arrives after the order was erased is not kept', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { options } = await exportService(t)
    const { host, stored, erase } = await customers(t, engine, options)
    const id = await stored({ customer_mail: mail })
    const { body } = await host.call('POST', `/orders/${id}/export`, { type: 'shortcode' })
    t.match(await erase(), { orders: [id], printJobs: 1, files: 0, problems: [] })
    t.equal((await host.notify(body.data.print_job_id)).status, 404)
    t.same(host.stored(), [])
  }),
)

t.test('a print file that is being downloaded while the order is erased is not kept', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const files = await httpServer(t, async (_request, response) => {
      response.write(pdf)
      begin()
      await released
      response.end()
    })
    const { host, stored, erase } = await customers(t, engine, { printReady: { allow: [files.pair] } })
    const id = await stored({ customer_mail: mail })
    const job = await host.newJob({ order_id: id, order_type: 'shortcode' })
    const notified = host.notify(job.guid, { file_url: `${files.url}/order.pdf` })
    await begun
    t.match(await erase(), { orders: [id], printJobs: 1, problems: [] })
    release()
    t.equal((await notified).status, 404)
    t.same(host.stored(), [])
    t.same(await host.db.selectFrom(host.t.print_job_steps).selectAll().execute(), [])
  }),
)

t.test('writers of the shop go on while a customer with many orders is erased, and lose nothing', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, stored, erase } = await customers(t, engine)
    const ids: number[] = []
    for (let i = 0; i < 200; i++) ids.push(await stored({ customer_mail: mail }))
    const other = await stored({ customer_mail: 'bea@shop.example' })
    let writes = 0
    let isOver = false
    const writing = (async () => {
      while (!isOver) {
        const { status } = await host.call('PATCH', `/shortcode-orders/${other}`, {
          customer_name: `Bea ${++writes}`,
        })
        t.equal(status, 200)
      }
    })()
    const [first, second] = await Promise.all([erase(), erase()])
    isOver = true
    await writing
    t.same(
      [...first.orders, ...second.orders].sort((a, b) => a - b),
      ids,
    )
    t.same([...first.problems, ...second.problems], [])
    t.ok(writes > 1)
    const { body } = await host.call('GET', `/shortcode-orders/${other}`)
    t.equal(body.data.customer_name, `Bea ${writes}`)
  }),
)

t.test('an order that another writer gives to another customer at this moment is not touched', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, stored, erase } = await customers(t, engine)
    // Creates the guard rows.
    t.same((await erase()).orders, [])
    await stored({ customer_mail: mail })
    t.equal((await erase()).orders.length, 1)
    const id = await stored({ customer_mail: mail })
    const other = await connect({ database: host.address })
    t.teardown(other.close)
    const change = { customer_mail: 'bea@shop.example', customer_name: 'Bea' }
    const { erasing } = await other.db.transaction().execute(async (trx) => {
      await trx.updateTable(other.t.orders).set(change).where('ID', '=', id).execute()
      const erasing = erase()
      await delay(1000)
      return { erasing }
    })
    t.match(await erasing, { orders: [], problems: [] })
    const { data } = (await host.call('GET', `/shortcode-orders/${id}`)).body
    t.match(data, { ...change, views: [{ title: 'Front of Ada' }] })
  }),
)
