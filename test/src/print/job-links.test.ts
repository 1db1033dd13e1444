// Print jobs that PHP writes are linked to their orders by rows of ours, once, whatever PHP does to them afterwards.
import { createConnection } from 'mysql2/promise'
import t, { type Test } from 'tap'
import { connect, databaseOn } from '../../../src/db/connect.ts'
import { jobLinks } from '../../../src/print/job-links.ts'
import { printJobSteps } from '../../../src/print/print-job-steps.ts'
import { printJobsRepository } from '../../../src/print/print-jobs.ts'
import { build, onEachEngine, type TestHost } from '../../support/hosts/build.ts'
import { jobRow } from '../../support/hosts/desk.ts'
import { rowsRead, watched } from '../../support/hosts/statements.ts'

const stored = (name: string) =>
  JSON.stringify({ local_file: `/var/www/uploads/svc/print_files/${name}.pdf` })

let guids = 0
/** A job as PHP writes it; `row` changes columns. */
async function byPhp(
  { db, t: names }: Pick<TestHost, 'db' | 't'>,
  details: unknown,
  row: object = {},
): Promise<number> {
  const name = `5f3a9c1b${String(++guids).padStart(5, '0')}`
  const text = typeof details === 'string' ? details : JSON.stringify(details)
  const values = { guid: name, details: text, data: stored(name), status: 'completed', ...row }
  const { insertId } = await db.insertInto(names.print_jobs).values(values).executeTakeFirstOrThrow()
  return Number(insertId)
}

async function linked(t: Test, engine: TestHost['engine']) {
  const host = await build(t, { engine })
  const database = await databaseOn(host.connection)
  const jobs = printJobsRepository(database)
  return {
    host,
    database,
    jobs,
    links: jobLinks(database),
    /** The items of the order that have a file. */
    itemsOf: async (order: number, type = 'wc') => [
      ...((await jobs.newestFiles(type, [order])).get(order)?.keys() ?? []),
    ],
    step: async (job: number) =>
      host.db
        .selectFrom(host.t.print_job_steps)
        .select(['step', 'order_ref', 'item_id'])
        .where('job_id', '=', job)
        .executeTakeFirst(),
  }
}

t.test('newestFiles: jobs of PHP in every stored encoding, with ids as strings, without a type', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, itemsOf } = await linked(t, engine)
    const json = JSON.stringify({ order_id: '7', item_id: '3' })
    const slashed = (text: string) => text.replace(/["\\]/g, '\\$&')
    const encodings = {
      plain: json,
      slashed: slashed(json),
      'slashed twice': slashed(slashed(json)),
      entities: json.replaceAll('"', '&quot;'),
      serialized: 'a:2:{s:8:"order_id";s:1:"7";s:7:"item_id";s:1:"3";}',
      'numbers and wc': { order_id: 7, item_id: 3, order_type: 'wc' },
      'with zeros in front': { order_id: '007', item_id: '03' },
    }
    for (const [name, details] of Object.entries(encodings)) {
      const id = await byPhp(host, details)
      t.same(await itemsOf(7), [3], name)
      await host.db.deleteFrom(host.t.print_jobs).where('ID', '=', id).execute()
      t.same(await itemsOf(7), [], 'a job that PHP has deleted')
    }
    for (const odd of [
      '',
      '{"order_id":',
      '[1]',
      '{"order_id":null}',
      'a:0:{}',
      { order_id: 71, item_id: 3 },
    ])
      await byPhp(host, odd)
    await byPhp(host, { order_id: 7, item_id: 4, order_type: 'gf' })
    t.same(await itemsOf(7), [])
    t.same(await itemsOf(7, 'gf'), [4])
  }),
)

t.test('jobLinks: newestFiles: the newest completed job counts, as its row says at that time', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, jobs } = await linked(t, engine)
    const fileOf = async () => (await jobs.newestFiles('wc', [7])).get(7)?.get(3)?.local_file
    const item = { order_id: '7', item_id: 3 }
    await byPhp(host, item, { data: stored('first') })
    const second = await byPhp(host, item, { data: null, status: 'pending' })
    t.match(await fileOf(), /first/)
    const set = (row: object) =>
      host.db.updateTable(host.t.print_jobs).set(row).where('ID', '=', second).execute()
    await set({ status: 'completed', data: stored('second') })
    t.match(await fileOf(), /second/)
    await set({ status: 'failed' })
    t.match(await fileOf(), /first/)
  }),
)

t.test('jobLinks: a job that is committed late, with an id below others, is linked', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, itemsOf } = await linked(t, engine)
    await byPhp(host, { order_id: 1, item_id: 1 }, { ID: 9000 })
    t.same(await itemsOf(1), [1])
    await byPhp(host, { order_id: 2, item_id: 2 }, { ID: 8990 })
    t.same(await itemsOf(2), [2])
    await host.db.deleteFrom(host.t.print_jobs).execute()
    await byPhp(host, { order_id: 3, item_id: 3 }, { ID: 5 })
    t.same(await itemsOf(3), [3], 'ids that begin anew')
  }),
)

