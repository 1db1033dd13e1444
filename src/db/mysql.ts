// Kysely dialect for a mysql2 pool, ours or the host's, independent of the settings of the pool.
import type { Socket } from 'node:net'
import { MysqlDialect, type MysqlPool, type MysqlPoolConnection } from 'kysely'
import type { Pool, PoolConnection } from 'mysql2'
import type { Pool as PromisePool } from 'mysql2/promise'
import { timeLeft } from '../deadline.ts'
import type { Direct } from './direct.ts'
import {
  type Done,
  drop,
  isOutOfTime,
  mayBeTold,
  runOn,
  type ServerStatements,
  serverStatements,
  socketOf,
  timed,
} from './mysql-statement.ts'
import { affectedBy, transactionOn } from './mysql-transaction.ts'
import { poolExhausted, timeouts } from './timeouts.ts'

/** Opens a pool for a `mysql://` URL. Imports mysql2 lazily, because a host on SQLite does not need it. */
export async function openPool(url: string): Promise<{ pool: Pool; close(): Promise<void> }> {
  const { createPool } = await import('mysql2')
  const pool = createPool({
    uri: url,
    charset: 'utf8mb4',
    connectTimeout: timeouts.connect,
    // A longer queue could not be served in time anyway.
    queueLimit: 1000,
    stringifyObjects: true,
    // Our reader parses JSON columns, too.
    jsonStrings: true,
  })
  const sockets = new Map<Socket, Promise<void>>()
  pool.on('connection', (connection) => {
    const socket = socketOf(connection)
    const { promise, resolve } = Promise.withResolvers<void>()
    sockets.set(socket, promise)
    socket.once('close', () => {
      sockets.delete(socket)
      resolve()
    })
  })
  /** Does not wait for an unresponsive server, and ignores one that is gone. */
  async function close(): Promise<void> {
    pool.end(() => {})
    const timer = setTimeout(() => {
      for (const socket of sockets.keys()) socket.destroy()
    }, timeouts.goodbye)
    await Promise.all(sockets.values())
    clearTimeout(timer)
  }
  return { pool, close }
}

/** The callback pool, also inside a promise pool; undefined if it is not a mysql2 pool. */
export function corePool(pool: unknown): Pool | undefined {
  if (typeof pool !== 'object' || pool === null) return undefined
  const inner = (pool as Partial<PromisePool>).pool
  if (typeof inner === 'object' && inner !== null) return inner as unknown as Pool
  return typeof (pool as Partial<Pool>).getConnection === 'function' ? (pool as Pool) : undefined
}

type Lease = (error: unknown, connection: PoolConnection | undefined) => void

/** Gets a connection of the pool, which itself has no timeout. One that arrives too late is released at once. */
function lease(pool: Pool, done: Lease): void {
  let late = false
  const timer = setTimeout(() => {
    late = true
    done(poolExhausted(), undefined)
  }, timeLeft(timeouts.acquire))
  pool.getConnection((error, connection) => {
    clearTimeout(timer)
    if (late) connection?.release()
    else done(error, connection)
  })
}

/** Kysely dialect with time limits for acquiring a connection and for each query. */
export function mysql2Dialect(pool: Pool, statements = serverStatements()): MysqlDialect {
  const wrapped = new WeakMap<PoolConnection, MysqlPoolConnection>()

  function wrap(connection: PoolConnection): MysqlPoolConnection {
    let facade = wrapped.get(connection)
    if (!facade) {
      facade = facadeOf(connection, statements)
      wrapped.set(connection, facade)
    }
    return facade
  }

  const facadePool: MysqlPool = {
    end: (done) => pool.end((error) => done(error)),
    getConnection: (done) =>
      lease(pool, (error, connection) =>
        connection ? done(undefined, wrap(connection)) : done(error, undefined as never),
      ),
  }
  return new MysqlDialect({ pool: facadePool })
}

/** Runs single statements on the pool, prepared on the server where that is possible. */
export function mysql2Direct(pool: Pool, statements = serverStatements()): Direct {
  const run = (connection: PoolConnection, text: string, values: readonly unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      const done: Done = (error, result) => {
        connection.release()
        if (error) reject(error)
        else resolve(result)
      }
      try {
        runOn(connection, text, values, done, statements)
      } catch (error) {
        done(error)
      }
    })

  return {
    // Through a promise, because a connection that another request releases comes in the context of that request, with its
    // deadline.
    rows: (text, values) =>
      leased(pool).then((connection) => run(connection, text, values)) as Promise<unknown[]>,

    async write(text, values) {
      const connection = await leased(pool)
      if (!mayBeTold(connection)) {
        connection.release()
        return undefined
      }
      try {
        return affectedBy(await run(connection, timed(text), values))
      } catch (error) {
        if (isOutOfTime(error)) return undefined
        throw error
      }
    },

    async session(work) {
      const connection = await leased(pool)
      const { executor, reset } = transactionOn(connection, statements)
      try {
        return await work(executor)
      } finally {
        reset()
        connection.release()
      }
    },
  }
}

const leased = (pool: Pool) =>
  new Promise<PoolConnection>((resolve, reject) =>
    lease(pool, (error, connection) => (connection ? resolve(connection) : reject(error))),
  )

function facadeOf(connection: PoolConnection, statements: ServerStatements): MysqlPoolConnection {
  const { query, reset } = transactionOn(connection, statements)
  const facade: Pick<MysqlPoolConnection, 'threadId' | 'release' | 'destroy' | 'query'> = {
    threadId: connection.threadId,
    release: () => {
      reset()
      connection.release()
    },
    destroy: () => drop(connection),
    query: query as MysqlPoolConnection['query'],
  }
  // Kysely's driver calls these four; `connect` and `config` belong to control connections, which we do not use.
  return facade as MysqlPoolConnection
}
