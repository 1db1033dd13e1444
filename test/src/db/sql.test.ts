// The statements of the repositories on each engine, as snapshots, so that a changed query shows in review.
// sql-routes.test.ts records those that are missing here.
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import t, { type Test } from 'tap'
import { rowCounts } from '../../../src/app/snapshot.ts'
import { categoriesRepository } from '../../../src/catalog/categories.ts'
import { productsRepository } from '../../../src/catalog/products.ts'
import { titleList } from '../../../src/catalog/title-list.ts'
import { viewsRepository } from '../../../src/catalog/views.ts'
import { changeOf } from '../../../src/core/resource.ts'
import { connect, type Database, databaseOn } from '../../../src/db/connect.ts'
import { guard } from '../../../src/db/guard.ts'
import { idempotencyRepository } from '../../../src/db/idempotency-keys.ts'
import { nodeSqlite } from '../../../src/db/sqlite.ts'
import { totals } from '../../../src/db/totals.ts'
import { assetsRepository } from '../../../src/library/assets.ts'
import { printJobPages } from '../../../src/print/print-job-pages.ts'
import { printJobSteps } from '../../../src/print/print-job-steps.ts'
import { printJobsRepository } from '../../../src/print/print-jobs.ts'
import { cmsOptions } from '../../../src/settings/cms.ts'
import { optionsStore } from '../../../src/settings/option-rows.ts'
import { localStorage } from '../../../src/storage/local.ts'
import { migrate } from '../../../src/upkeep/set-up.ts'
import { onlyLocal } from '../../support/fixtures/storages.ts'
import { type Engine, freshAddress, onEachDialect } from '../../support/hosts/build.ts'
import { asCompiled } from '../../support/hosts/statements.ts'

/** Text of what `work` sends, statement by statement; values are left out, they stand as question marks. */
type Recorder = (name: string, work: () => Promise<unknown>) => Promise<void>

async function recorder(t: Test, engine: Engine): Promise<{ database: Database; record: Recorder }> {
  const address = await freshAddress(t, engine)
  await migrate({ database: address })
  let seen: string[] = []
  const database = new Kysely({
    // One connection, so that the order of statements is always the same.
    dialect:
      engine === 'SQLite'
        ? nodeSqlite(address.slice('sqlite:'.length))
        : new MysqlDialect({ pool: createPool({ uri: address, charset: 'utf8mb4', connectionLimit: 1 }) }),
    log: ({ query }) => {
      seen.push(engine === 'SQLite' ? query.sql : asCompiled(query).sql)
    },
  })
  t.teardown(() => database.destroy())
  return {
    database: await databaseOn(await connect({ database })),
    async record(name, work) {
      seen = []
      await work()
      t.matchSnapshot(seen.join('\n'), name)
    },
  }
}

const everything = { has: () => true }
const without = (...properties: string[]) => ({ has: (property: string) => !properties.includes(property) })
const page = { offset: 20, limit: 10, order_by: 'id', order: 'desc' } as const

t.test('products', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { database, record } = await recorder(t, engine)
    await database.transaction((trx) => guard(database, trx, 'catalog'))
    const titles = titleList(database)
    const fresh = () => productsRepository(database, totals(), titles)
    const category = Number((await categoriesRepository(database, totals()).create('Mugs'))?.id)
    let id = 0
    await record('create', async () => {
      id = Number((await fresh().create({ title: 'Mug', type: 'template', categories: [category] }))?.id)
    })
    const views = viewsRepository(database)
    const view = (title: string) => views.create(id, { title }).then((made) => Number(made?.id))
    const [front, back] = [await view('Front'), await view('Back')]
    await record('find', () => fresh().find(id))
    await record('list', () => fresh().list({ ...page, offset: 0 }, everything))
    await record('list without blobs, views and categories', () =>
      fresh().list({ ...page, offset: 0 }, without('options', 'views', 'categories')),
    )
    await record('list by title and type', () =>
      fresh().list({ ...page, order_by: 'title', order: 'asc', type: 'catalog' }, everything),
    )
    await record('list of a category', () => fresh().list({ ...page, category_id: category }, everything))
    await record('search', () => fresh().list({ ...page, search: 'Müg%' }, everything))
    await record('search for ASCII in a category', async () => {
      const products = fresh()
      const query = { ...page, offset: 0, search: 'mug%', category_id: category, type: 'template' } as const
      await products.list(query, everything)
      // The second time, the total is known.
      await products.list(query, everything)
    })
    await record('list of ids', () => fresh().list({ ...page, include: [1, 2, 3] }, everything))
    await record('update one row', () => fresh().update(id, changeOf({ title: 'Cup', options: { a: 1 } })))
    await record('update categories and the order of views', () =>
      fresh().update(id, changeOf({ categories: [category], sorted_views: [{ id: back }, { id: front }] })),
    )
    await record('duplicate', () => fresh().duplicate(id, {}))
    await record('create from a template', () => fresh().createFromTemplate(id, { title: 'New' }))
    await record('remove', () => fresh().remove(id))
  }),
)

