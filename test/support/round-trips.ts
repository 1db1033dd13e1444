// The property that sending back what GET returned by PATCH or PUT changes nothing, whatever others have stored.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { settingsCatalog } from '../../src/settings/catalog.ts'
import { dedicatedRoute, routeOf } from '../../src/settings/keys.ts'
import type { Setting } from '../../src/settings/setting.ts'
import type { TestHost } from './build.ts'
import { storeOption } from './rows.ts'
import { jsonArray, jsonObject, jsonValue, storedForm } from './stored-values.ts'

type Property = (host: TestHost, runs: number, seed: number) => Promise<number>

const mostly = (kind: fc.Arbitrary<unknown>) =>
  storedForm(fc.oneof({ weight: 6, arbitrary: kind }, { weight: 1, arbitrary: jsonValue }))
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !value.includes('\0')),
  fc.constantFrom('', ' ', '  padded ', "O'Neil", '<b>bold</b>', '日本 😀'),
)

/** Sends back what a path returns; undefined if it returns nothing because a value cannot be read. */
async function sendBack({ call }: TestHost, path: string, write = 'PATCH', wrap = (data: unknown) => data) {
  const read = await call('GET', path)
  if (read.status !== 200) {
    assert.equal(read.body.code, 'svc_unreadable_value', read.text)
    return undefined
  }
  const sent = await call(write, path, wrap(read.body.data), { 'if-match': read.headers.etag })
  assert.equal(sent.status, 200, sent.text)
  const again = await call('GET', path)
  assert.deepEqual(again.body.data, read.body.data)
  // The properties of designs stay in their order.
  if (write === 'PATCH') assert.equal(JSON.stringify(again.body.data), JSON.stringify(read.body.data))
  return read.body.data
}

interface Column {
  table: 'products' | 'views' | 'designs' | 'pricing_rules' | 'print_profiles' | 'user_interfaces' | 'orders'
  path: string
  /** Blob columns with what they hold, and text columns. */
  blobs: Record<string, fc.Arbitrary<unknown>>
  texts: string[]
  /** The rest of a new row. */
  row: object
}

const rows: Record<string, Column> = {
  products: {
    table: 'products',
    path: '/products/1?include_views=1',
    blobs: { options: jsonObject },
    texts: ['title', 'thumbnail'],
    row: { user_id: 7 },
  },
  views: {
    table: 'views',
    path: '/views/1',
    blobs: { options: jsonObject, elements: jsonArray },
    texts: ['title', 'thumbnail'],
    row: { product_id: 1, view_order: 3 },
  },
  'design categories': {
    table: 'designs',
    path: '/design-categories/1',
    blobs: { options: jsonObject, designs: fc.array(jsonObject, { maxLength: 3 }) },
    texts: ['title', 'thumbnail'],
    row: { parent_id: 0, category_order: 3 },
  },
  'pricing rules': {
    table: 'pricing_rules',
    path: '/pricing-rules/1',
    blobs: {
      data: fc.oneof(
        jsonObject,
        fc.record({ property: text, type: text, rules: jsonValue, target: jsonValue }, { requiredKeys: [] }),
      ),
    },
    texts: ['name'],
    row: {},
  },
  'print profiles': {
    table: 'print_profiles',
    path: '/print-profiles/1?include_data=1',
    blobs: { data: jsonObject },
    texts: ['name'],
    row: { is_master: 1 },
  },
  layouts: {
    table: 'user_interfaces',
    path: '/user-interfaces/default?include_data=1',
    blobs: { data: jsonObject },
    texts: ['name'],
    row: { is_default: 1 },
  },
  'shortcode orders': {
    table: 'orders',
    path: '/shortcode-orders/1',
    blobs: {
      views: fc.oneof(
        jsonArray,
        jsonObject,
        jsonArray.map((product) => ({ product, usedFonts: [] })),
      ),
    },
    texts: ['customer_name', 'customer_mail'],
    row: { print_order: null },
  },
}

function rowProperty({ table, path, blobs, texts, row }: Column): Property {
  return async (host, runs, seed) => {
    const { db, t } = host
    let count = 0
    const stored = fc.record({
      ...Object.fromEntries(Object.entries(blobs).map(([name, kind]) => [name, mostly(kind)])),
      ...Object.fromEntries(texts.map((name) => [name, text])),
    })
    const property = fc.asyncProperty(stored, async (values) => {
      const columns = Object.fromEntries(
        Object.entries(values as Record<string, string | { stored: string }>).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : value.stored,
        ]),
      )
      await db.deleteFrom(t[table]).execute()
      await db
        .insertInto(t[table])
        .values({ ID: 1, ...row, ...columns } as never)
        .execute()
      const data = await sendBack(host, path)
      if (data !== undefined) count++
    })
    await fc.assert(property, { numRuns: runs, seed })
    return count
  }
}

const categories: Property = async (host, runs, seed) => {
  const { db, t } = host
  await db.deleteFrom(t.products).execute()
  for (const ID of [1, 2, 3])
    await db
      .insertInto(t.products)
      .values({ ID, title: `P${ID}`, options: '{}', thumbnail: '', user_id: 0, type: 'catalog' })
      .execute()
  const members = fc.uniqueArray(fc.constantFrom(1, 2, 3, 99))
  await fc.assert(
    fc.asyncProperty(text, members, async (title, products) => {
      await db.deleteFrom(t.categories).execute()
      await db.deleteFrom(t.category_products).execute()
      await db.insertInto(t.categories).values({ ID: 1, title, user_id: 0 }).execute()
      for (const product_id of products)
        await db.insertInto(t.category_products).values({ category_id: 1, product_id }).execute()
      await sendBack(host, '/categories/1')
    }),
    { numRuns: runs, seed },
  )
  return runs
}

