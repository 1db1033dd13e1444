// Compares the API with a bare server and with plain Fastify on one database, and writes bench/results.md. The servers take
// turns: only ratios of the same run are meaningful, because servers, database and load share the machine.
import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { settingsCatalog } from '../src/settings/catalog.ts'
import { startMariadb } from '../test/support/peers/mariadb.ts'
import { fill, largeCategory, useSingleKeys } from './catalog.ts'
import { changeRows } from './changes.ts'
import { jsonRows } from './json.ts'
import { compare, type Load, measure, median, rounds, type Server, seconds, start } from './load.ts'
import { printRows } from './prints.ts'
import { shopRows } from './shop.ts'
import { hostStart, imports } from './startup.ts'
import { uploadRates } from './upload.ts'

const products = 10_000
const json = { 'content-type': 'application/json' }
const search = { path: `/products?search=shirt&category_id=${largeCategory}` }
const keys = settingsCatalog()
  .all.slice(0, 20)
  .map(({ id }) => `keys[]=${id}`)
const patch = { method: 'PATCH', body: '{"title":"New title"}' } as const

/** Name, the mark for the ratio to the bare server, and the request. */
const operations: [name: string, mark: number, load: Load][] = [
  ['GET /products, 20 rows and total', 3, { path: '/products' }],
  ['… search and category', 2, search],
  ['… last page', 2.7, { path: `/products?page=${products / 20}&type=all` }],
  ['GET /views/{id}, 10 KB', 0.85, { path: '/views/777' }],
  [
    'PATCH /views/{id} title, return=minimal',
    0.9,
    { path: '/views/778', ...patch, headers: { ...json, prefer: 'return=minimal' } },
  ],
  ['GET /settings/values, 20 keys', 0.95, { path: `/settings/values?${keys.join('&')}` }],
  ['GET /print-jobs?status=, 100,000 jobs', 10, { path: '/print-jobs?status=completed' }],
  ['wrong token', 0.85, { path: '/views/777', headers: { authorization: `Bearer ${'0'.repeat(64)}` } }],
]

if (process.argv.includes('--prints')) {
  console.log((await printRows()).join('\n'))
  process.exit()
}
const loadBefore = loadavg()
const mariadb = await startMariadb({ flags: ['--innodb-buffer-pool-size=1G'] })
if (process.argv.includes('--shop')) {
  try {
    console.log((await shopRows(await emptyDatabase('shop'))).join('\n'))
  } finally {
    await mariadb.stop()
  }
  process.exit()
}
try {
  const lines = [...(await operationTable()), ...(await uploadRow()), ...(await startRows())]
  lines.push('', ...(await printRows()))
  lines.push('', ...jsonRows())
  lines.push('', ...(await changeRows(await catalog('changes', 1000, 3), mariadb.pid)))
  lines.push('', ...(await shopRows(await emptyDatabase('shop'))))
  if (!process.argv.includes('--no-growth')) lines.push('', ...(await growthTable()))
  const text = `${[...(await heading()), ...lines].join('\n')}\n`
  await writeFile(new URL('results.md', import.meta.url), text)
  console.log(text)
} finally {
  await mariadb.stop()
}

async function heading(): Promise<string[]> {
  const connection = await createConnection(mariadb.url())
  const [[row]] = await connection.query<RowDataPacket[]>('select version() as version')
  await connection.end()
  const load = (numbers: number[]) => numbers.map((number) => number.toFixed(1)).join(', ')
  return [
    '# Results of `npm run bench`',
    '',
    `${new Date().toISOString().slice(0, 16)}Z, Node ${process.version}, database ${row?.version}, ${availableParallelism()} cores (${cpus()[0]?.model.trim()}).`,
    `Load averages before ${load(loadBefore)}, after ${load(loadavg())}. Medians of ${rounds} rounds of ${seconds} s in which the servers take turns, on 8 connections.`,
    '`bare` is node:http and mysql2 with naive SQL. CPU is milliseconds for each request, server + database; where others load the machine, its ratio is the steadier one.',
    '',
  ]
}

async function operationTable(): Promise<string[]> {
  const pair = await serversOn(await catalog('bench', products, 3, 100_000))
  const lines = [
    '| operation | bare/s | plain Fastify/s | svc-api/s | x bare | by CPU | mark | CPU bare | CPU plain | CPU svc-api |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
  ]
  for (const [name, mark, load] of operations) lines.push(await row(pair, name, mark, load))
  for (const server of pair) server.stop()
  const address = await catalog('single_keys', products, 0)
  await useSingleKeys(address)
  const single = await serversOn(address)
  const name = '… search and category, a key for each column'
  lines.splice(4, 0, await row(single, name, 4.5, search))
  for (const server of single) server.stop()
  return lines
}

