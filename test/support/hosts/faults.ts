// What the fault tests share: the kinds of database that a host passes in, each behind a proxy, and what is guaranteed.
import { Kysely, MysqlDialect } from 'kysely'
import { createPool, type Pool } from 'mysql2'
import type { Test } from 'tap'
import type { DatabaseInput } from '../../../plugins/index.ts'
import { type ChaosProxy, chaosProxy } from '../hostile/chaos-proxy.ts'
import {
  type BuildOptions,
  build,
  freshAddress,
  onEachServer,
  type ServerEngine,
  type TestHost,
  type TestResponse,
} from './build.ts'

const poolKinds = ['a mysql2 pool of the host', "the host's Kysely"] as const
type PoolKind = (typeof poolKinds)[number]
export type Kind = PoolKind | 'an address'

/** What a host of this kind passes in, and its pool, which is closed with the test even if broken. */
export function hostPool(
  t: Test,
  kind: PoolKind,
  address: string,
  connectionLimit = 10,
): { pool: Pool; database: DatabaseInput } {
  const pool = createPool({ uri: address, connectionLimit, connectTimeout: 2000 })
  t.teardown(() => pool.end(() => {}))
  const isPool = kind === 'a mysql2 pool of the host'
  return { pool, database: isPool ? pool : new Kysely({ dialect: new MysqlDialect({ pool }) }) }
}

export interface FaultyHost extends TestHost {
  proxy: ChaosProxy
  ready(): Promise<number>
}

/** The API on a database behind a proxy, which `db` bypasses. */
export async function faultyHost(t: Test, kind: Kind, options: BuildOptions = {}): Promise<FaultyHost> {
  const address = options.address ?? (await freshAddress(t, options.engine ?? 'MariaDB'))
  const proxy = await chaosProxy(t, address)
  const way = proxy.through(address)
  const database = kind === 'an address' ? way : hostPool(t, kind, way).database
  const host = await build(t, { readinessPath: '/ready', ...options, address, database })
  const ready = async () => (await host.app.inject('/ready')).statusCode
  return { ...host, proxy, ready }
}

type Run<K> = (t: Test, kind: K, engine: ServerEngine) => Promise<void>

/** A response that sends its client back for later. */
export function isRefused(t: Test, { status, body, headers }: TestResponse, name: string): void {
  t.match({ status, code: body.code }, { status: 503, code: 'svc_unavailable' }, name)
  t.match(headers['retry-after'], /^\d+$/, name)
}

/** Runs the test on each server, once for each kind of host, at the same time: most of it is waiting. */
export function onEachKind(t: Test, run: Run<Kind>): Promise<unknown> {
  return onEachServer(t, async (t, engine) => atOnce(t, ['an address', ...poolKinds], engine, run))
}

/** The same for the kinds with a pool. */
export function onEachPool(t: Test, run: Run<PoolKind>): Promise<unknown> {
  return onEachServer(t, async (t, engine) => atOnce(t, poolKinds, engine, run))
}

async function atOnce<K extends Kind>(
  t: Test,
  kinds: readonly K[],
  engine: ServerEngine,
  run: Run<K>,
): Promise<void> {
  t.jobs = kinds.length
  await Promise.all(kinds.map((kind) => t.test(kind, { buffered: true }, (sub) => run(sub, kind, engine))))
}

/** Asserts that a response is what is promised while the database is away. */
export async function isUnavailable(
  t: Test,
  request: () => Promise<TestResponse>,
  reason: string | RegExp = /^[a-z-]+$/,
): Promise<void> {
  const since = performance.now()
  const { status, body, headers } = await request()
  t.match({ status, ...body }, { status: 503, code: 'svc_unavailable', data: { reason } })
  t.match(headers['retry-after'], /^\d+$/)
  t.ok(performance.now() - since < 10_000, 'within ten seconds')
}