t.test('views', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { database, record } = await recorder(t, engine)
    await database.transaction((trx) => guard(database, trx, 'catalog'))
    const views = viewsRepository(database)
    const product = async () =>
      Number((await productsRepository(database, totals(), titleList(database)).create({ title: 'Mug' }))?.id)
    const [one, two] = [await product(), await product()]
    let id = 0
    await record('create', async () => {
      id = Number((await views.create(one, { title: 'Front' }))?.id)
    })
    await record('create at a place', () => views.create(one, { title: 'First', order: 0 }))
    await record('find', () => views.find(id))
    await record('list of a product', () => views.listOf(one, everything))
    await record('list without blobs', () => views.listOf(one, without('elements', 'options')))
    await record('change of the title', () => views.update(id, changeOf({ title: 'Back' })))
    await record('change of the elements', () => views.update(id, changeOf({ elements: [] })))
    await record('merge of options', () => views.update(id, changeOf({ options: { a: 1 } })))
    await record('duplicate', () => views.duplicate(id, undefined))
    await record('move', () => views.update(id, changeOf({ product_id: two })))
    await record('remove', () => views.remove(id))
  }),
)

t.test('categories', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { database, record } = await recorder(t, engine)
    await database.transaction((trx) => guard(database, trx, 'catalog'))
    const fresh = () => categoriesRepository(database, totals())
    const product = Number(
      (await productsRepository(database, totals(), titleList(database)).create({ title: 'Mug' }))?.id,
    )
    let id = 0
    await record('create', async () => {
      id = Number((await fresh().create('Mugs'))?.id)
    })
    await record('find', () => fresh().find(id))
    await record('list', () => fresh().list(undefined, { withProducts: false }))
    await record('list with products', () => fresh().list(undefined, { withProducts: true }))
    await record('list of ids with products', () => fresh().list([id], { withProducts: true }))
    await record('update', () => fresh().update(id, changeOf({ title: 'Cups', products: [product] })))
    await record('clear', () => fresh().clear(id))
    await record('remove', () => fresh().remove(id))
  }),
)

t.test('options, guard, counts and idempotency keys', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { database, record } = await recorder(t, engine)
    const store = optionsStore(database, () => {})
    await record('first use of a guard', () => database.transaction((trx) => guard(database, trx, 'catalog')))
    await record('use of a guard', () => database.transaction((trx) => guard(database, trx, 'catalog')))
    await record('read of options', () => store.getMany(['svc_a', 'svc_b']))
    const set = (values: Record<string, string>) => database.transaction((trx) => store.put(trx, values))
    await record('set of options', () => set({ svc_a: '1', svc_b: '2' }))
    await record('set of one that exists', () => set({ svc_a: '2' }))
    await record('first update of an option', () => store.update('svc_c', () => '1'))
    await record('update of an option', () => store.update('svc_c', () => '2'))
    await record('read of options of the CMS', () => cmsOptions(database).getMany(['home', 'siteurl']))
    await record('counts', rowCounts(database))
    const keys = idempotencyRepository(database)
    const request = { keyHash: 'k', operation: 'create_category', requestHash: 'r', maxSeconds: 30 }
    const categories = categoriesRepository(database, totals())
    const once = () =>
      keys.runOnce(request, {
        make: (options) => categories.create('Mugs', { ...options, readBack: true }),
        findAgain: async (id: number) => ({ id, found: await categories.find(id), isNew: true }),
      })
    await record('first request with a key', once)
    await record('repeated request with a key', once)
  }),
)

t.test('assets', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { database, record } = await recorder(t, engine)
    const assets = assetsRepository(
      database,
      totals(),
      onlyLocal(localStorage(t.testdir({}), 'https://shop.example')),
    )
    const page = { offset: 20, limit: 20 }
    const accepted = { type: 'png', extension: 'png', mimeType: 'image/png', title: 'a.png' } as const
    await record('first list', () => assets.list(page))
    await record('create', async () => {
      const sizes = { width: 1, height: 1, warning: undefined, bytes: Buffer.from('x') }
      const { asset } = await assets.create({ ...accepted, ...sizes })
      await assets.find(asset.key)
    })
    await record('list of a type', () => assets.list({ ...page, type: 'png' }))
    await record('search', () => assets.list({ ...page, offset: 0, search: 'a' }))
  }),
)

t.test('print jobs and their steps', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { database, record } = await recorder(t, engine)
    const jobs = printJobsRepository(database)
    const steps = printJobSteps(database, 30)
    const details = { order_id: 1, order_type: 'wc', item_id: 2 }
    await database.transaction((trx) => guard(database, trx, 'print_orders'))
    let id = 0
    let guid = ''
    await record('create', async () => {
      ;({ id, guid } = await jobs.create(details))
    })
    await record('take the pending job', () => jobs.takeOrCreate(details, ['pending']))
    await record('find', () => jobs.byGuid(guid))
    const pages = printJobPages(database, totals())
    await record('list of a status', () =>
      pages.page({ status: 'pending' }, { limit: 10, offset: 0, withDetails: true }),
    )
    await record('list of ids', () =>
      pages.page({ include: [id] }, { limit: 10, offset: 0, withDetails: false }),
    )
    await record('a page far behind', () =>
      pages.page({ status: 'pending' }, { limit: 10, offset: 9000, withDetails: false }),
    )
    await record('jobs that have ended', () => jobs.ended([id]))
    await record('settle', () => jobs.moveFromPending(id, 'processing'))
    await record('claim, all steps, finish', async () => {
      const { lease } = (await steps.claim({ id, details: JSON.stringify(details) }, 'me')) ?? {}
      await lease?.renew()
      await lease?.downloaded({ key: 'a.pdf', storage: 'local', location: null })
      await lease?.stored({ local_file: '/files/a.pdf' })
      await lease?.ordering()
      await lease?.ordered('7')
      t.ok(await lease?.finish('completed'))
    })
    await record('newest files', () => jobs.newestFiles('wc', [1]))
    await record('file of a job', () => steps.fileOf(id))
    await record('remove', () => jobs.remove(guid))
  }),
)
