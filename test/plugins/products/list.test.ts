// GET /products: filters, search and order.
import t from 'tap'
import { newCategory, newProduct, newView } from '../../support/fixtures/rows.ts'
import { build, onEachEngine, type TestHost } from '../../support/hosts/build.ts'
import { catalogTables, rulesOn } from '../../support/hosts/shared-host.ts'

const rule = rulesOn(t, catalogTables)

async function titles({ call }: TestHost, query: string): Promise<string[]> {
  const { body } = await call('GET', `/products?${query}`)
  return body.data.map((item: { title: string }) => item.title)
}

async function shelf(host: TestHost, names: string[]): Promise<void> {
  for (const title of names) await newProduct(host, { title })
}

rule('products are listed newest first by default', async (t, host) => {
  await shelf(host, ['b', 'a', 'c'])
  t.strictSame(await titles(host, ''), ['c', 'a', 'b'])
  t.strictSame(await titles(host, 'order=asc'), ['b', 'a', 'c'])
  t.strictSame(await titles(host, 'order_by=title&order=asc'), ['a', 'b', 'c'])
  t.strictSame(await titles(host, 'order_by=title'), ['c', 'b', 'a'])
})

rule('titles are ordered ignoring case, equal ones by id', async (t, host) => {
  await shelf(host, ['Zebra', 'apple', 'Mango', 'apple', 'banana'])
  t.strictSame(await titles(host, 'order_by=title&order=asc'), ['apple', 'apple', 'banana', 'Mango', 'Zebra'])
  const { body } = await host.call('GET', '/products?order_by=title&order=asc&limit=2&fields=id')
  t.strictSame(body.data, [{ id: 2 }, { id: 4 }])
})

rule('search finds a part of the title, ignoring case', async (t, host) => {
  await shelf(host, ['Grüne ÄPFEL', 'Kirsch-Shirt', 'ΟΔΟΣ', 'Straße', 'ДОМ', 'cup'])
  for (const [term, found] of [
    ['äpfel', 'Grüne ÄPFEL'],
    ['ÄPFEL', 'Grüne ÄPFEL'],
    ['GRÜNE ä', 'Grüne ÄPFEL'],
    ['KIRSCH-sHiRt', 'Kirsch-Shirt'],
    ['οδος', 'ΟΔΟΣ'],
    ['STRAẞE', 'Straße'],
    ['дом', 'ДОМ'],
    ['CU', 'cup'],
  ] as const) {
    t.strictSame(await titles(host, `search=${encodeURIComponent(term)}`), [found], term)
  }
  for (const term of ['apfel', 'strasse', 'grune', 'оdom', 'cupx']) {
    t.strictSame(await titles(host, `search=${encodeURIComponent(term)}`), [], term)
  }
})

rule(
  'characters outside ASCII are found in either normal form, and rare ones by their case partners',
  async (t, host) => {
    await shelf(host, ['A\u0308pfel kiste', 'Äpfel \u212aiſte', '\u{10400}', 'ᲐᲑ', 'Ꭰ', 'apfel'])
    const count = async (term: string) => (await titles(host, `search=${encodeURIComponent(term)}`)).length
    for (const term of ['äpfel', 'a\u0308pfel', 'ÄPFEL', 'äpfel KISTE', 'ÄPFEL \u212aiste'])
      t.equal(await count(term), 2, term)
    for (const term of ['\u{10428}', 'აბ', 'ꭰ']) t.equal(await count(term), 1, term)
  },
)

rule('%, _, the backslash and the exclamation mark are ordinary characters in a search', async (t, host) => {
  await shelf(host, ['100%', '100', 'a_b', 'axb', 'c\\d', 'cd', 'e!f', 'e!!f', "g'h", 'i"j', '%_\\!'])
  for (const [term, found] of [
    ['%', ['%_\\!', '100%']],
    ['0%', ['100%']],
    ['_', ['%_\\!', 'a_b']],
    ['a_', ['a_b']],
    ['\\', ['%_\\!', 'c\\d']],
    ['!', ['%_\\!', 'e!!f', 'e!f']],
    ['!!', ['e!!f']],
    ["'", ["g'h"]],
    ['"', ['i"j']],
    ['%_\\!', ['%_\\!']],
    ['%%', []],
  ] as const) {
    t.strictSame(await titles(host, `search=${encodeURIComponent(term)}`), found, term)
  }
})

rule('the total of a search is exact, and its pages are consistent', async (t, host) => {
  await shelf(host, ['Kiste', 'kiste 2', 'Kasten', 'KISTE 3', 'Vogelkiste', 'Kistf'])
  const { body } = await host.call('GET', '/products?search=kiste&limit=2&order=asc')
  t.strictSame(body.meta, { page: 1, limit: 2, total: 4, pages: 2 })
  t.strictSame(await titles(host, 'search=kiste&limit=2&page=2&order=asc'), ['KISTE 3', 'Vogelkiste'])
})

rule('an empty search is ignored, a search for a space is not', async (t, host) => {
  await shelf(host, ['a b', 'ab'])
  t.equal((await titles(host, 'search=')).length, 2)
  t.strictSame(await titles(host, 'search=%20'), ['a b'])
  t.match(await host.call('GET', `/products?search=${'x'.repeat(1001)}`), { status: 400 })
})

