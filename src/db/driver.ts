// What the Kysely drivers of all engines share: transactions as statements, and a time limit for a free connection.
import { CompiledQuery, type DatabaseConnection, type Driver } from 'kysely'
import { timeLeft } from '../core/deadline.ts'
import { poolExhausted, timeouts } from './timeouts.ts'

/**
 * A driver whose transactions are statements on its connections.
 * @param begin statement that begins a transaction
 * @param methods of the driver that differ between engines
 */
export function driverOf(
  begin: string,
  methods: Pick<Driver, 'acquireConnection' | 'releaseConnection'> & Partial<Driver>,
): Driver {
  const running = (sql: string) => async (connection: DatabaseConnection) => {
    await connection.executeQuery(CompiledQuery.raw(sql))
  }
  return {
    init: async () => {},
    beginTransaction: running(begin),
    commitTransaction: running('commit'),
    rollbackTransaction: running('rollback'),
    destroy: async () => {},
    ...methods,
  }
}

/**
 * The connection, if the pool provides it within `timeouts.acquire` and before the deadline. Pools themselves have no time limit.
 * @param release is called with a connection that arrives too late
 * @throws Error `SVC_POOL_EXHAUSTED`
 */
export async function acquired<C>(connection: Promise<C>, release: (connection: C) => void): Promise<C> {
  const { promise: exhausted, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(poolExhausted())
    connection.then(release, () => {})
  }, timeLeft(timeouts.acquire))
  try {
    return await Promise.race([connection, exhausted])
  } finally {
    clearTimeout(timer)
  }
}
