// What the drivers of all engines have in common.
import { CompiledQuery, type DatabaseConnection, type Driver } from 'kysely'
import { timeLeft } from '../core/deadline.ts'
import { poolExhausted, timeouts } from './timeouts.ts'

/** A driver whose transactions are statements on its connections. */
export function driverOf(
  begin: string,
  parts: Pick<Driver, 'acquireConnection' | 'releaseConnection'> & Partial<Driver>,
): Driver {
  const runs = (sql: string) => async (connection: DatabaseConnection) => {
    await connection.executeQuery(CompiledQuery.raw(sql))
  }
  return {
    init: async () => {},
    beginTransaction: runs(begin),
    commitTransaction: runs('commit'),
    rollbackTransaction: runs('rollback'),
    destroy: async () => {},
    ...parts,
  }
}

/**
 * Waits for a connection of a pool that itself has no time limit.
 * @param giveBack gets one that arrives too late
 */
export async function acquired<C>(connection: Promise<C>, giveBack: (late: C) => void): Promise<C> {
  const { promise: exhausted, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(poolExhausted())
    connection.then(giveBack, () => {})
  }, timeLeft(timeouts.acquire))
  try {
    return await Promise.race([connection, exhausted])
  } finally {
    clearTimeout(timer)
  }
}
