// The embedded database, for trying and for small shops: Kysely on Node's own SQLite, on the main thread of one process.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { assertInTime, timeLeft } from '../core/deadline.ts'
import { SvcError } from '../core/errors.ts'
import { sqlSpans } from '../core/trace.ts'
import { sharedTurns } from '../core/turns.ts'
import { maxResultBytes, poolExhausted, timeouts } from './timeouts.ts'

/** Milliseconds for which SQLite waits for a lock of another process; nothing else runs meanwhile. */
const busyTimeout = 500
/** Milliseconds of statements for one request after which others get a turn of the event loop. */
const maxSlice = 8
/** There are many statements with lists of ids; this bounds the memory for prepared ones. */
const maxStatements = 500

/** The file is opened (and created) by the first query. */
export function nodeSqlite(path: string): Dialect {
  return {
    createDriver: () => driverOn(path),
    // The turns are taken here, so Kysely need not let its users in one by one.
    createAdapter: () =>
      new (class extends SqliteAdapter {
        override get supportsMultipleConnections() {
          return true
        }
      })(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

function driverOn(path: string): Driver {
  let file: File | undefined
  const opened = () => {
    file ??= openFile(path)
    return file
  }
  const runs = (sql: string) => async (connection: DatabaseConnection) => {
    await connection.executeQuery(CompiledQuery.raw(sql))
  }
  return {
    init: async () => {
      opened()
    },
    acquireConnection: async () => new Session(opened()),
    beginTransaction: runs('begin immediate'),
    commitTransaction: runs('commit'),
    rollbackTransaction: runs('rollback'),
    releaseConnection: async (session) => (session as Session).release(),
    destroy: async () => {
      // The last one to close writes the log into the file.
      file?.reader?.database.close()
      file?.writer.database.close()
    },
  }
}

interface Handle {
  database: DatabaseSync
  statements: Map<string, StatementSync>
}

interface File {
  writer: Handle
  /** Reads what is committed, without waiting for the end of a transaction; a database in memory has none. */
  reader: Handle | undefined
  /** Waits for the writer. @returns what gives it to the next one */
  enter(): Promise<() => void>
  /** Leaves the main thread to others where many short statements follow each other. */
  turn(): Promise<void> | undefined
}

function openFile(path: string): File {
  const handle = (readOnly: boolean): Handle => ({
    database: new DatabaseSync(path, { timeout: busyTimeout, readOnly }),
    statements: new Map(),
  })
  const writer = handle(false)
  try {
    const isWal = switchToLog(writer.database)
    writer.database.exec('pragma synchronous = normal; pragma foreign_keys = off')
    return { writer, reader: isWal ? handle(true) : undefined, enter: writerTurns(), turn: sharedTurns() }
  } catch (error) {
    writer.database.close()
    throw error
  }
}

/**
 * Makes the file keep a write-ahead log; false if it cannot, as in memory. SQLite does not wait by itself where another
 * process does the same to a new file.
 */
function switchToLog(database: DatabaseSync): boolean {
  const end = performance.now() + busyTimeout
  for (;;) {
    try {
      return database.prepare('pragma journal_mode = wal').get()?.journal_mode === 'wal'
    } catch (error) {
      const isBusy = (Number(Reflect.get(Object(error), 'errcode')) & 0xff) === 5
      if (!isBusy || performance.now() > end) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

/** One at a time, in the order of their calls. @throws Error after `timeouts.acquire` */
function writerTurns(): File['enter'] {
  let last: Promise<unknown> = Promise.resolve()
  return async () => {
    const before = last
    const { promise: left, resolve: leave } = Promise.withResolvers<void>()
    last = before.then(() => left)
    const { promise: tooLate, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(poolExhausted()), timeLeft(timeouts.acquire))
    try {
      await Promise.race([before, tooLate])
      return leave
    } catch (error) {
      leave()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The file as one request sees it: for a single statement, or from the beginning of a transaction to its end. */
class Session implements DatabaseConnection {
  readonly #file: File
  /** Ends its turn; undefined outside of a transaction. */
  #leave: (() => void) | undefined
  /** Milliseconds of statements since the last turn. */
  #busy = 0

  constructor(file: File) {
    this.#file = file
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await this.#run<R>(query)
    if (this.#busy > maxSlice && query.sql !== 'commit') {
      await setImmediate()
      this.#busy = 0
    }
    return result
  }

  async #run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { writer, reader, enter, turn } = this.#file
    if (this.#leave) {
      const result = this.#timed<R>(writer, query)
      if (query.sql === 'commit' || query.sql === 'rollback') this.#end()
      return result
    }
    const waited = turn()
    if (waited) {
      await waited
      assertInTime()
    }
    if (reader && /^\s*select\b/i.test(query.sql)) return this.#timed(reader, query)
    const leave = await enter()
    try {
      // Whoever has given up meanwhile must find nothing written.
      assertInTime()
      const result = this.#timed<R>(writer, query)
      if (writer.database.isTransaction) this.#leave = leave
      return result
    } finally {
      if (!this.#leave) leave()
    }
  }

  #timed<R>(handle: Handle, query: CompiledQuery): QueryResult<R> {
    const begin = performance.now()
    try {
      return run(handle, query)
    } finally {
      this.#busy += performance.now() - begin
    }
  }

  #end(): void {
    this.#leave?.()
    this.#leave = undefined
  }

  /** Rolls back a transaction that was not ended. */
  release(): void {
    if (!this.#leave) return
    const { database } = this.#file.writer
    if (database.isTransaction) database.exec('rollback')
    this.#end()
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported.')
  }
}

function run<R>({ database, statements }: Handle, { sql, parameters }: CompiledQuery): QueryResult<R> {
  const ended = sqlSpans.start({ engine: 'sqlite', statement: sql })
  try {
    let statement = statements.get(sql)
    if (!statement) {
      statement = database.prepare(sql)
      if (statements.size >= maxStatements) statements.clear()
      statements.set(sql, statement)
    }
    const values = parameters as SQLInputValue[]
    const result = statement.columns().length > 0 ? rowsOf(statement, values) : changesOf(statement, values)
    ended?.()
    return result as QueryResult<R>
  } catch (error) {
    ended?.(error)
    throw error
  }
}

function changesOf(statement: StatementSync, values: SQLInputValue[]): QueryResult<unknown> {
  const { changes, lastInsertRowid } = statement.run(...values)
  return { rows: [], insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes) }
}

/** Stops as soon as the rows are too large together. */
function rowsOf(statement: StatementSync, values: SQLInputValue[]): QueryResult<unknown> {
  const rows: unknown[] = []
  let size = 0
  for (const row of statement.iterate(...values)) {
    for (const name in row) {
      const value = row[name]
      if (typeof value === 'string' || value instanceof Uint8Array) size += value.length
    }
    // Those of SQLite have no prototype.
    rows.push({ ...row })
    if (size > maxResultBytes && rows.length > 1) throw new SvcError('svc_list_too_large')
  }
  return { rows }
}