rule('category_id, type and search filter the list together', async (t, host) => {
  const cups = await newCategory(host, 'Cups')
  const other = await newCategory(host, 'Other')
  await newProduct(host, { title: 'Blue cup', categories: [cups] })
  await newProduct(host, { title: 'Red cup', categories: [cups, other], type: 'template' })
  await newProduct(host, { title: 'Blue hat', categories: [other] })
  t.strictSame(await titles(host, `category_id=${cups}&type=all&order=asc`), ['Blue cup', 'Red cup'])
  t.strictSame(await titles(host, `category_id=${cups}&type=template`), ['Red cup'])
  t.strictSame(await titles(host, `category_id=${cups}&search=blue`), ['Blue cup'])
  t.strictSame(await titles(host, 'type=catalog&order=asc'), ['Blue cup', 'Blue hat'])
  t.strictSame(await titles(host, 'category_id=999'), [])
  const { body } = await host.call('GET', `/products?category_id=${cups}&include=1,3`)
  t.strictSame([body.meta.total, body.data[0].categories], [1, [cups]])
})

rule('a duplicate assignment counts once, and one to a deleted category not at all', async (t, host) => {
  const cups = await newCategory(host, 'Cups')
  const product = await newProduct(host, { categories: [cups] })
  await host.db
    .insertInto(host.t.category_products)
    .values([
      { category_id: 999, product_id: product },
      { category_id: cups, product_id: 888 },
    ])
    .execute()
  const { body } = await host.call('GET', `/products?category_id=${cups}`)
  t.strictSame([body.meta.total, body.data.length, body.data[0].categories], [1, 1, [cups]])
  t.strictSame((await host.call('GET', `/categories/${cups}`)).body.data.products, [product])
})

rule('the list returns views only on request, those of each product in order', async (t, host) => {
  const [one, two] = [await newProduct(host), await newProduct(host)]
  for (const title of ['A', 'B']) await newView(host, one, { title })
  await newView(host, two, { title: 'C' })
  await newView(host, one, { title: 'First', order: 0 })
  const { body } = await host.call('GET', '/products?include_views=true&order=asc')
  const names = body.data.map((item: { views: { title: string }[] }) => item.views.map((view) => view.title))
  t.strictSame(names, [['First', 'A', 'B'], ['C']])
  t.notOk('views' in (await host.call('GET', '/products')).body.data[0])
})

rule('templates are listed only where type requests them', async (t, host) => {
  await newProduct(host, { title: 'Mug' })
  const template = await newProduct(host, { title: 'Blank mug', type: 'template' })
  const total = async (query: string) => (await host.call('GET', `/products?${query}`)).body.meta.total
  t.strictSame(await titles(host, ''), ['Mug'])
  t.strictSame(await titles(host, 'type=catalog'), ['Mug'])
  t.strictSame(await titles(host, 'type=template'), ['Blank mug'])
  t.strictSame(await titles(host, 'type=all&order=asc'), ['Mug', 'Blank mug'])
  t.strictSame([await total(''), await total('type=all'), await total('search=mug')], [1, 2, 1])
  t.strictSame(await titles(host, `include=${template}`), [])
  t.strictSame(await titles(host, `include=${template}&type=all`), ['Blank mug'])
  for (const type of ['shop', 'ALL', '']) {
    t.match(await host.call('GET', `/products?type=${type}`), {
      status: 400,
      body: { data: { params: { type: 'must be one of catalog, template, all' } } },
    })
  }
})

rule('an unknown type reads as catalog, in the item and in the filter', async (t, host) => {
  for (const type of ['template', 'catalog', '', 'other', 'shirt']) {
    await host.db
      .insertInto(host.t.products)
      .values({ title: `type ${type}`, type, user_id: 0 })
      .execute()
  }
  const of = async (type: string) => (await host.call('GET', `/products?type=${type}`)).body
  t.strictSame(
    (await of('template')).data.map((item: { type: string }) => item.type),
    ['template'],
  )
  t.strictSame([(await of('template')).meta.total, (await of('catalog')).meta.total], [1, 4])
  t.ok((await of('catalog')).data.every((item: { type: string }) => item.type === 'catalog'))
})

t.test('a row of nulls reads as empty strings', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await host.db.insertInto(host.t.products).values({ title: null, user_id: 0 }).execute()
    t.match((await host.call('GET', '/products')).body.data, [
      { title: '', thumbnail: '', options: {}, categories: [] },
    ])
    t.match((await host.call('GET', '/products/1')).body.data, {
      title: '',
      thumbnail: '',
      options: {},
      user_id: 0,
    })
  })
})

rule('search folds characters with ASCII case partners, the same on each engine', async (t, host) => {
  for (const title of ['Ma\u017fke', '300 \u212a', 'Was\u037e', 'a\u1fefb']) await newProduct(host, { title })
  for (const [term, title] of [
    ['MASKE', 'Ma\u017fke'],
    ['s', 'Ma\u017fke'],
    ['300 k', '300 \u212a'],
    ['ma\u017fk', 'Ma\u017fke'],
    ['300 \u212a', '300 \u212a'],
    ['was;', 'Was\u037e'],
    ['A`', 'a\u1fefb'],
  ] as const) {
    const { body } = await host.call('GET', `/products?search=${encodeURIComponent(term)}`)
    t.ok(
      body.data.some((product: { title: string }) => product.title === title),
      `${term} finds ${title}`,
    )
    t.equal(body.meta.total, body.data.length)
  }
})