const templates: Property = async (host, runs, seed) => {
  const entry = fc.record(
    {
      text: text.filter((value) => value !== ''),
      properties: fc.record(
        {
          fontFamily: fc.constantFrom('', 'Arial', 'Gone Sans'),
          fontSize: fc.constantFrom(16, 24),
          textAlign: fc.constantFrom('left', 'center', 'right'),
          vendor: jsonValue,
        },
        { requiredKeys: [] },
      ),
      vendor: jsonValue,
    },
    { requiredKeys: ['text', 'properties'] },
  )
  let count = 0
  const wrap = (data: unknown) => ({ templates: data })
  await fc.assert(
    fc.asyncProperty(storedForm(fc.array(entry, { maxLength: 4 })), async ({ stored }) => {
      await storeOption(host, 'svc_text_templates', stored)
      const data = await sendBack(host, '/text-templates', 'PUT', wrap)
      if (Array.isArray(data) && data.length > 0) {
        await sendBack(host, `/text-templates/${data.length - 1}`)
        count++
      }
    }),
    { numRuns: runs, seed },
  )
  return count
}

const colors: Property = async (host, runs, seed) => {
  const id = fc.constantFrom('c-000000', 'c-ff0000', 'gold', 'X_1')
  const color = fc.record(
    {
      id,
      hex: fc.constantFrom('#000000', '#ff0000', '#c0ffee'),
      name: text.filter((value) => value.trim() !== ''),
      price: fc.constantFrom(0, 1.5),
      vendor: jsonValue,
    },
    { requiredKeys: ['id', 'hex', 'name'] },
  )
  const library = fc.uniqueArray(color, { selector: ({ id }) => id, maxLength: 4 }).chain((list) =>
    fc.record({
      version: fc.constant(2),
      colors: fc.constant(list),
      palettes: fc.uniqueArray(
        fc.record({
          id: fc.constantFrom('p-a', 'p-b'),
          name: fc.constantFrom('A', 'Ä "b"'),
          colorIds: fc.subarray(list.map(({ id }) => id)),
        }),
        { selector: ({ id }) => id, maxLength: 2 },
      ),
      vendor: jsonValue,
    }),
  )
  await fc.assert(
    fc.asyncProperty(storedForm(library), async ({ stored }) => {
      await storeOption(host, 'svc_color_library', stored)
      await sendBack(host, '/color-library', 'PUT')
    }),
    { numRuns: runs, seed },
  )
  return runs
}

/** What PHP, its screens and early versions may have stored for a setting. */
function storedSetting({ type, choices }: Setting): fc.Arbitrary<string> {
  const list = fc.array(fc.oneof(text, fc.constantFrom(...(choices ?? ['a']))), { maxLength: 3 })
  switch (type) {
    case 'checkbox':
      return fc.constantFrom('yes', 'no', '1', '0', 'true', 'on', '')
    case 'number':
      return fc.constantFrom('', '0', '5', '-1.5', '1e3', '007', ' 8 ', 'abc')
    case 'multiselect':
    case 'select-sortable':
      return storedForm(list).map(({ stored }) => stored)
    default:
      return fc.oneof(
        text,
        fc.constantFrom(...(choices ?? ['x'])),
        mostly(jsonObject).map(({ stored }) => stored),
      )
  }
}

const settings: Property = async (host, runs, seed) => {
  const { all } = settingsCatalog([])
  const writable = all.filter(
    ({ id }) => !dedicatedRoute(id) && !routeOf(id) && !/api_(?:token|.*enabled)$/.test(id),
  )
  let count = 0
  const some = fc.uniqueArray(
    fc
      .constantFrom(...writable)
      .chain((setting) => storedSetting(setting).map((stored) => ({ setting, stored }))),
    { selector: ({ setting }) => setting.id, minLength: 1, maxLength: 6 },
  )
  await fc.assert(
    fc.asyncProperty(some, async (chosen) => {
      for (const { setting, stored } of chosen) await storeOption(host, setting.id, stored)
      const query = chosen.map(({ setting }) => `keys[]=${setting.id}`).join('&')
      const read = await host.call('GET', `/settings/values?${query}`)
      const { masked = [] } = read.body.meta ?? {}
      const body = Object.fromEntries(Object.entries(read.body.data).filter(([key]) => !masked.includes(key)))
      if (Object.keys(body).length === 0) return
      const sent = await host.call('PATCH', '/settings', body)
      assert.equal(sent.status, 200, sent.text)
      const again = await host.call('GET', `/settings/values?${query}`)
      assert.equal(JSON.stringify(again.body), JSON.stringify(read.body))
      count++
    }),
    { numRuns: runs, seed },
  )
  return count
}

/** One property per resource; each returns how many stored values were read and sent back. */
export const roundTrips: Record<string, Property> = {
  ...Object.fromEntries(Object.entries(rows).map(([name, column]) => [name, rowProperty(column)])),
  categories,
  'text templates': templates,
  'color library': colors,
  settings,
}
