// eraseCustomer(): what is emptied, what stays, and what is never touched.
import { mkdirSync, writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import t from 'tap'
import { creatingTable } from '../../../src/db/migrate.ts'
import { customers, customized, emptied, mail } from '../../support/fixtures/customers.ts'
import { createShop, shopOrder } from '../../support/fixtures/shop.ts'
import { onEachEngine } from '../../support/hosts/build.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'

t.test('an order keeps its amounts and loses everything that says whose it was', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, stored, erase } = await customers(t, engine)
    const whole = {
      product: [customized],
      usedFonts: [{ name: 'Ada Script' }],
      totals: { subtotal: '37.50', tax: { amount: 7.125 }, currency: 'EUR', note: 'for Ada' },
      vat_number: 123456789,
      price: 'call me: 0049',
    }
    const php = `a:1:{s:11:"svc_product";s:${Buffer.byteLength(JSON.stringify([customized]))}:"${JSON.stringify([customized])}";}`
    const list = await stored({ customer_mail: mail, print_order: '{"name":"Ada"}' })
    const object = await stored({ customer_mail: ' ADA@Shop.Example\n', views: JSON.stringify(whole) })
    const slashed = await stored({
      customer_mail: mail,
      views: JSON.stringify([customized]).replace(/["\\]/g, '\\$&'),
    })
    const oldest = await stored({ customer_mail: mail, views: php })
    const bare = await stored({ customer_mail: mail, views: null })
    const before = await host.call('GET', `/shortcode-orders/${list}`)

    const { holders, ...found } = await erase()
    t.same(found, {
      orders: [list, object, slashed, oldest, bare],
      printJobs: 0,
      files: 0,
      metaRows: 0,
      moreHolders: 0,
      problems: [],
    })
    t.same(
      holders.filter(({ table }) => table === host.t.assets).map(({ id }) => id),
      ['2026/04/ada face.png'],
    )
    const viewsOf = async (id: number) => (await host.call('GET', `/shortcode-orders/${id}`)).body.data.views
    t.same((await host.call('GET', `/shortcode-orders/${list}`)).body.data, {
      ...before.body.data,
      customer_name: '',
      customer_mail: '',
      views: [emptied],
    })
    t.same(await viewsOf(object), [emptied])
    t.same(await viewsOf(slashed), [emptied])
    t.same(await viewsOf(bare), [])
    const item = async (id: number) =>
      (await host.call('GET', `/orders/${id}?type=shortcode`)).body.data.items[0]
    t.same(await item(list), { item_id: null, item_key: '_svc_data', data: [emptied] })
    t.same(await item(object), {
      item_id: null,
      item_key: '_svc_data',
      product: [emptied],
      totals: { subtotal: '37.50', tax: { amount: 7.125 }, currency: 'EUR' },
    })
    t.same(await item(oldest), { item_id: null, item_key: '_svc_data', svc_product: [emptied] })
    t.equal((await host.call('GET', `/orders/${list}?type=shortcode&item_key=_svc_print_order`)).status, 404)
    t.notMatch(JSON.stringify((await host.call('GET', '/orders?type=shortcode')).body), /ada/i)
    const text = JSON.stringify(await host.db.selectFrom(host.t.orders).selectAll().execute())
    t.notMatch(text, /ada|lovelace|face|QURB/i)
    t.same(await erase(), {
      orders: [],
      printJobs: 0,
      files: 0,
      metaRows: 0,
      holders: [],
      moreHolders: 0,
      problems: [],
    })
  }),
)

t.test('its print jobs and print files are removed, those of others stay', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, stored, erase, rows } = await customers(t, engine)
    const mine = await stored({ customer_mail: mail })
    const other = await stored({ customer_mail: 'bea@shop.example' })
    const jobFor = async (order_id: number, order_type: string) => {
      const job = await host.newJob({ order_id, order_type })
      t.equal((await host.notify(job.guid)).status, 200)
      return job
    }
    const [first, second] = [await jobFor(mine, 'shortcode'), await jobFor(other, 'shortcode')]
    const third = await jobFor(mine, 'wc')
    mkdirSync(`${host.uploads}/svc/print_files/php`)
    writeFileSync(`${host.uploads}/svc/print_files/php/order.zip`, 'PK')
    writeFileSync(`${host.uploads}/svc/print_files/php/order.zip.1.png`, 'x')
    writeFileSync(`${host.uploads}/svc/print_files/php/notes.txt`, 'x')
    const php = {
      guid: '0123456789abc',
      details: JSON.stringify({ order_id: String(mine), order_type: 'shortcode' }),
      data: JSON.stringify({ local_file: '/srv/www/uploads/svc/print_files/php/order.zip' }),
      status: 'completed',
    }
    await host.db.insertInto(host.t.print_jobs).values(php).execute()
    const before = await rows()

    const dry = await erase({ dryRun: true })
    t.match(dry, { orders: [mine], printJobs: 2, files: 3, problems: [] })
    t.same(await rows(), before)

    t.match(await erase(), { orders: [mine], printJobs: 2, files: 3, problems: [] })
    const { jobs, steps } = await rows()
    t.same(
      jobs.map(({ ID }) => ID),
      [second.id, third.id],
    )
    t.same(
      steps.map(({ job_id }) => job_id),
      [second.id, third.id],
    )
    const names = host.stored().filter((path) => !path.endsWith('order-7.pdf'))
    t.same(names, ['svc/print_files/php/notes.txt'])
    t.equal((await host.call('GET', `/print-jobs/${first.guid}`)).status, 404)
    t.equal((await host.call('GET', `/print-jobs/${second.guid}`)).status, 200)
    t.same((await rows()).orders[1], before.orders[1])
  }),
)

