// `fields` names what is wanted; what is not wanted is neither sent nor read from the database.
import t from 'tap'
import { passSecond } from '../../support/fixtures/clock.ts'
import { newCategory, newProduct, newView } from '../../support/fixtures/rows.ts'
import { type Engine, onEachEngine } from '../../support/hosts/build.ts'
import { ruleOnce } from '../../support/hosts/fresh-host.ts'
import { watched } from '../../support/hosts/statements.ts'

ruleOnce('fields keeps only the named properties, on every GET, under both of its names', async (t, host) => {
  const product = await newProduct(host)
  const view = await newView(host, product)
  const category = await newCategory(host, 'Cups')
  for (const name of ['fields', '_fields']) {
    for (const path of [`/products/${product}`, `/views/${view}`, `/categories/${category}`]) {
      const { body } = await host.call('GET', `${path}?${name}=title,%20id,,title`)
      t.strictSame(Object.keys(body.data), ['id', 'title'], path)
    }
    for (const path of ['/products', `/products/${product}/views`, '/categories']) {
      const { body } = await host.call('GET', `${path}?${name}=id`)
      t.strictSame(
        body.data.map((item: object) => Object.keys(item)),
        [['id']],
        path,
      )
    }
    const { body } = await host.call('GET', `/system?${name}=version,plugin`)
    t.strictSame(Object.keys(body.data), ['plugin', 'version'])
  }
})

ruleOnce('a name that the resource does not have is refused on every GET', async (t, host) => {
  const product = await newProduct(host)
  await newView(host, product)
  await newCategory(host, 'Cups')
  for (const path of [
    '/products',
    '/products/1',
    '/products/1/views',
    '/views/1',
    '/categories',
    '/categories/1',
    '/system',
  ]) {
    for (const [name, value] of [
      ['fields', 'title,nothing,constructor'],
      ['_fields', '__proto__'],
      ['fields', 'ID'],
      ['fields', '*'],
    ]) {
      const { status, body } = await host.call('GET', `${path}?${name}=${value}`)
      t.strictSame([status, body.code], [400, 'rest_invalid_param'], `${path} ${value}`)
      t.match(body.data.params[`${name}`], /^names unknown properties \(/)
    }
  }
})

ruleOnce('fields that is empty asks for all, and fields wins over its other name', async (t, host) => {
  await newProduct(host)
  const { body: all } = await host.call('GET', '/products/1?fields=')
  t.strictSame(Object.keys(all.data), [
    'id',
    'title',
    'type',
    'thumbnail',
    'options',
    'user_id',
    'categories',
  ])
  const { body: one } = await host.call('GET', '/products/1?fields=id&_fields=title')
  t.strictSame(one.data, { id: 1 })
})

ruleOnce(
  'fields can name what comes only on request: views of a product, products of a category',
  async (t, host) => {
    const product = await newProduct(host)
    await newView(host, product)
    const category = await newCategory(host, 'Cups', [product])
    t.equal((await host.call('GET', '/products?fields=views')).body.data[0].views.length, 1)
    t.equal((await host.call('GET', `/products/${product}?fields=views`)).body.data.views.length, 1)
    t.strictSame((await host.call('GET', '/categories?fields=products')).body.data, [{ products: [product] }])
    t.strictSame(
      (await host.call('GET', `/categories/${category}?fields=id,title&include_products=1`)).body.data,
      {
        id: category,
        title: 'Cups',
      },
    )
  },
)

const blobs = /elements|options/

t.test('columns that are not wanted are not read for a list', (t) =>
  onEachEngine(t, async (t, engine: Engine) => {
    const host = await watched(t, { engine })
    const product = await newProduct(host)
    await newView(host, product)
    const ask = async (path: string) => {
      const statements = await host.statementsOf(() => host.call('GET', path))
      return statements.map(({ sql }) => sql.replace(/[`"]/g, ''))
    }
    t.notMatch((await ask('/products?fields=id,title')).join(), /options|thumbnail|svc_views|svc_category/)
    t.match((await ask('/products?fields=options')).join(), /options/)
    t.notMatch((await ask(`/products/${product}/views?fields=id,order`)).join(), blobs)
    t.notMatch((await ask('/categories?fields=id,title')).join(), /svc_category_products/)
    t.equal((await ask('/system?fields=version')).length, 0)
    t.equal((await ask('/products?fields=id')).length, 1, 'the ids alone; the total is remembered')
  }),
)

t.test('include goes into the statement, so that other rows are not read', (t) =>
  onEachEngine(t, async (t, engine: Engine) => {
    const host = await watched(t, { engine })
    const product = await newProduct(host)
    for (let i = 0; i < 3; i++) await newView(host, product)
    await newCategory(host, 'Cups')
    for (const path of [
      '/products?include=77',
      `/products/${product}/views?include=77`,
      '/categories?include=77',
    ]) {
      const statements = await host.statementsOf(() => host.call('GET', path))
      t.ok(
        statements.some(({ parameters }) => parameters.includes(77)),
        path,
      )
    }
  }),
)

t.test('a list of 20 products costs as many statements as a list of one', (t) =>
  onEachEngine(t, async (t, engine: Engine) => {
    const host = await watched(t, { engine })
    const category = await newCategory(host, 'Cups')
    for (let i = 0; i < 20; i++) {
      const product = await newProduct(host, { categories: [category] })
      await newView(host, product)
      await newView(host, product, { title: 'Back' })
    }
    // Whether the shop is a large one is asked once a minute, at a search.
    await host.call('GET', '/products?search=other')
    const cost = async (query: string) => {
      // No total is remembered longer than that.
      passSecond()
      return (await host.statementsOf(() => host.call('GET', `/products?include_views=true&${query}`))).length
    }
    for (const filter of ['', '&search=shirt', '&search=shïrt', `&category_id=${category}&order_by=title`]) {
      const whole = await cost(`limit=20${filter}`)
      t.ok(whole <= 5, `${whole} statements${filter}`)
      if (!filter.includes('ï')) t.equal(await cost(`limit=1${filter}`), whole, filter)
    }
  }),
)
