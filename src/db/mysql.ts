// Kysely dialect for a mysql2 pool, ours or the host's, independent of the settings of the pool.
import type { Socket } from 'node:net'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Pool, PoolConnection, ResultSetHeader } from 'mysql2'
import type { Pool as PromisePool } from 'mysql2/promise'
import { timeLeft } from '../deadline.ts'
import { isMariadb, runOn, socketOf } from './mysql-statement.ts'
import { KeptStatements } from './prepared.ts'
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

/** Gets a connection of the pool, which itself has no timeout. One that arrives too late is released at once. */
function leased(pool: Pool): Promise<PoolConnection> {
  const { promise, resolve, reject } = Promise.withResolvers<PoolConnection>()
  let late = false
  const timer = setTimeout(() => {
    late = true
    reject(poolExhausted())
  }, timeLeft(timeouts.acquire))
  pool.getConnection((error, connection) => {
    clearTimeout(timer)
    if (late) connection?.release()
    else if (error) reject(error)
    else resolve(connection)
  })
  return promise
}

/** Whether the server of this pool is MariaDB itself. */
export async function isMariadbPool(pool: Pool): Promise<boolean> {
  const connection = await leased(pool)
  connection.release()
  return isMariadb(connection)
}

/** Kysely dialect with time limits for acquiring a connection and for each query. */
export function mysql2Dialect(pool: Pool): Dialect {
  const statements = new KeptStatements()
  const runs = (sql: string) => async (connection: DatabaseConnection) => {
    await connection.executeQuery(CompiledQuery.raw(sql))
  }
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => new Session(await leased(pool), statements),
    releaseConnection: async (session) => (session as Session).connection.release(),
    beginTransaction: runs('begin'),
    commitTransaction: runs('commit'),
    rollbackTransaction: runs('rollback'),
    destroy: () => new Promise((resolve) => pool.end(() => resolve())),
  }
  return {
    createDriver: () => driver,
    createAdapter: () => new MysqlAdapter(),
    createQueryCompiler: () => new MysqlQueryCompiler(),
    createIntrospector: (db) => new MysqlIntrospector(db),
  }
}

class Session implements DatabaseConnection {
  readonly connection: PoolConnection
  readonly #statements: KeptStatements

  constructor(connection: PoolConnection, statements: KeptStatements) {
    this.connection = connection
    this.#statements = statements
  }

  // By promises, because callbacks of mysql2 come in the context of the request that opened the connection, with its deadline.
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return new Promise((resolve, reject) => {
      runOn(this.connection, query, this.#statements, (error, result) =>
        error ? reject(error) : resolve(resultOf(result)),
      )
    })
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported.')
  }
}

function resultOf<R>(result: unknown): QueryResult<R> {
  if (Array.isArray(result)) return { rows: result }
  const { insertId, affectedRows } = Object(result) as ResultSetHeader
  return {
    rows: [],
    ...(insertId && { insertId: BigInt(insertId) }),
    numAffectedRows: BigInt(affectedRows ?? 0),
  }
}
