// Kysely dialect for a mysql2 pool, ours or the host's, independent of the settings of the pool.

import type { Socket } from 'node:net'
import { MysqlDialect, type MysqlPool, type MysqlPoolConnection } from 'kysely'
import type { Pool, PoolConnection, TypeCast } from 'mysql2'
import type { Pool as PromisePool } from 'mysql2/promise'
import { timeLeft } from '../deadline.ts'
import { SvcError } from '../errors.ts'
import { sqlSpans } from '../trace.ts'
import { bindLongerThan, isSpent, maxResultBytes, maxWait, poolExhausted, timeouts } from './timeouts.ts'

/** Destroys the socket, too: mysql2 only sends a quit command, and an unresponsive server would keep the socket open. */
function drop(connection: PoolConnection): void {
  connection.destroy()
  socketOf(connection).destroy()
}

function socketOf(connection: PoolConnection): Socket {
  return Reflect.get(connection, 'stream')
}

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

/** Kysely dialect with time limits for acquiring a connection and for each query. */
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
      // The pool itself has no timeout. A connection that arrives too late is released at once.
      let late = false
      const timer = setTimeout(() => {
        late = true
        done(poolExhausted(), undefined as never)
      }, timeLeft(timeouts.acquire))
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

/** Reads values as mysql2 does by default, for pools with other settings. */
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
    destroy: () => drop(connection),
    query: ((text: string, values: readonly unknown[], done: (error: unknown, result: unknown) => void) => {
      assertScalars(values)
      const query = {
        sql: text,
        values,
        timeout: maxWait(text),
        // Overrides the settings of the host's pool.
        typeCast: isPlain ? true : plainValue,
        rowsAsArray: false,
        nestTables: false,
        namedPlaceholders: false,
      }
      const ended = sqlSpans.start({ engine: 'mysql', statement: text })
      const finish = (error: unknown, result?: unknown) => {
        ended?.(error)
        if (error && isSpent(error, text)) drop(connection)
        done(error, result)
      }
      if (carriesLong(values)) connection.execute(query as never, finish)
      else if (/^\s*select\b/i.test(text)) boundedRows(connection, query, finish)
      else connection.query(query as never, finish)
    }) as MysqlPoolConnection['query'],
  }
  // Kysely's driver calls these four; `connect` and `config` belong to control connections, which we do not use.
  return facade as MysqlPoolConnection
}

/** Reads row by row; discards the remaining rows when they exceed the limit together. */
function boundedRows(
  connection: PoolConnection,
  query: object,
  done: (error: unknown, rows?: unknown) => void,
): void {
  const socket = socketOf(connection)
  const before = socket.bytesRead
  let rows: unknown[] | undefined = []
  let isOver = false
  // A connection that is lost while reading emits no end.
  const finish = (error: unknown) => {
    if (isOver) return
    isOver = true
    done(error ?? (rows ? null : new SvcError('svc_list_too_large')), rows)
  }
  connection
    .query(query as never)
    .on('error', finish)
    .on('result', (row: unknown) => {
      rows?.push(row)
      if (rows && rows.length > 1 && socket.bytesRead - before > maxResultBytes) rows = undefined
    })
    .on('end', () => finish(null))
}

/** Long strings are bound to a prepared statement, because escaping them takes seconds. */
const carriesLong = (values: readonly unknown[]) =>
  values.some((value) => typeof value === 'string' && value.length >= bindLongerThan)

/** mysql2 would turn objects into SQL. The schemas exclude them; this makes sure. */
function assertScalars(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) {
      throw new TypeError('A query parameter must be a scalar.')
    }
  }
}
