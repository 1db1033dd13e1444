// Lists by title and searches of a large shop, by its titles in memory: the same pages as from the table, also while others write.
import t, { type Test } from 'tap'
import type { ProductQuery } from '../../../src/catalog/product-statements.ts'
import { productsRepository } from '../../../src/catalog/products.ts'
import { titleList } from '../../../src/catalog/title-list.ts'
import { changeOf } from '../../../src/core/resource.ts'
import { databaseOn } from '../../../src/db/connect.ts'
import { totals } from '../../../src/db/totals.ts'
import { insertMany } from '../../support/fixtures/key-layouts.ts'
import { build, type Engine, onEachServer } from '../../support/hosts/build.ts'

const words = [
  'Shirt',
  'shirt',
  'Straße',
  'STRASSE',
  'Äpfel',
  'Mug\u0001',
  '100% Cap',
  'a_b',
  'Ku\u017fk',
  '',
]
const first: ProductQuery = { offset: 0, limit: 7, order_by: 'id', order: 'desc' }
const everything = { has: () => true }

/** A shop whose products are listed by the titles in memory, and from the table. */
async function shop(t: Test, engine: Engine) {
  const host = await build(t, { engine })
  const { db, t: names } = host
  const products = Array.from({ length: 120 }, (_, i) => ({
    ID: i + 1,
    title: i === 50 ? null : `${words[i % words.length]} ${i % 3}`,
    user_id: 0,
    options: '{}',
    thumbnail: '',
    type: i % 11 === 0 ? 'template' : 'catalog',
  }))
  await insertMany(db, names.products, products)
  await insertMany(db, names.categories, [{ ID: 3, title: 'Category', user_id: 0 }])
  const members = products.filter(({ ID }) => ID % 4 === 0)
  await insertMany(
    db,
    names.category_products,
    [...members, { ID: 999 }].map(({ ID }) => ({ category_id: 3, product_id: ID })),
  )
  const database = await databaseOn(host.connection)
  const titles = titleList(database, { smallShop: 10 })
  const counts = totals()
  const large = productsRepository(database, counts, titles)
  const small = () => productsRepository(database, totals(), titleList(database))
  const isKnown = async () =>
    (await titles.find({ ...first, search: 'shirt' }, async () => () => true)) !== undefined
  const same = async (query: Partial<ProductQuery>) => {
    // Totals may be a second late, whatever they count.
    counts.forget()
    const [found, expected] = [
      await large.list({ ...first, ...query }, everything),
      await small().list({ ...first, ...query }, everything),
    ]
    t.same(found, expected, JSON.stringify(query))
    t.same(await large.list({ ...first, ...query }, everything), expected, 'again, when the total is known')
    return found
  }
  return { host, titles, large, isKnown, same, products: () => db.updateTable(names.products) }
}

t.test('products.list: by the titles in memory as from the table', (t) =>
  onEachServer(t, async (t, engine) => {
    const { titles, isKnown, same } = await shop(t, engine)
    t.notOk(await isKnown(), 'nothing is read before a list needs it')
    await titles.refreshInBackground()
    t.ok(await isKnown())
    const filters: Partial<ProductQuery>[] = [
      ...([{}, { type: 'catalog' }, { type: 'template' }, { category_id: 3 }, { category_id: 9 }] as const),
      ...([{ category_id: 3, type: 'template' }] as const),
    ]
    for (const search of [
      undefined,
      'shirt',
      'SHIRT 2',
      'straße',
      'äPFEL',
      '%',
      '_',
      'kusk',
      'k',
      ' ',
      'none',
      '\u0001',
    ])
      for (const filter of filters)
        for (const order_by of ['id', 'title'] as const)
          for (const order of ['asc', 'desc'] as const)
            await same({ ...filter, search, order_by, order, offset: order === 'asc' ? 0 : 5 })
    await same({ order_by: 'title', offset: 118 })
    await same({ order_by: 'title', offset: 500 })
    await same({ order_by: 'title', include: [3, 7] })
    t.ok(await isKnown(), 'nothing has contradicted the titles')
  }),
)

t.test(
  'products.list: a page of a search in a category is read from the table once the total is known',
  (t) =>
    onEachServer(t, async (t, engine) => {
      const { titles, large, same, products } = await shop(t, engine)
      await titles.refreshInBackground()
      const query = { search: ' ', category_id: 3, limit: 2, order: 'asc' } as const
      const { total } = await same(query)
      t.equal(total, 30)
      let reads = 0
      const find = titles.find
      titles.find = (...args) => {
        reads++
        return find(...args)
      }
      await products().set({ title: 'Poster' }).where('ID', '=', 8).execute()
      const { items } = await large.list({ ...first, ...query }, everything)
      t.match(items, [{ id: 4 }, { id: 12 }], 'what the CMS has renamed is not on it')
      t.equal(reads, 0)
      await large.list({ ...first, ...query, offset: 10 }, everything)
      t.equal(reads, 1, 'the middle is found by the titles in memory')
    }),
)

t.test('products.list: what the CMS adds, renames or deletes on a page shows at once', (t) =>
  onEachServer(t, async (t, engine) => {
    const { host, titles, isKnown, same, products } = await shop(t, engine)
    await titles.refreshInBackground()
    t.ok(await isKnown())
    const search = { search: 'shirt' }
    const { items, total } = await same(search)
    const [newest, second] = items.map(({ id }) => Number(id))
    await products().set({ title: 'Poster' }).where('ID', '=', Number(newest)).execute()
    t.equal((await same(search)).total, total - 1)
    t.notOk(await isKnown(), 'the titles are read anew before they are used again')
    await titles.refreshInBackground()
    t.notOk(await isKnown(), 'which is not done at each change')
    await host.db.deleteFrom(host.t.products).where('ID', '=', Number(second)).execute()
    t.equal((await same(search)).total, total - 2)
    await insertMany(host.db, host.t.products, [
      { ID: 500, title: 'New shirt', user_id: 0, options: '{}', type: 'catalog' },
    ])
    t.match(await same(search), { items: [{ id: 500 }], total: total - 1 })
  }),
)

t.test('products.list: what the API writes is found at once', (t) =>
  onEachServer(t, async (t, engine) => {
    const { titles, large, isKnown, same } = await shop(t, engine)
    await titles.refreshInBackground()
    const { total } = await same({ search: 'zeppelin' })
    t.equal(total, 0)
    t.ok(await isKnown())
    await large.update(5, changeOf({ title: 'A Zeppelin' }))
    t.match(await same({ search: 'zeppelin' }), { items: [{ id: 5 }], total: 1 })
    const created = await large.create({ title: 'Zeppelin 2' })
    t.match(await same({ search: 'zeppelin' }), { items: [{ id: created?.id }, { id: 5 }], total: 2 })
    await large.remove(5)
    t.match(await same({ search: 'zeppelin' }), { items: [{ id: created?.id }], total: 1 })
  }),
)
