// Runs one statement on a mysql2 connection, with a limit for the size of its rows.
import type { Socket } from 'node:net'
import type { CompiledQuery } from 'kysely'
import type { Connection, PoolConnection, Query, TypeCast } from 'mysql2'
import { SvcError } from '../core/errors.ts'
import { errnoOf } from './mysql-errors.ts'
import type { PreparedStatements } from './prepared.ts'
import { sqlText } from './sql-text.ts'
import { bindLongerThan, maxResultBytes } from './timeouts.ts'

type Done = (error: unknown, result?: unknown) => void

/** Destroys the socket, too: mysql2 only sends a quit command, and an unresponsive server would keep the socket open. */
export function drop(connection: Connection): void {
  connection.destroy()
  socketOf(connection).destroy()
}

export function socketOf(connection: Connection): Socket {
  return Reflect.get(connection, 'stream')
}

type Field = Parameters<Exclude<TypeCast, boolean>>[0]

/** Columns of JSON, in any table. */
const jsonColumns = new Set(['options', 'elements', 'designs', 'data', 'views'])
/** The same, as statements name them. */
const jsonNames = new RegExp(`\`(?:${[...jsonColumns].join('|')})\``)

/** Reads JSON as text from columns of any type. Those of the type JSON mysql2 would parse. */
function jsonValue(field: Field, next: () => unknown): unknown {
  if (field.type === 'JSON') return field.string('utf8')
  return field.type === 'BLOB' && jsonColumns.has(field.name) ? (field.buffer()?.toString() ?? null) : next()
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

interface Statement {
  sql: string
  values: readonly unknown[]
}

/** The server keeps no more prepared statements. */
const tooManyStatements = 1461

/** Calls `done` when the server has responded: with an error, the rows of a select or the packet of a write. */
export function runOn(
  connection: PoolConnection,
  query: CompiledQuery,
  statements: PreparedStatements,
  done: Done,
): void {
  const { sql, parameters } = query
  const { typeCast, bigNumberStrings } = connection.config
  const isPlain = typeof typeCast !== 'function' && !bigNumberStrings
  const statement = {
    sql,
    values: parameters,
    // Overrides the settings of the host's pool.
    typeCast: !isPlain ? plainValue : jsonNames.test(sql) ? jsonValue : true,
    rowsAsArray: false,
    nestTables: false,
    namedPlaceholders: false,
  }
  // mysql2 would turn objects into SQL. The schemas exclude them; this makes sure.
  if (!parameters.every(isScalar)) done(new TypeError('A query parameter must be a scalar.'))
  else if (carriesLong(parameters)) runBound(connection, statement, done)
  else if (isPlain && statements.has(query)) runPrepared(connection, statement, statements, done)
  else send(connection, 'query', statement, done)
}

function send(connection: PoolConnection, method: 'query' | 'execute', statement: Statement, done: Done) {
  const { sql, values } = statement
  const options = (
    method === 'query' ? { ...statement, sql: sqlText(sql, values), values: undefined } : statement
  ) as never
  if (/^\s*select\b/i.test(sql)) boundedRows(connection, connection[method](options), done)
  else connection[method](options, done)
}

/** Runs a statement with long strings, which take seconds to write into a text; the server may know no other way. */
function runBound(connection: PoolConnection, statement: Statement, done: Done): void {
  send(connection, 'execute', statement, (error, result) => {
    if (errnoOf(error) !== tooManyStatements) return done(error, result)
    firstRow(connection, 'select @@max_allowed_packet as max', (failure, row) => {
      if (failure) return done(failure)
      const max = Number(Reflect.get(Object(row), 'max'))
      const text = sqlText(statement.sql, statement.values)
      // The server would close the connection.
      if (Buffer.byteLength(text) >= max) return done(tooLongAsText(max))
      send(connection, 'query', { ...statement, sql: text, values: [] }, done)
    })
  })
}

/** The first row of a query of ours, whatever the settings of the pool. */
export function firstRow(connection: Connection, sql: string, done: Done): void {
  const plain = { sql, rowsAsArray: false, nestTables: false, typeCast: true }
  connection.query(plain, (error: unknown, rows: unknown) => done(error, Reflect.get(Object(rows), 0)))
}

const tooLongAsText = (max: number) =>
  new SvcError('svc_body_too_large', {
    message: `The values are larger than the database accepts in one statement (${max} bytes), and at the moment it keeps no more prepared statements, which take longer ones.`,
  })

/** Runs a statement prepared on the server, or as text if the server refuses that. */
function runPrepared(
  connection: PoolConnection,
  statement: Statement,
  statements: PreparedStatements,
  done: Done,
): void {
  const forget = () =>
    connection.unprepare({ sql: statement.sql, rowsAsArray: false, nestTables: false } as never)
  send(connection, 'execute', statement, (error, result) => {
    if (error && statements.isRefused(error, forget)) send(connection, 'query', statement, done)
    else done(error, result)
  })
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
      if (rows && rows.length > 1 && socket.bytesRead - before > maxResultBytes) rows = undefined
    })
    .on('end', () => finish(null))
}

/** Long strings are bound to a prepared statement, because writing them into a text takes seconds. */
const carriesLong = (values: readonly unknown[]): boolean =>
  values.some((value) => typeof value === 'string' && value.length >= bindLongerThan)

const isScalar = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || Buffer.isBuffer(value)
