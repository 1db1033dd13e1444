// Compares the API with the bare server on one database, alternating between them, and prints ratios as a markdown table.
// Only ratios from the same run are meaningful: API, database and load generator share the same cores.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import autocannon, { type Options } from 'autocannon'
import { settingsCatalog } from '../src/settings/catalog.ts'
import { startMariadb } from '../test/support/mariadb.ts'
import { benchToken, fill, largeCategory } from './catalog.ts'

interface Operation {
  name: string
  /** The target ratio to the bare server. */
  mark: number
  request: Partial<Pick<Options, 'method' | 'body' | 'headers'>> & { path: string }
}

const json = { 'content-type': 'application/json' }
const twentyKeys = settingsCatalog()
  .all.slice(0, 20)
  .map(({ id }) => `keys[]=${id}`)
  .join('&')
const operations = (products: number): Operation[] => [
  { name: 'GET /products, 20 rows and total', mark: 3, request: { path: '/products' } },
  {
    name: '… search and category',
    mark: 4.5,
    request: { path: `/products?search=shirt&category_id=${largeCategory}` },
  },
  { name: '… last page', mark: 2.7, request: { path: `/products?page=${products / 20}` } },
  { name: 'GET /views/{id}, 10 KB', mark: 0.85, request: { path: '/views/777' } },
  {
    name: 'PATCH /views/{id} title',
    mark: 0.9,
    request: { path: '/views/778', method: 'PATCH', body: '{"title":"New title"}', headers: json },
  },
  { name: 'GET /settings/values, 20 keys', mark: 0.9, request: { path: `/settings/values?${twentyKeys}` } },
  {
    name: 'GET /print-jobs?status=, 100,000 jobs',
    mark: 10,
    request: { path: '/print-jobs?status=completed' },
  },
  {
    name: 'wrong token',
    mark: 0.75,
    request: { path: '/views/777', headers: { authorization: `Bearer ${'0'.repeat(64)}` } },
  },
]

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 2)

async function start(file: string, database: string): Promise<{ url: string; stop(): void }> {
  const child = fork(new URL(file, import.meta.url), { env: { ...process.env, BENCH_DATABASE: database } })
  // Neither server outlives a failed benchmark.
  process.once('exit', () => child.kill())
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { url: `http://127.0.0.1:${port}/wp-json/svc/v1`, stop: () => child.kill() }
}

async function rate(
  base: string,
  { path, headers, ...request }: Operation['request'],
  duration: number,
): Promise<number> {
  const result = await autocannon({
    connections: 16,
    duration,
    headers: { authorization: `Bearer ${benchToken}`, ...headers },
    ...request,
    url: base + path,
  })
  if (result.errors > 0 || (result['5xx'] ?? 0) > 0)
    throw new Error(`${path}: ${result.errors} errors, ${result['5xx']} times 5xx`)
  return result.requests.average
}

const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

/** Alternates rounds of both servers, and returns the median of their ratios. */
async function compare(ours: string, bare: string, { request }: Operation) {
  await rate(ours, request, 1)
  await rate(bare, request, 1)
  const pairs: { ours: number; bare: number }[] = []
  for (let round = 0; round < rounds; round++) {
    pairs.push({ bare: await rate(bare, request, seconds), ours: await rate(ours, request, seconds) })
  }
  return {
    ours: median(pairs.map((pair) => pair.ours)),
    bare: median(pairs.map((pair) => pair.bare)),
    ratio: median(pairs.map((pair) => pair.ours / pair.bare)),
  }
}

const mariadb = await startMariadb({ flags: ['--innodb-buffer-pool-size=1G'] })
try {
  await main()
} finally {
  await mariadb.stop()
}

async function main(): Promise<void> {
  const products = 10_000
  const database = await catalog('bench', products, 3, 100_000)
  const [ours, bare] = await Promise.all([start('ours.ts', database), start('bare.ts', database)])
  console.log('| operation | bare/s | svc-api/s | ratio | mark |\n|---|--:|--:|--:|--:|')
  for (const operation of operations(products)) {
    const result = await compare(ours.url, bare.url, operation)
    console.log(
      `| ${operation.name} | ${result.bare.toFixed(0)} | ${result.ours.toFixed(0)} | ${result.ratio.toFixed(2)} | ${operation.mark} |`,
    )
  }
  bare.stop()
  ours.stop()
  if (!process.argv.includes('--no-growth')) await growth()
}

/** The last page of growing lists, which may become at most ten times slower from 1,000 to 100,000 rows. */
async function growth(): Promise<void> {
  console.log('\n| products | first page/s | last page/s |\n|--:|--:|--:|')
  for (const products of [1_000, 10_000, 100_000]) {
    const database = await catalog(`growth${products}`, products, 0)
    const server = await start('ours.ts', database)
    const first = await rate(server.url, { path: '/products' }, seconds)
    const last = await rate(server.url, { path: `/products?page=${products / 20}` }, seconds)
    console.log(`| ${products} | ${first.toFixed(0)} | ${last.toFixed(0)} |`)
    server.stop()
  }
}

async function catalog(
  name: string,
  products: number,
  viewsPerProduct: number,
  printJobs = 0,
): Promise<string> {
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection(mariadb.url())
  await connection.query(`create database ${name} character set utf8mb4`)
  await connection.end()
  const address = mariadb.url(name)
  await fill(address, { products, viewsPerProduct, blob: 10_000, categories: 200, printJobs })
  return address
}
