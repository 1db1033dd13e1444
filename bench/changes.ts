// What it costs to report changes: the same PATCH on servers that report to nobody, to a listener, and to all three readers.
// Nothing is delivered meanwhile, because the address of the endpoint is private.
import { createConnection } from 'mysql2/promise'
import { startMariadb } from '../test/support/peers/mariadb.ts'
import { fill } from './catalog.ts'
import { compare, type Load, start } from './load.ts'

/** Values of BENCH_CHANGES, as ours.ts reads them. */
const readers = ['none', 'listener', 'audit', 'all'] as const

const json = { 'content-type': 'application/json' }
const patch = { method: 'PATCH', body: '{"title":"New title"}', headers: json } as const
const minimal = { ...patch, headers: { ...json, prefer: 'return=minimal' } }

/** Many rows, because writers of one row would wait for each other, the longer their transactions are. */
const paths = (kind: string) => Array.from({ length: 900 }, (_, i) => `/${kind}/${((i * 7) % 900) + 1}`)

const operations: [name: string, load: Load][] = [
  ['PATCH /views/{id} title', { path: '/views/1', paths: paths('views'), ...patch }],
  ['PATCH /views/{id} title, return=minimal', { path: '/views/1', paths: paths('views'), ...minimal }],
  [
    'PATCH /products/{id} title, return=minimal',
    { path: '/products/1', paths: paths('products'), ...minimal },
  ],
]

/** @param databasePid of the server of `address` */
export async function changeRows(address: string, databasePid: number): Promise<string[]> {
  const servers = []
  for (const reader of readers) servers.push(await start('ours.ts', address, { BENCH_CHANGES: reader }))
  const lines = [
    '| reporting changes, CPU ms for each request | off | onChange | + audit | + webhooks | all against off | at most |',
    '|---|--:|--:|--:|--:|--:|--:|',
  ]
  for (const [name, load] of operations) {
    const all = await compare(servers, databasePid, load)
    const cpu = all.map(({ serverCpu, databaseCpu }) => serverCpu + databaseCpu)
    const ratio = (cpu.at(-1) ?? 0) / (cpu[0] ?? 1)
    lines.push(`| ${name} | ${cpu.map((each) => each.toFixed(2)).join(' | ')} | ${ratio.toFixed(2)} | 1.15 |`)
    console.error(lines.at(-1))
  }
  for (const server of servers) server.stop()
  return lines
}

if (import.meta.main) {
  const mariadb = await startMariadb()
  try {
    const connection = await createConnection(mariadb.url())
    await connection.query('create database bench character set utf8mb4')
    await connection.end()
    const address = mariadb.url('bench')
    await fill(address, { products: 1000, viewsPerProduct: 3, blob: 10_000, categories: 20 })
    console.log((await changeRows(address, mariadb.pid)).join('\n'))
  } finally {
    await mariadb.stop()
  }
}
