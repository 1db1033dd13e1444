// Runs one statement on a mysql2 connection, with a time limit and a limit for the size of its rows.
import type { Socket } from 'node:net'
import type { CompiledQuery } from 'kysely'
import type { PoolConnection, Query, TypeCast } from 'mysql2'
import { SvcError } from '../errors.ts'
import { JsonText } from '../json-text.ts'
import { largeFrom } from '../off-thread/off-thread.ts'
import { sqlSpans } from '../trace.ts'
import { disposeLater, jsonColumns } from './large-values.ts'
import type { KeptStatements } from './prepared.ts'
import { bindLongerThan, isSpent, maxResultBytes, maxWait, sequenceTimeout } from './timeouts.ts'

export type Done = (error: unknown, result?: unknown) => void

/** Destroys the socket, too: mysql2 only sends a quit command, and an unresponsive server would keep the socket open. */
export function drop(connection: PoolConnection): void {
  connection.destroy()
  socketOf(connection).destroy()
}

export function socketOf(connection: PoolConnection): Socket {
  return Reflect.get(connection, 'stream')
}

type Field = Parameters<Exclude<TypeCast, boolean>>[0]

/** Columns of large JSON, as statements name them. */
const jsonNames = new RegExp(`\`(?:${[...jsonColumns].join('|')})\``)

/**
 * Keeps a large JSON value as bytes: a string with one wide character would take twice the memory. A column of the type
 * JSON stays text, which mysql2 would parse.
 */
function jsonValue(field: Field, next: () => unknown): unknown {
  if (field.type === 'JSON') return field.string('utf8')
  if (field.type !== 'BLOB' || !jsonColumns.has(field.name)) return next()
  const bytes = field.buffer()
  return bytes === null || bytes.length >= largeFrom ? bytes : bytes.toString()
}

/** Reads values as mysql2 does by default, for pools with other settings. */
const plainValue: TypeCast = (field) => jsonValue(field, () => plainScalar(field))

function plainScalar(field: Field) {
  if (field.type === 'BIT') return field.buffer()
  const text = field.string()
  return text !== null && /^(?:TINY|SHORT|INT24|LONG|LONGLONG|YEAR|FLOAT|DOUBLE)$/.test(field.type)
    ? Number(text)
    : text
}

/** Whether the server is MariaDB, and no proxy stands before it that would have to understand its SQL. */
export const isMariadb = (connection: PoolConnection): boolean =>
  Reflect.get(connection, '_isMariaDB') === true

/** Calls `done` with an error, the rows of a select or the packet of a write. */
export function runOn(
  connection: PoolConnection,
  query: CompiledQuery,
  statements: KeptStatements,
  done: Done,
): void {
  const { sql, parameters } = query
  assertScalars(parameters)
  const { typeCast, bigNumberStrings } = connection.config
  const isPlain = typeof typeCast !== 'function' && !bigNumberStrings
  const statement = {
    sql,
    // The charset of a connection is UTF-8, like these bytes.
    values: parameters.map((value) => (value instanceof JsonText ? value.buffer : value)),
    timeout: maxWait(sql),
    // Overrides the settings of the host's pool.
    typeCast: !isPlain ? plainValue : jsonNames.test(sql) ? jsonValue : true,
    rowsAsArray: false,
    nestTables: false,
    namedPlaceholders: false,
  }
  const ended = sqlSpans.start({ engine: 'mysql', statement: sql })
  const finish: Done = (error, result) => {
    ended?.(error)
    if (error && isSpent(error, sql)) drop(connection)
    done(error, result)
  }
  if (carriesLong(parameters)) connection.execute(statement as never, finish)
  else if (isPlain && statements.has(query)) runPrepared(connection, statement, statements, finish)
  else send(connection, 'query', statement, finish)
}

interface Statement {
  sql: string
  timeout: number
}

function send(connection: PoolConnection, method: 'query' | 'execute', query: Statement, done: Done): void {
  const options = query as never
  if (/^\s*select\b/i.test(query.sql)) boundedRows(connection, connection[method](options), done)
  else connection[method](options, done)
}

/** Runs a statement prepared on the server, or as text if the server refuses that. */
function runPrepared(
  connection: PoolConnection,
  query: Statement,
  statements: KeptStatements,
  done: Done,
): void {
  let isOver = false
  const forget = () =>
    connection.unprepare({ sql: query.sql, rowsAsArray: false, nestTables: false } as never)
  const finish: Done = (error, result) => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    if (error && statements.isRefused(error, forget)) send(connection, 'query', query, done)
    else done(error, result)
  }
  // The timeout of mysql2 begins only after the statement is prepared.
  const timer = setTimeout(() => finish(sequenceTimeout()), query.timeout)
  send(connection, 'execute', { ...query, timeout: 0 }, finish)
}

/** Reads row by row; discards the remaining rows when they exceed the limit together. */
function boundedRows(connection: PoolConnection, command: Query, done: Done): void {
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
  command
    .on('error', finish)
    .on('result', (row: unknown) => {
      rows?.push(row)
      disposeOfPacket(row)
      if (rows && rows.length > 1 && socket.bytesRead - before > maxResultBytes) rows = undefined
    })
    .on('end', () => finish(null))
}

/** Bytes from which the server splits a row, which mysql2 then joins in memory of its own. */
const splitFrom = 2 ** 24

/** The packet of a large row is freed with its value, unless other values of the row are in it, too. */
function disposeOfPacket(row: unknown): void {
  const [bytes, other] = Object.values(Object(row)).filter((value) => value instanceof Uint8Array)
  if (bytes && !other && bytes.length >= splitFrom) disposeLater(bytes as Uint8Array<ArrayBuffer>)
}

/** Long strings are bound to a prepared statement, because escaping them takes seconds. */
const carriesLong = (values: readonly unknown[]): boolean =>
  values.some(
    (value) => value instanceof JsonText || (typeof value === 'string' && value.length >= bindLongerThan),
  )

/** mysql2 would turn objects into SQL. The schemas exclude them; this makes sure. */
function assertScalars(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue
    if (!Buffer.isBuffer(value) && !(value instanceof JsonText)) {
      throw new TypeError('A query parameter must be a scalar.')
    }
  }
}
