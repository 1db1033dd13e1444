// eraseCustomer(): print files at a remote storage, links that lead out of the uploads folder, large designs.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { eraseCustomer } from '../../../plugins/index.ts'
import { dropboxStorage } from '../../../src/storage/dropbox.ts'
import { customers, customized, emptied, installation, mail } from '../../support/fixtures/customers.ts'
import { memoryStorage } from '../../support/fixtures/memory-storage.ts'
import { onEachEngine } from '../../support/hosts/build.ts'
import { remoteShop } from '../../support/hosts/remote-shop.ts'

t.test('a print file at a remote storage is removed there; while that fails, its order stays', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, dropbox } = await remoteShop(t, { engine })
    const order = {
      customer_mail: mail,
      customer_name: 'Ada',
      views: JSON.stringify([customized]),
      print_order: null,
    }
    const { insertId } = await host.db.insertInto(host.t.orders).values(order).executeTakeFirstOrThrow()
    const id = Number(insertId)
    const { guid } = await host.newJob({ order_id: id, order_type: 'shortcode' })
    t.equal((await host.notify(guid)).body.data.status, 'completed')
    const files = dropboxStorage({ ...dropbox.options, root: '' })
    const [printed = ''] = dropbox.paths().filter((path) => path.endsWith('.pdf'))
    await files.put(`${printed.slice(1)}.1.png`, Buffer.from('not ours: this is no ZIP file'))
    const erase = () =>
      eraseCustomer({ ...installation(host), mail, storage: { dropbox: { urls: dropbox.options.urls } } })
    dropbox.suffer({ at: '/', what: { status: 500 }, times: 1000 })
    t.match(await erase(), {
      orders: [],
      problems: [{ order: id, message: /^The print file svc\/print_files\/\S+ could not be removed: / }],
    })
    t.match((await host.call('GET', `/shortcode-orders/${id}`)).body.data, { customer_mail: mail })
    dropbox.suffer()
    t.match(await erase(), { orders: [id], printJobs: 1, files: 1, problems: [] })
    t.same(
      dropbox.paths().filter((path) => path.includes('.pdf')),
      [`${printed}.1.png`],
    )
  }),
)

t.test(
  'eraseCustomer: the paths of delivered copies, which may contain the name of the customer, are deleted',
  async (t) => {
    const { host, stored, erase } = await customers(t, 'SQLite')
    const order = await stored({ customer_mail: mail })
    const { id: job } = await host.newJob({ order_id: order, order_type: 'shortcode' })
    const other = await host.newJob({ order_id: order + 1, order_type: 'shortcode' })
    const path = 'hot/Ada Lovelace.pdf'
    const rows = [job, other.id].map((job_id) => ({ job_id, path, state: 'delivered' }))
    await host.db.insertInto(host.t.print_deliveries).values(rows).execute()
    t.match(await erase(), { orders: [order], printJobs: 1 })
    t.same(await host.db.selectFrom(host.t.print_deliveries).select('job_id').execute(), [
      { job_id: other.id },
    ])
  },
)

t.test('a link in the folder of print files is not followed', async (t) => {
  const { host, stored, erase } = await customers(t, 'SQLite')
  const id = await stored({ customer_mail: mail })
  const elsewhere = `${host.uploads}-elsewhere`
  mkdirSync(elsewhere)
  t.teardown(() => rmSync(elsewhere, { recursive: true }))
  writeFileSync(`${elsewhere}/secret.pdf`, 'secret')
  mkdirSync(`${host.uploads}/svc/print_files`, { recursive: true })
  symlinkSync(elsewhere, `${host.uploads}/svc/print_files/link`)
  symlinkSync(`${elsewhere}/secret.pdf`, `${host.uploads}/svc/print_files/linked.pdf`)
  for (const name of ['link/secret.pdf', 'linked.pdf', 'link/../../../../secret.pdf']) {
    const { id: job } = await host.newJob({ order_id: id, order_type: 'shortcode' })
    const data = JSON.stringify({ local_file: `${host.uploads}/svc/print_files/${name}` })
    await host.db
      .updateTable(host.t.print_jobs)
      .set({ data, status: 'completed' })
      .where('ID', '=', job)
      .execute()
  }
  const found = await erase()
  t.equal(readFileSync(`${elsewhere}/secret.pdf`, 'utf8'), 'secret')
  const message = 'The print file svc/print_files/link/secret.pdf could not be removed: ENOTDIR'
  t.match(found, { orders: [], printJobs: 0, problems: [{ order: id, message }] })
  t.match((await host.call('GET', `/shortcode-orders/${id}`)).body.data, { customer_mail: mail })
  t.ok(existsSync(elsewhere))
})

t.test('a file that a killed worker stores meanwhile is removed after the order, too', async (t) => {
  const { host, stored, erase } = await customers(t, 'SQLite')
  const id = await stored({ customer_mail: mail })
  const keys = { processing: 'svc/print_files/0a/late.pdf', completed: 'svc/print_files/0b/early.pdf' }
  const vault = memoryStorage()
  for (const [status, file] of Object.entries(keys)) {
    const { id: job } = await host.newJob({ order_id: id, order_type: 'shortcode' })
    await host.db.updateTable(host.t.print_jobs).set({ status }).where('ID', '=', job).execute()
    const step = { file, storage: 'vault', step: 'downloaded' }
    await host.db.updateTable(host.t.print_job_steps).set(step).where('job_id', '=', job).execute()
    await vault.put(file, Buffer.from('x'))
  }
  const removed: string[] = []
  const remove: typeof vault.remove = async (key) => {
    if (removed.push(key) > 2 || key !== keys.processing) await vault.remove(key)
  }
  const storage = { own: { vault: { ...vault, remove } } }
  t.match(await erase({ storage }), { orders: [id], printJobs: 2, problems: [] })
  t.same(removed, [keys.processing, keys.completed, keys.processing])
  t.equal(await vault.stat(keys.processing), undefined)
})

t.test('an order that gets another file each time is left as it is after ten attempts', async (t) => {
  const { host, stored, erase } = await customers(t, 'SQLite')
  const id = await stored({ customer_mail: mail })
  const { id: job } = await host.newJob({ order_id: id, order_type: 'shortcode' })
  const vault = memoryStorage()
  let attempts = 0
  const getFile = async () => {
    const step = { file: `svc/print_files/0a/${++attempts}.pdf`, storage: 'vault' }
    await host.db.updateTable(host.t.print_job_steps).set(step).where('job_id', '=', job).execute()
  }
  await getFile()
  const found = await erase({ storage: { own: { vault: { ...vault, remove: getFile } } } })
  const message = 'It got another print file each time.'
  t.match(found, { orders: [], printJobs: 0, problems: [{ order: id, message }] })
  t.equal(attempts, 11, 'the first file, and one for each attempt')
  t.match((await host.call('GET', `/shortcode-orders/${id}`)).body.data, { customer_mail: mail })
})

t.test('a large design is emptied without stopping other work', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, stored, erase } = await customers(t, engine)
    const elements = Array.from({ length: 20_000 }, (_, i) => ({
      type: 'text',
      parameters: { text: `Ada ${i} ${'x'.repeat(200)}`, price: i % 2 },
    }))
    const views = JSON.stringify([{ ...customized, elements }])
    t.ok(views.length > 4_000_000)
    const id = await stored({ customer_mail: mail, views })
    t.match(await erase(), { orders: [id], problems: [] })
    const { body } = await host.call('GET', `/shortcode-orders/${id}`)
    t.same(body.data.views, [{ ...emptied, element_prices: Array(10_000).fill(1) }])
  }),
)