t.test('what cannot be read or removed is left as it is and named, and the rest is erased', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, stored, erase, rows } = await customers(t, engine)
    const broken = await stored({ customer_mail: mail, views: '[{"title":' })
    const odd = await stored({ customer_mail: mail, print_order: 'O:3:"Ada":0:{}' })
    const remote = await stored({ customer_mail: mail })
    const outside = await stored({ customer_mail: mail })
    const fine = await stored({ customer_mail: mail })
    const jobs = []
    for (const [order_id, data] of [
      [broken, { local_file: `${host.uploads}/svc/print_files/a/x.pdf` }],
      [
        remote,
        { local_file: 'svc/print_files/a/x.pdf', storage: 'elsewhere', key: 'svc/print_files/a/x.pdf' },
      ],
      [outside, { local_file: '/etc/svc/print_files/../../passwd' }],
    ] as const) {
      const { id } = await host.newJob({ order_id, order_type: 'shortcode' })
      jobs.push(id)
      await host.db
        .updateTable(host.t.print_jobs)
        .set({ data: JSON.stringify(data), status: 'completed' })
        .where('ID', '=', id)
        .execute()
    }
    mkdirSync(`${host.uploads}/svc/print_files/a`, { recursive: true })
    writeFileSync(`${host.uploads}/svc/print_files/a/x.pdf`, 'x')
    writeFileSync(`${host.uploads}/passwd`, 'x')
    const before = await rows()
    const found = await erase()
    t.match(found.orders, [outside, fine])
    t.same(
      found.problems.map(({ order }) => order),
      [broken, odd, remote],
    )
    t.match(found.problems, [
      { message: /views cannot be read/ },
      { message: /print_order cannot be read/ },
      { message: /could not be removed: .*"elsewhere" is not configured/ },
    ])
    t.match(
      found.holders.filter(({ table }) => table === host.t.print_jobs),
      [{ id: jobs[2], what: /file is not in the folder/ }],
    )
    const after = await rows()
    t.same(after.orders.slice(0, 3), before.orders.slice(0, 3))
    t.same(after.jobs, before.jobs)
    t.same(after.files, before.files)
  }),
)

onServers('the date of an order stays, even where each change would set it', async (t, engine) => {
  const { host, stored, erase } = await customers(t, engine)
  await sql`alter table wp_svc_orders modify created_date
    timestamp not null default current_timestamp on update current_timestamp`.execute(host.db)
  const id = await stored({ customer_mail: mail })
  await sql`update wp_svc_orders set created_date = '2020-02-03 04:05:06' where ID = ${id}`.execute(host.db)
  t.same((await erase()).orders, [id])
  t.match((await host.call('GET', `/shortcode-orders/${id}`)).body.data.created_date, /^2020-02-03T/)
})

t.test('an option that is wrong is refused with a sentence', async (t) => {
  const { erase } = await customers(t, 'SQLite')
  for (const wrong of ['', ' ', 'ada', '@', 'a@b@c', `${'a'.repeat(320)}@b`])
    await t.rejects(erase({ mail: wrong }), { message: 'mail: must be an e-mail address.' })
  await t.rejects(erase({ mail: 7 } as never), /^mail: must be an e-mail address/)
  await t.rejects(erase({ mial: mail } as never), /mial/)
})

t.test('notes of print states of the customer’s orders are removed, their states stay', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, stored, erase } = await customers(t, engine)
    await createShop(host)
    const id = await stored({ customer_mail: mail })
    const other = await stored({ customer_mail: 'grace@shop.example' })
    const shop = await shopOrder(host, 'posts', { mail, items: [{ meta: [['_svc_data', '{}']] }] })
    const values = {
      state: 'problem',
      note: 'Ada wants it blue',
      changed_by: 'anna',
      changed_at: 1,
      content: '',
    }
    const refs = [`shortcode:${id}`, `shortcode:${other}`, `wc:${shop.id}`]
    const rows = refs.map((order_ref) => ({ ...values, order_ref, item_id: 0 }))
    const insert = () => host.db.insertInto(host.t.print_states).values(rows).execute()
    await creatingTable(host.connection, 'print_states', insert)
    const notes = async () => {
      const rows = await host.db.selectFrom(host.t.print_states).selectAll().execute()
      return new Map(rows.map(({ order_ref, state, note }) => [order_ref, `${state}: ${note}`]))
    }
    await erase({ dryRun: true })
    t.match([...(await notes()).values()], Array(3).fill('problem: Ada wants it blue'))
    await erase()
    t.same(
      await notes(),
      new Map([
        [`shortcode:${id}`, 'problem: '],
        [`shortcode:${other}`, 'problem: Ada wants it blue'],
        [`wc:${shop.id}`, 'problem: '],
      ]),
    )
  }),
)
