// Two minutes of load during which the server dies five times and the network fails in between. Prints the results.
import { setTimeout as delay } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import t from 'tap'
import { newProduct } from '../support/fixtures/rows.ts'
import type { Fault } from '../support/hostile/chaos-proxy.ts'
import { type FaultyHost, faultyHost, type Kind } from '../support/hosts/faults.ts'
import { startMariadb } from '../support/peers/mariadb.ts'

const rounds = 5
/** Milliseconds. One round is a quiet period, a network fault, a quiet period, and a crash of the server. */
const phase = { quiet: 9000, fault: 3000, dead: 3000 }
const workers = 6
const kinds: Kind[] = ['an address', 'a mysql2 pool of the host', "the host's Kysely"]
const faults: Fault[] = [
  { kind: 'swallow' },
  { kind: 'cut', direction: 'down', after: 5000 },
  { kind: 'swallow', direction: 'down' },
  { kind: 'refuse' },
  { kind: 'cut', direction: 'up', after: 3000 },
]

t.setTimeout(600_000)
t.test('five restarts and five faults in two minutes lose, duplicate and hang nothing', async (t) => {
  t.setTimeout(600_000)
  const server = await startMariadb({ flags: ['--innodb-flush-log-at-trx-commit=1'] })
  t.teardown(() => server.stop())
  const hosts: FaultyHost[] = []
  const products: number[] = []
  for (const [i, kind] of kinds.entries()) {
    const address = server.url(`shop${i}`)
    const connection = await createConnection(server.url())
    await connection.query(`create database shop${i} character set utf8mb4`)
    await connection.end()
    const host = await faultyHost(t, kind, { address })
    hosts.push(host)
    products.push(await newProduct(host))
  }

  const figures = { faults: 0, requests: 0, served: 0, refused: 0, broken: 0, hangs: 0, lost: 0, doubled: 0 }
  /** Since when there is no fault; undefined during a fault. */
  let wellSince: number | undefined = performance.now()

  /** Whether the request succeeded; false if the client should retry. */
  async function send(host: FaultyHost, ...request: Parameters<FaultyHost['call']>): Promise<boolean> {
    const since = performance.now()
    const well = wellSince
    const { status, headers, body } = await host.call(...request)
    figures.requests++
    if (performance.now() - since > 10_000) figures.hangs++
    if (status < 300) {
      figures.served++
      return true
    }
    const isRunning = body?.code === 'svc_idempotency_key_running'
    const isPromised = (status === 503 || isRunning) && headers['retry-after'] !== undefined
    // Without a fault from start to end the request must succeed.
    if (!isPromised || (status === 503 && well !== undefined && well === wellSince)) {
      figures.broken++
      t.comment(`${request[0]} ${request[1]}: ${status} ${body?.code}`)
    } else figures.refused++
    await delay(20)
    return false
  }

  const done = hosts.map(() => ({ titles: [] as string[], members: [] as string[] }))
  let isOver = false
  const load = hosts.flatMap((host, at) =>
    Array.from({ length: workers }, async (_, worker) => {
      for (let i = 0; !isOver; i++) {
        const name = `${worker}.${i}`
        const key = { 'idempotency-key': name }
        const product = `/products/${products[at]}`
        while (!(await send(host, 'POST', '/categories', { title: name }, key)));
        done[at]?.titles.push(name)
        while (!(await send(host, 'PATCH', product, { options: { [name]: 1 } })));
        done[at]?.members.push(name)
        await send(host, 'GET', '/products')
        await delay(20)
      }
    }),
  )

  const suffer = (fault: Fault) => hosts.forEach(({ proxy }) => void proxy.suffer(fault))
  for (let round = 0; round < rounds; round++) {
    await delay(phase.quiet)
    wellSince = undefined
    figures.faults += 2
    suffer(faults[round % faults.length] as Fault)
    await delay(phase.fault)
    suffer({ kind: 'none' })
    // Connections blocked by the fault are dropped within a few seconds; new requests succeed immediately.
    wellSince = performance.now()
    await delay(phase.quiet)
    wellSince = undefined
    await server.kill()
    for (const { ready } of hosts) t.equal(await ready(), 503)
    await delay(phase.dead)
    await server.restart()
    wellSince = performance.now()
    for (const { ready } of hosts) t.equal(await ready(), 200)
  }
  isOver = true
  await Promise.all(load)

  for (const [at, { db, t: names, call }] of hosts.entries()) {
    const rows = await db.selectFrom(names.categories).select('title').execute()
    const titles = rows.map((row) => String(row.title))
    const members = Object.keys((await call('GET', `/products/${products[at]}`)).body.data.options)
    const wanted = done[at] ?? { titles: [], members: [] }
    figures.lost += wanted.titles.filter((title) => !titles.includes(title)).length
    figures.lost += wanted.members.filter((member) => !members.includes(member)).length
    figures.doubled += titles.length - new Set(titles).size
  }
  t.comment(JSON.stringify(figures))
  t.match(figures, { broken: 0, hangs: 0, lost: 0, doubled: 0 })
})
