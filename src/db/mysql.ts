// Kysely on a mysql2 pool of either flavour, ours or the host's, without trusting the pool's own settings.
import { MysqlDialect, type MysqlPool, type MysqlPoolConnection } from 'kysely'
import type { Pool, PoolConnection, TypeCast } from 'mysql2'
import type { Pool as PromisePool } from 'mysql2/promise'
import { timeLeft } from '../deadline.ts'
import { isTraced, traceStatement } from './trace.ts'

/** Longest single waits in milliseconds; a request that has less time left waits less. */
const waits = { connect: 3000, acquire: 4000, query: 5000, end: 1000 }

/** Connections that must not serve again: out of step with the server, or on one that cannot write. */
const spent = new Set(['PROTOCOL_SEQUENCE_TIMEOUT', 'ER_OPTION_PREVENTS_STATEMENT', 'ER_UNKNOWN_COM_ERROR'])

/** Opens a pool for a `mysql://` address. Imports mysql2 only now: a host on SQLite never loads it. */
export async function openPool(url: string): Promise<Pool> {
  const { createPool } = await import('mysql2')
  return createPool({
    uri: url,
    charset: 'utf8mb4',
    connectTimeout: waits.connect,
    // More waiters than this cannot be served in time anyway.
    queueLimit: 1000,
    stringifyObjects: true,
  })
}

/** The callback pool inside either flavour; undefined when it is no mysql2 pool. */
export function corePool(pool: unknown): Pool | undefined {
  if (typeof pool !== 'object' || pool === null) return undefined
  const inner = (pool as Partial<PromisePool>).pool
  if (typeof inner === 'object' && inner !== null) return inner as unknown as Pool
  return typeof (pool as Partial<Pool>).getConnection === 'function' ? (pool as Pool) : undefined
}

/** Kysely's dialect on the pool, with deadlines on waiting for a connection and on each query. */
export function mysql2Dialect(pool: Pool): MysqlDialect {
  const wrapped = new WeakMap<PoolConnection, MysqlPoolConnection>()

  function wrap(connection: PoolConnection): MysqlPoolConnection {
    let facade = wrapped.get(connection)
    if (!facade) {
      facade = facadeOf(connection)
      wrapped.set(connection, facade)
    }
    return facade
  }

  const facadePool: MysqlPool = {
    end: (done) => pool.end((error) => done(error)),
    getConnection: (done) => {
      // The pool itself waits forever. A connection that comes too late goes straight back.
      let late = false
      const timer = setTimeout(() => {
        late = true
        const error = Object.assign(new Error('No database connection became free in time.'), {
          code: 'SVC_POOL_EXHAUSTED',
        })
        done(error, undefined as never)
      }, timeLeft(waits.acquire))
      pool.getConnection((error, connection) => {
        clearTimeout(timer)
        if (late) connection?.release()
        else if (error) done(error, undefined as never)
        else done(undefined, wrap(connection))
      })
    },
  }
  return new MysqlDialect({ pool: facadePool })
}

/** Values as mysql2 reads them by default, for pools that are set to read them in another way. */
const plainValue: TypeCast = (field) => {
  if (field.type === 'BIT') return field.buffer()
  const text = field.string()
  return text !== null && /^(?:TINY|SHORT|INT24|LONG|LONGLONG|YEAR|FLOAT|DOUBLE)$/.test(field.type)
    ? Number(text)
    : text
}

function facadeOf(connection: PoolConnection): MysqlPoolConnection {
  const { typeCast, bigNumberStrings } = connection.config
  const isPlain = typeof typeCast !== 'function' && !bigNumberStrings
  const facade: Pick<MysqlPoolConnection, 'threadId' | 'release' | 'destroy' | 'query'> = {
    threadId: connection.threadId,
    release: () => connection.release(),
    destroy: () => connection.destroy(),
    query: ((text: string, values: readonly unknown[], done: (error: unknown, result: unknown) => void) => {
      assertScalars(values)
      const query = {
        sql: text,
        values,
        timeout: longestWait(text),
        // The host may have set any of these on its pool; our rows are objects of plain values all the same.
        typeCast: isPlain ? true : plainValue,
        rowsAsArray: false,
        nestTables: false,
        namedPlaceholders: false,
      }
      const traced = isTraced() ? traceStatement('mysql', text) : undefined
      connection.query(query as never, (error, result) => {
        traced?.(error)
        // A transaction that cannot be rolled back must not go back into the pool half open.
        if (error && (spent.has(error.code ?? '') || text === 'rollback')) connection.destroy()
        done(error, result)
      })
    }) as MysqlPoolConnection['query'],
  }
  // Kysely's driver calls these four; `connect` and `config` belong to control connections, which we do not use.
  return facade as MysqlPoolConnection
}

function longestWait(text: string): number {
  // Building a table or an index takes what it takes.
  if (/^(?:create|alter)\b/i.test(text)) return 0
  // Ending a transaction is worth a wait even when the request's time is up.
  const least = text === 'commit' || text === 'rollback' ? waits.end : 1
  return Math.max(least, timeLeft(waits.query))
}

/** Objects as parameters would become SQL text; the schemas keep them out, this makes sure. */
function assertScalars(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) {
      throw new TypeError('A query parameter must be a plain value.')
    }
  }
}
