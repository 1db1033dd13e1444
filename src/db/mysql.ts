// Kysely dialect for a mysql2 pool, ours or the host's, independent of the settings of the pool.
import type { Socket } from 'node:net'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Pool, PoolConnection, ResultSetHeader } from 'mysql2'
import type { Pool as PromisePool } from 'mysql2/promise'
import { errorCode } from '../core/foreign.ts'
import { sqlSpans } from '../core/trace.ts'
import { acquired, driverOf } from './driver.ts'
import { endWithKill, type Killer, killer } from './kill.ts'
import { drop, runOn, socketOf } from './mysql-statement.ts'
import { PreparedStatements } from './prepared.ts'
import { withSessionEnd } from './session-end.ts'
import { isSpent, lockSeconds, maxWait, sequenceTimeout, timeoutCode, timeouts } from './timeouts.ts'

/**
 * Settings of the sessions of our pool. A wait for a lock fails before its caller gives up, so that the transaction can be ended on
 * the same connection. The sql_mode stays that of the server, without the modes that change the meaning of a string.
 */
const sessionSettings = `set session lock_wait_timeout = ${lockSeconds}, innodb_lock_wait_timeout = ${lockSeconds},
  sql_mode = replace(replace(@@sql_mode, 'NO_BACKSLASH_ESCAPES', ''), 'ANSI_QUOTES', '')`

/** Opens a pool for a `mysql://` URL; `close` ends it. Imports mysql2 lazily, because a host on SQLite does not need it. */
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
  // mysql2 runs the statements of a connection in order, so the settings apply before the first one. An error of the settings appears in that one, too.
  pool.on('connection', (connection) => connection.query(sessionSettings, () => {}))
  /** Open sockets, with what resolves when they close. */
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
  /** Waits for the connections to end, but not for an unresponsive server. */
  async function close(): Promise<void> {
    pool.end(() => {})
    const timer = setTimeout(() => {
      for (const socket of sockets.keys()) socket.destroy()
    }, timeouts.quit)
    await Promise.all(sockets.values())
    clearTimeout(timer)
  }
  return { pool, close }
}

/** The callback pool, also inside a promise pool; undefined if it is not a mysql2 pool. */
export function corePool(pool: unknown): Pool | undefined {
  if (typeof pool !== 'object' || pool === null) return undefined
  // The types of mysql2 declare the pool within a promise pool as another promise pool.
  const inner = (pool as Partial<PromisePool>).pool
  if (typeof inner === 'object' && inner !== null) return inner as unknown as Pool
  return typeof (pool as Partial<Pool>).getConnection === 'function' ? (pool as Pool) : undefined
}

/** A free connection of the pool. One that comes after the time limit goes back. */
function acquire(pool: Pool): Promise<PoolConnection> {
  const { promise, resolve, reject } = Promise.withResolvers<PoolConnection>()
  pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection)))
  return acquired(promise, (connection) => connection.release())
}

/** Kysely dialect with time limits for acquiring a connection and for each query. */
export function mysql2Dialect(pool: Pool): Dialect {
  const statements = new PreparedStatements()
  const sessions = killer()
  const driver = driverOf('begin', {
    acquireConnection: async () => new Session(await acquire(pool), statements, sessions),
    // The session is the one that `acquireConnection` returned.
    releaseConnection: async (session) => (session as Session).release(),
    destroy: () => new Promise((resolve) => pool.end(() => resolve())),
  })
  return {
    createDriver: () => driver,
    createAdapter: () => new MysqlAdapter(),
    createQueryCompiler: () => new MysqlQueryCompiler(),
    createIntrospector: (db) => new MysqlIntrospector(db),
  }
}

/** A connection of the pool, from when it is acquired until it is released. */
class Session implements DatabaseConnection {
  readonly #connection: PoolConnection
  readonly #statements: PreparedStatements
  readonly #killer: Killer
  /** Set once the session is killed, because its caller stopped waiting; resolves to whether the server has ended it. */
  #killed: Promise<boolean> | undefined

  constructor(connection: PoolConnection, statements: PreparedStatements, killer: Killer) {
    this.#connection = connection
    this.#statements = statements
    this.#killer = killer
    killer.register(connection)
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#killed) return Promise.reject(sequenceTimeout())
    const { sql } = query
    // By promises, because callbacks of mysql2 come in the context of the request that opened the connection, with its deadline.
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult<R>>()
    const traced = sqlSpans.start({ engine: 'mysql', statement: sql })
    const end = (error: unknown, result?: unknown) => {
      clearTimeout(timer)
      // The caller has received the error of the timeout already.
      if (this.#killed) return
      traced?.(error)
      if (!error) return resolve(resultOf(result as R[] | ResultSetHeader))
      if (errorCode(error) === timeoutCode) this.#killed = this.#kill()
      else if (isSpent(error, sql)) drop(this.#connection)
      reject(withSessionEnd(error, () => this.#killed ?? this.#kill()))
    }
    const limit = maxWait(sql)
    const timer = limit > 0 ? setTimeout(() => end(sequenceTimeout()), limit) : undefined
    runOn(this.#connection, query, this.#statements, end)
    return promise
  }

  /**
   * Kills the session. It keeps its place in the pool until the kill has finished, so that abandoned sessions do not pile up.
   * @returns whether the server has ended it
   */
  #kill(): Promise<boolean> {
    const { hasEnded, finished } = this.#killer.kill(this.#connection)
    endWithKill(this.#connection, hasEnded)
    finished.then(() => drop(this.#connection))
    return hasEnded
  }

  release(): void {
    if (!this.#killed) this.#connection.release()
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported.')
  }
}

/** What Kysely expects, from what mysql2 returns: rows of a query, or the header of a write. */
function resultOf<R>(result: R[] | ResultSetHeader): QueryResult<R> {
  if (Array.isArray(result)) return { rows: result }
  const { insertId, affectedRows } = result as ResultSetHeader
  return {
    rows: [],
    ...(insertId && { insertId: BigInt(insertId) }),
    numAffectedRows: BigInt(affectedRows ?? 0),
  }
}
