// Compares the settings index and one settings group with a bare server that sends the same bytes, alternating between them.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import autocannon from 'autocannon'
import { startMariadb } from '../test/support/peers/mariadb.ts'
import { benchToken, fill } from './catalog.ts'

const root = '/wp-json/svc/v1'
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 2)

/** What the bare server sends: the bytes, after reading the option rows of the given keys. */
interface Plan {
  text: string
  keys: string[]
}

async function serveBare(): Promise<void> {
  const { createPool } = await import('mysql2/promise')
  const pool = createPool({ uri: process.env.BENCH_DATABASE ?? '' })
  const [plans] = (await once(process, 'message')) as [Record<string, Plan>]
  const server = createServer(async (request, response) => {
    const plan = plans[request.url ?? ''] ?? { text: '', keys: [] }
    if (plan.keys.length > 0) {
      const names = plan.keys.map(() => '?').join(',')
      await pool.execute(
        `select option_name, option_value from wp_options where option_name in (${names})`,
        plan.keys,
      )
    }
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.end(plan.text)
  })
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
}

async function rate(url: string): Promise<number> {
  const headers = { authorization: `Bearer ${benchToken}` }
  const result = await autocannon({ url, headers, connections: 16, duration: seconds })
  if (result.non2xx > 0) throw new Error(`${url}: ${result.non2xx} responses were not successful`)
  return result.requests.average
}

const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

async function measure(): Promise<void> {
  const mariadb = await startMariadb()
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection(mariadb.url())
  await connection.query('create database bench character set utf8mb4')
  await connection.end()
  const database = mariadb.url('bench')
  await fill(database, { products: 10, viewsPerProduct: 1, blob: 100, categories: 1 })
  const env = { ...process.env, BENCH_DATABASE: database }
  const ours = fork(new URL('ours.ts', import.meta.url), { env })
  const bare = fork(new URL(import.meta.url), ['bare'], { env })
  const [{ port: oursPort }] = (await once(ours, 'message')) as [{ port: number }]
  const address = `http://127.0.0.1:${oursPort}${root}`
  const get = async (path: string) =>
    (await fetch(address + path, { headers: { authorization: `Bearer ${benchToken}` } })).text()
  const index = await get('/settings')
  const general = await get('/settings/groups/general')
  const keys = JSON.parse(general).data.sections.flatMap(({ options }: { options: { id: string }[] }) =>
    options.map(({ id }) => id),
  )
  bare.send({
    '/index': { text: index, keys: [] },
    '/general': { text: general, keys },
    '/general-without-query': { text: general, keys: [] },
  })
  const [{ port: barePort }] = (await once(bare, 'message')) as [{ port: number }]
  console.log('| operation | bare/s | svc-api/s | ratio |\n|---|--:|--:|--:|')
  for (const [name, path, yardstick] of [
    ['GET /settings', '/settings', '/index'],
    ['GET /settings/groups/general', '/settings/groups/general', '/general'],
    ['… against bytes without a query', '/settings/groups/general', '/general-without-query'],
  ]) {
    const pairs: [bare: number, ours: number][] = []
    for (let round = 0; round < rounds; round++) {
      pairs.push([await rate(`http://127.0.0.1:${barePort}${yardstick}`), await rate(address + path)])
    }
    const columns = [
      median(pairs.map(([bare]) => bare)).toFixed(0),
      median(pairs.map(([, ours]) => ours)).toFixed(0),
      median(pairs.map(([bare, ours]) => ours / bare)).toFixed(2),
    ]
    console.log(`| ${name} | ${columns.join(' | ')} |`)
  }
  bare.kill()
  ours.kill()
  await mariadb.stop()
}

await (process.argv[2] === 'bare' ? serveBare() : measure())
