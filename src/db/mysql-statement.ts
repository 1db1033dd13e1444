// Runs one statement on a mysql2 connection, with a limit for the size of its rows.
import type { Socket } from 'node:net'
import type { CompiledQuery } from 'kysely'
import type { Connection, PoolConnection, Query, TypeCast } from 'mysql2'
import { SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { errnoOf } from './mysql-errors.ts'
import type { PreparedStatements } from './prepared.ts'
import { sqlText } from './sql-text.ts'
import { bindLongerThan, maxResultBytes } from './timeouts.ts'

/** Called once, with an error or with rows of a select or the packet of a write. */
type Done = (error: unknown, result?: unknown) => void

/**
 * Closes a connection at once. Destroys the socket, too: mysql2 only sends a quit command, and an unresponsive server would keep the
 * socket open.
 */
export function drop(connection: Connection): void {
  connection.destroy()
  socketOf(connection).destroy()
}

/** The socket of a connection, which the types of mysql2 do not declare. */
export function socketOf(connection: Connection): Socket {
  return Reflect.get(connection, 'stream')
}

type Field = Parameters<Exclude<TypeCast, boolean>>[0]

/** Columns with JSON that installations may have as BLOB or JSON instead of TEXT, in any table. */
const jsonColumns = new Set(['options', 'elements', 'designs', 'data', 'views'])
/** Matches statements that name one of them. */
const jsonNames = new RegExp(`\`(?:${[...jsonColumns].join('|')})\``)

/** Reads JSON columns as text, whatever type they have; mysql2 would parse values of the type JSON. */
function jsonValue(field: Field, next: () => unknown): unknown {
  if (field.type === 'JSON') return field.string('utf8')
  return field.type === 'BLOB' && jsonColumns.has(field.name) ? (field.buffer()?.toString() ?? null) : next()
}

/** Reads values as mysql2 does by default, for pools with other settings. */
const plainValue: TypeCast = (field) => jsonValue(field, () => plainScalar(field))

/** Numbers as numbers, other values as text. */
function plainScalar(field: Field) {
  if (field.type === 'BIT') return field.buffer()
  const text = field.string()
  return text !== null && /^(?:TINY|SHORT|INT24|LONG|LONGLONG|YEAR|FLOAT|DOUBLE)$/.test(field.type)
    ? Number(text)
    : text
}

/** A statement as mysql2 takes it; see its `QueryOptions`. */
interface Statement {
  sql: string
  values: readonly unknown[]
}

/** The server keeps no more prepared statements. */
const tooManyStatements = 1461

/**
 * Runs a query, and calls `done` when the server has responded. With long strings it is bound, if it is hot it is prepared, otherwise
 * it is sent as text.
 * @param statements decides whether the query is prepared
 */
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
  // mysql2 would turn objects into SQL. No schema admits objects here; this check makes sure.
  if (!parameters.every(isScalar)) done(new TypeError('A query parameter must be a scalar.'))
  else if (hasLongString(parameters)) runBound(connection, statement, done)
  else if (isPlain && statements.has(query)) runPrepared(connection, statement, statements, done)
  else send(connection, 'query', statement, done)
}

/** Sends a statement as text (`query`), or with bound parameters (`execute`). */
function send(connection: PoolConnection, method: 'query' | 'execute', statement: Statement, done: Done) {
  const { sql, values } = statement
  // The types of mysql2 lack some of these options.
  const options = (
    method === 'query' ? { ...statement, sql: sqlText(sql, values), values: undefined } : statement
  ) as never
  if (/^\s*select\b/i.test(sql)) boundedRows(connection, connection[method](options), done)
  else connection[method](options, done)
}

/**
 * Runs a statement with long strings as bound parameters, because writing them into a text takes seconds. Only if the server has
 * too many prepared statements it is sent as text.
 */
function runBound(connection: PoolConnection, statement: Statement, done: Done): void {
  send(connection, 'execute', statement, (error, result) => {
    if (errnoOf(error) !== tooManyStatements) return done(error, result)
    firstRow(connection, 'select @@max_allowed_packet as max', (failure, row) => {
      if (failure) return done(failure)
      const max = Number(membersOf(row).max)
      const text = sqlText(statement.sql, statement.values)
      // The server would close the connection at a longer packet.
      if (Buffer.byteLength(text) >= max) return done(tooLongAsText(max))
      send(connection, 'query', { ...statement, sql: text, values: [] }, done)
    })
  })
}

/** Runs a query without parameters, and calls `done` with its first row, whatever the settings of the pool. */
export function firstRow(connection: Connection, sql: string, done: Done): void {
  const plain = { sql, rowsAsArray: false, nestTables: false, typeCast: true }
  connection.query(plain, (error: unknown, rows: unknown) => done(error, membersOf(rows)[0]))
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
  const unprepare = () =>
    connection.unprepare({ sql: statement.sql, rowsAsArray: false, nestTables: false } as never)
  send(connection, 'execute', statement, (error, result) => {
    if (error && statements.isRefused(error, unprepare)) send(connection, 'query', statement, done)
    else done(error, result)
  })
}

/** Calls `done` with the rows of a select, or with an error if together they exceed `maxResultBytes`; then the rest is discarded. */
function boundedRows(connection: PoolConnection, command: Query, done: Done): void {
  const socket = socketOf(connection)
  const bytesBefore = socket.bytesRead
  /** Undefined once they are too large. */
  let rows: unknown[] | undefined = []
  let isFinished = false
  // mysql2 emits `end` after most errors, but not after a lost connection, so both events end the statement.
  const finish = (error: unknown) => {
    if (isFinished) return
    isFinished = true
    done(error ?? (rows ? null : new SvcError('svc_list_too_large')), rows)
  }
  command
    .on('error', finish)
    .on('result', (row: unknown) => {
      rows?.push(row)
      if (rows && rows.length > 1 && socket.bytesRead - bytesBefore > maxResultBytes) rows = undefined
    })
    .on('end', () => finish(null))
}

const hasLongString = (values: readonly unknown[]): boolean =>
  values.some((value) => typeof value === 'string' && value.length >= bindLongerThan)

const isScalar = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || Buffer.isBuffer(value)
