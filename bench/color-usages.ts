// Measures the search for a color in many products, and how long it delays other requests.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { startMariadb } from '../test/support/peers/mariadb.ts'
import { benchToken, fill } from './catalog.ts'

const mariadb = await startMariadb({ flags: ['--innodb-buffer-pool-size=1G'] })
const { createConnection } = await import('mysql2/promise')
const connection = await createConnection(mariadb.url())
await connection.query('create database bench character set utf8mb4')
const database = mariadb.url('bench')
await fill(database, { products: 10_000, viewsPerProduct: 3, blob: 10_000, categories: 10 })
const server = fork(new URL('ours.ts', import.meta.url), {
  env: { ...process.env, BENCH_DATABASE: database },
})
const [{ port }] = (await once(server, 'message')) as [{ port: number }]

async function request(path: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { authorization: `Bearer ${benchToken}`, 'content-type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}/wp-json/svc/v1${path}`, { ...init, headers })
  return response.json()
}

/** The maximum and mean latency of small sequential requests while `work` runs. */
async function beside(work: Promise<unknown>): Promise<string> {
  const waits: number[] = []
  let done = false
  void work.finally(() => {
    done = true
  })
  do {
    const start = performance.now()
    await request('/views/777?fields=title')
    waits.push(performance.now() - start)
  } while (!done)
  const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length
  return `${mean.toFixed(0)} | ${Math.max(...waits).toFixed(0)}`
}

await request('/color-library', {
  method: 'PUT',
  body: JSON.stringify({
    colors: [
      { id: 'rare', hex: '#a1b2c3', name: 'Rare' },
      { id: 'black', hex: '#000000', name: 'Black' },
    ],
  }),
})
console.log(
  '| color | seconds | checked | products | others wait, mean ms | longest ms |\n|---|--:|---|--:|--:|--:|',
)
await request('/views/777')
for (const id of ['rare', 'rare', 'black']) {
  const start = performance.now()
  const work = request(`/color-library/usages?type=color&id=${id}`) as Promise<{
    data: { productsChecked: boolean; products: unknown[] }
  }>
  const waits = beside(work)
  const { data } = await work
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`| ${id} | ${seconds} | ${data.productsChecked} | ${data.products.length} | ${await waits} |`)
}
server.kill()
await connection.end()
await mariadb.stop()