t.test('details that PHP changes: at once no more under the old order, soon under the new one', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, itemsOf, links } = await linked(t, engine)
    const [changed, late] = [await byPhp(host, { order_id: 1, item_id: 1 }), await byPhp(host, '')]
    t.same(await itemsOf(1), [1])
    const set = (id: number, details: object) =>
      host.db
        .updateTable(host.t.print_jobs)
        .set({ details: JSON.stringify(details) })
        .where('ID', '=', id)
        .execute()
    await set(changed, { order_id: 2, item_id: 5 })
    await set(late, { order_id: 3, item_id: 6 })
    t.same(await itemsOf(1), [])
    await links.linkAll()
    t.same([await itemsOf(2), await itemsOf(3)], [[5], [6]])
  }),
)

t.test('jobLinks: a job of PHP is read once, and rows of ours stay as they are', async (t) => {
  const host = await watched(t)
  const links = jobLinks(await databaseOn(host.connection))
  const own = await jobRow(host, { type: 'wc', id: 1, item: 1, status: 'completed' })
  const foreign = await byPhp(host, { order_id: 2, item_id: 2 })
  const rows = () => host.db.selectFrom(host.t.print_job_steps).select(['job_id', 'step']).execute()
  await links.follow()
  t.same(await rows(), [
    { job_id: own.id, step: '' },
    { job_id: foreign, step: 'linked' },
  ])
  const seen = await host.statementsOf(() => host.call('GET', '/orders?type=shortcode&include=1'))
  const later = await host.statementsOf(() => host.call('GET', '/orders?type=shortcode&include=1'))
  const readsDetails = ({ sql }: { sql: string }) => /select "ID", "details"/.test(sql)
  t.equal(later.some(readsDetails), false, `${seen.length} statements`)
})

t.test('jobLinks: claim: a job of PHP on which we work begins with no step done', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, database, links, step } = await linked(t, engine)
    const id = await byPhp(host, { order_id: 1, item_id: 1 }, { status: 'processing' })
    await links.follow()
    t.match(await step(id), { step: 'linked', order_ref: 'wc:1', item_id: 1 })
    const claimed = await printJobSteps(database, 60).claim(
      { id, details: '{"order_id":1,"item_id":1}' },
      'me',
    )
    t.equal(claimed?.step.step, '')
    t.match(await step(id), { step: '' })
  }),
)

t.test('many jobs are linked at first, by several processes at once, and later looks read few rows', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, links, itemsOf } = await linked(t, engine)
    const rows = Array.from({ length: 12_000 }, (_, i) => ({
      guid: `many${i}`,
      status: 'completed',
      data: stored(String(i)),
      details: `{"order_id":"${i}","item_id":1}`,
    }))
    for (let at = 0; at < rows.length; at += 1000)
      await host.db
        .insertInto(host.t.print_jobs)
        .values(rows.slice(at, at + 1000))
        .execute()
    const processes = engine === 'SQLite' ? 1 : 3
    const others = await Promise.all(
      Array.from({ length: processes }, async () => {
        const connection = await connect({ database: host.address })
        t.teardown(() => connection.close())
        return jobLinks(await databaseOn(connection))
      }),
    )
    await Promise.all(others.map((other) => other.linkAll()))
    const counted = host.db.selectFrom(host.t.print_job_steps).select((eb) => eb.fn.countAll().as('count'))
    t.equal(Number((await counted.executeTakeFirst())?.count), rows.length)
    await links.follow()
    t.same([await itemsOf(1), await itemsOf(11_999)], [[1], [1]])
    if (engine === 'SQLite') return
    const text = `select j.details, j.data from wp_svc_print_job_steps s join wp_svc_print_jobs j on j.ID = s.job_id
      where s.order_ref in ('wc:5', 'wc:6') and j.status = 'completed' order by j.ID`
    t.ok((await rowsRead(host, text, [])) < 30)
  }),
)

t.test('jobLinks: a user who may not write: reads go on', async (t) => {
  const { host } = await linked(t, 'MariaDB')
  await byPhp(host, { order_id: 1, item_id: 1 })
  const root = await createConnection(host.address)
  const name = `reader_${process.pid}`
  const { pathname } = new URL(host.address)
  await root.query(`create user ${name}@'%' identified by 'secret'`)
  t.teardown(async () => {
    await root.query(`drop user ${name}@'%'`)
    root.destroy()
  })
  await root.query(`grant select on \`${pathname.slice(1)}\`.* to ${name}@'%'`)
  const address = Object.assign(new URL(host.address), { username: name, password: 'secret' })
  const connection = await connect({ database: address.href })
  t.teardown(() => connection.close())
  const jobs = printJobsRepository(await databaseOn(connection))
  t.same(await jobs.newestFiles('wc', [1]), new Map())
})
