// Fills a database with the catalog that the benchmarks read: products, views with blobs, categories.
import { randomUUID } from 'node:crypto'
import { createPool, type Pool, type RowDataPacket } from 'mysql2/promise'
import { migrate } from '../plugins/index.ts'

interface CatalogSize {
  products: number
  viewsPerProduct: number
  /** Approximate size of each view's elements in bytes. */
  blob: number
  categories: number
  printJobs?: number
}

/** Contains a quarter of all products, and a tenth of those are named a shirt. */
export const largeCategory = 11

export const benchToken = 'be'.repeat(32)

/** A list of elements as a designer writes it, with about this many bytes of JSON. */
export function designElements(bytes: number): string {
  const element = {
    type: 'text',
    source: 'Your text here',
    title: 'Headline',
    parameters: {
      left: 320,
      top: 180,
      fontSize: 24,
      fill: '#1d1d1f',
      fontFamily: 'Montserrat',
      draggable: true,
      z: -1,
    },
  }
  const count = Math.max(1, Math.round(bytes / JSON.stringify(element).length))
  return JSON.stringify(Array.from({ length: count }, (_, i) => ({ ...element, title: `Headline ${i}` })))
}

/** Creates tables and rows in an empty database. */
export async function fill(
  address: string,
  { products, viewsPerProduct, blob, categories, printJobs = 0 }: CatalogSize,
): Promise<void> {
  await migrate({ database: address })
  const pool = createPool({ uri: address, charset: 'utf8mb4' })
  const elements = designElements(blob)
  const options = JSON.stringify({
    stageWidth: 900,
    stageHeight: 600,
    customAdds: { texts: true, images: true },
  })
  await pool.query('insert into wp_options (option_name, option_value, autoload) values (?, ?, ?)', [
    'svc_api_token',
    benchToken,
    'yes',
  ])
  await inChunks(pool, 'insert into wp_svc_categories (ID, title, user_id) values ?', categories, (i) => [
    [i + 1, `Category ${i}`, 0],
  ])
  await inChunks(
    pool,
    'insert into wp_svc_products (ID, title, options, thumbnail, user_id, type) values ?',
    products,
    (i) => [
      [
        i + 1,
        `${words[i % words.length]} ${i}`,
        options,
        `https://shop.example/uploads/${i}.png`,
        0,
        i % 50 === 0 ? 'template' : 'catalog',
      ],
    ],
  )
  // Each product is in two categories, so that most contain products / categories * 2; the large one contains a quarter of all.
  await inChunks(
    pool,
    'insert into wp_svc_category_products_rel (category_id, product_id) values ?',
    products,
    (i) => [
      [(i % categories) + 1, i + 1],
      [((i * 7 + 3) % categories) + 1, i + 1],
      ...(Math.floor(i / words.length) % 4 === 0 ? [[largeCategory, i + 1]] : []),
    ],
    true,
  )
  await inChunks(
    pool,
    'insert into wp_svc_views (product_id, title, thumbnail, elements, view_order, options) values ?',
    products,
    (i) =>
      Array.from({ length: viewsPerProduct }, (_, order) => [
        i + 1,
        `View ${order}`,
        '',
        elements,
        order,
        '{}',
      ]),
  )
  await inChunks(
    pool,
    'insert into wp_svc_print_jobs (guid, details, data, status) values ?',
    printJobs,
    (i) => [[randomUUID(), '{"order_id":1,"output_format":"svg-pdf"}', '{}', statuses[i % statuses.length]]],
  )
  await pool.query(
    'analyze table wp_svc_products, wp_svc_views, wp_svc_category_products_rel, wp_svc_print_jobs',
  )
  await pool.end()
}

/** Gives the relation the keys of other installations: one for each column, and none for the pair. */
export async function useSingleKeys(address: string): Promise<void> {
  const pool = createPool({ uri: address })
  await pool.query(
    'alter table wp_svc_category_products_rel drop primary key, drop key product_id, add key (category_id), add key (product_id)',
  )
  await pool.query('analyze table wp_svc_category_products_rel')
  await pool.end()
}

const statuses = ['completed', 'completed', 'completed', 'failed', 'processing']

const words = [
  'Shirt',
  'Mug',
  'Poster',
  'Cap',
  'Bag',
  'Sticker',
  'Hoodie',
  'Notebook',
  'Banner',
  'Phone case',
]

async function inChunks(
  pool: Pool,
  statement: string,
  count: number,
  rows: (i: number) => unknown[][],
  ignore = false,
): Promise<void> {
  const text = ignore ? statement.replace('insert', 'insert ignore') : statement
  for (let i = 0; i < count; i += 200) {
    const chunk = Array.from({ length: Math.min(200, count - i) }, (_, j) => rows(i + j)).flat()
    if (chunk.length > 0) await pool.query<RowDataPacket[]>(text, [chunk])
  }
}