function serversOn(address: string): Promise<Server[]> {
  return Promise.all(['bare.ts', 'plain.ts', 'ours.ts'].map((file) => start(file, address)))
}

async function row(servers: readonly Server[], name: string, mark: number, load: Load): Promise<string> {
  const all = await compare(servers, mariadb.pid, load)
  const cpu = all.map(({ serverCpu, databaseCpu }) => `${serverCpu.toFixed(2)} + ${databaseCpu.toFixed(2)}`)
  const [bare = 0, , ours = 0] = all.map((measured) => measured.serverCpu + measured.databaseCpu)
  const byCpu = bare / ours
  const rates = all.map(({ perSecond }) => perSecond.toFixed(0))
  const line = `| ${name} | ${rates.join(' | ')} | ${all[2]?.ratio.toFixed(2)} | ${byCpu.toFixed(2)} | ${mark} | ${cpu.join(' | ')} |`
  console.error(line)
  return line
}

async function uploadRow(): Promise<string[]> {
  const { ours, alone } = await uploadRates()
  const ratio = (ours / alone).toFixed(2)
  return [
    `| POST /assets, JPEG of 12 megapixels; bare: sharp alone | ${alone.toFixed(2)} | | ${ours.toFixed(2)} | ${ratio} | | 1 | | | |`,
  ]
}

/** These compare nothing with the bare server; its import is mysql2 alone. */
async function startRows(): Promise<string[]> {
  const [bare, plain, ours] = (await imports()).map(
    ({ modules, cpu, megabytes }) => `${modules} modules, ${cpu.toFixed(0)} ms, ${megabytes.toFixed(0)} MB`,
  )
  return [
    `| import of the package | ${bare} | ${plain} | ${ours} | | | half of 745 modules, 700 ms, 45 MB | | | |`,
    `| start of the example host | | | ${(await hostStart()).toFixed(1)} s | | | 1 s | | | |`,
  ]
}

/** Median latency, as the number of products grows. */
async function growthTable(): Promise<string[]> {
  const loads: [name: string, most: number, path: (count: number) => string][] = [
    ['first page', 2, () => '/products'],
    ['last page', 2, (count) => `/products?page=${count / 20}&type=all`],
    ['search and category', 6, () => search.path],
  ]
  const found: number[][] = loads.map(() => [])
  for (const count of [1_000, 10_000, 100_000]) {
    console.error(`growth: ${count} products`)
    const server = await start('ours.ts', await catalog(`growth${count}`, count, 3))
    for (const [i, [, , path]] of loads.entries()) {
      const p50s: number[] = []
      // One connection: with several, latency would measure the queue.
      for (let round = -1; round < rounds; round++) {
        const { serverCpu, databaseCpu } = await measure(server, mariadb.pid, { path: path(count) }, 1)
        if (round >= 0) p50s.push(serverCpu + databaseCpu)
      }
      found[i]?.push(median(p50s))
    }
    server.stop()
  }
  return [
    '| growth, CPU ms for each request | 1,000 products | 10,000 | 100,000, 300,000 views | 100,000 to 1,000 | at most |',
    '|---|--:|--:|--:|--:|--:|',
    ...loads.map(([name, most], i) => {
      const [small = 0, middle = 0, large = 0] = found[i] ?? []
      const times = [small, middle, large].map((time) => time.toFixed(2))
      return `| ${name} | ${times.join(' | ')} | ${(large / small).toFixed(1)} | ${most} |`
    }),
  ]
}

async function emptyDatabase(name: string): Promise<string> {
  const connection = await createConnection(mariadb.url())
  await connection.query(`create database ${name} character set utf8mb4`)
  await connection.end()
  return mariadb.url(name)
}

async function catalog(name: string, count: number, viewsPerProduct: number, printJobs = 0): Promise<string> {
  const address = await emptyDatabase(name)
  // Growing lists read no views; small ones fill the table sooner.
  const blob = name === 'bench' ? 10_000 : 100
  await fill(address, { products: count, viewsPerProduct, blob, categories: 200, printJobs })
  return address
}
