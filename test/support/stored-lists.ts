// Rows as PHP writes them, by table and encoding, and the lists that return them.
import type { PhysicalNames } from '../../src/db/tables.ts'
import type { TestHost } from './build.ts'
import { shopOrder } from './shop.ts'

type Encode = (value: unknown) => string

const slashed = (text: string) => text.replace(/["'\\]/g, '\\$&')

/** PHP's serialize() of what JSON can hold, as the CMS stores options. */
function serialized(value: unknown): string {
  if (typeof value === 'string') return `s:${Buffer.byteLength(value)}:"${value}";`
  if (typeof value === 'number') return Number.isInteger(value) ? `i:${value};` : `d:${value};`
  if (typeof value === 'boolean') return `b:${Number(value)};`
  if (value === null) return 'N;'
  const key = (name: string) => (Array.isArray(value) ? `i:${name};` : serialized(name))
  const entries = Object.entries(value as object)
  return `a:${entries.length}:{${entries.map(([name, each]) => key(name) + serialized(each)).join('')}}`
}

export const encodings: Record<string, Encode> = {
  JSON: JSON.stringify,
  slashed: (value) => slashed(JSON.stringify(value)),
  'three times slashed': (value) => slashed(slashed(slashed(JSON.stringify(value)))),
  'HTML-escaped': (value) => JSON.stringify(value).replaceAll('"', '&quot;'),
  serialized,
}

const element = {
  type: 'image',
  title: 'Ä€',
  source: 'https://shop.example/uploads/a-picture.png',
  parameters: { left: 1.5, top: 12.25, fill: '#ff0000', z: 3, draggable: true, layer: null },
}

/** Elements of a view that take about so many characters, unlike those with another seed. */
function elements(seed: number, size: number, encode: Encode): object[] {
  const length = (items: object[]) => encode(items).length
  const one = length([{ ...element, id: 'e0-0' }])
  const two = length([element, element].map((each, i) => ({ ...each, id: `e0-${i}` })))
  const count = Math.max(1, Math.floor((size - one) / (two - one)))
  return Array.from({ length: count }, (_, i) => ({ ...element, id: `e${seed}-${i}` }))
}

type Row = (id: number, size: number, encode: Encode) => object
const listOf: (column: string, rest: object) => Row = (column, rest) => (id, size, encode) => ({
  [column]: encode(elements(id, size, encode)),
  ...rest,
})
const objectOf: (column: string, rest: object) => Row = (column, rest) => (id, size, encode) => ({
  [column]: encode({ elements: elements(id, size, encode) }),
  ...rest,
})

interface List {
  table: Exclude<keyof PhysicalNames, symbol>
  row: Row
  paths: string[]
}

const lists: List[] = [
  { table: 'products', row: objectOf('options', { title: 'x' }), paths: ['/products?limit=100'] },
  {
    table: 'views',
    row: listOf('elements', { title: 'x', product_id: 1, options: '' }),
    paths: [
      '/products?limit=100&include_views=1',
      '/products/1?include_views=1',
      '/products/1/views?limit=100',
    ],
  },
  {
    table: 'designs',
    row: listOf('designs', { title: 'x', options: '', parent_id: 0 }),
    paths: ['/design-categories?limit=100', '/system'],
  },
  { table: 'pricing_rules', row: objectOf('data', { name: 'x' }), paths: ['/pricing-rules?limit=100'] },
  {
    table: 'print_profiles',
    row: objectOf('data', { name: 'x' }),
    paths: ['/print-profiles?include_data=1'],
  },
  {
    table: 'user_interfaces',
    row: objectOf('data', { name: 'x' }),
    paths: ['/user-interfaces?include_data=1'],
  },
  {
    table: 'orders',
    row: listOf('views', { customer_name: 'x', customer_mail: 'a@shop.example' }),
    paths: ['/orders?limit=100&type=shortcode', '/shortcode-orders?limit=100&include_data=1'],
  },
  {
    table: 'print_jobs',
    row: (id, size, encode) => ({
      guid: `job-${id}`,
      status: 'pending',
      created_at: '2026-01-01 00:00:00',
      ...objectOf('details', {})(id, size / 2, encode),
      ...objectOf('data', {})(id, size / 2, encode),
    }),
    paths: ['/print-jobs?limit=100'],
  },
]

export const listPaths = lists.flatMap(({ paths }) => paths)

/** Replaces the rows of all these tables by so many, with blobs of so many characters. */
export async function fillLists(
  { db, t }: TestHost,
  count: number,
  size: number,
  encode: Encode,
): Promise<void> {
  const atOnce = Math.ceil(2_000_000 / size)
  for (const { table, row } of lists) {
    await db.deleteFrom(t[table]).execute()
    for (let done = 0; done < count; done += atOnce) {
      const ids = Array.from({ length: Math.min(atOnce, count - done) }, (_, i) => done + i + 1)
      const rows = ids.map((ID) => ({ ID, ...row(ID, size, encode) }))
      await db
        .insertInto(t[table])
        .values(rows as never)
        .execute()
    }
  }
}

/** An order of the CMS with so many items. Returns its id. */
export async function newOrder(host: TestHost, count: number, size: number, encode: Encode): Promise<number> {
  const items = Array.from({ length: count }, (_, i) => ({
    meta: [['_svc_data', encode(elements(i, size, encode))]] as [string, string][],
  }))
  return (await shopOrder(host, 'posts', { items })).id
}
