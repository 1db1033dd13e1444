// The embedded database, for trials and small shops: Kysely on SQLite of Node.js. Statements run on the main thread. One process
// serves the file; commands may open it beside it.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import {
  type CompiledQuery,
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
import { sqliteDialect } from './dialects.ts'
import { driverOf } from './driver.ts'
import { maxResultBytes } from './timeouts.ts'

/** Milliseconds for which opening waits for another process that opens the file for the first time, or closes it. */
const openTimeout = 2000
/** Milliseconds for which a statement waits for the lock of another connection; other requests go on meanwhile. */
const maxLockWait = 500
/** Milliseconds for which statements may keep the event loop busy, until other requests get a turn. */
const maxSlice = 8

/** The dialect for an SQLite file, which the first query opens, and creates if it does not exist. */
export function nodeSqlite(path: string): Dialect {
  return {
    createDriver: () => driverOn(path),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/** A driver with one connection. Kysely's SqliteAdapter has no pool: it lends the connection to one user at a time. */
function driverOn(path: string): Driver {
  let connection: SqliteConnection | undefined
  const opened = () => {
    connection ??= new SqliteConnection(openFile(path))
    return connection
  }
  return driverOf('begin immediate', {
    init: async () => void opened(),
    acquireConnection: () => opened().turn(),
    releaseConnection: async () => connection?.rollbackOpen(),
    destroy: async () => connection?.close(),
  })
}

function openFile(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: openTimeout })
  try {
    database.exec('pragma synchronous = normal; pragma foreign_keys = off')
  } catch (error) {
    database.close()
    throw error
  }
  try {
    // In this mode other connections can read while one writes.
    database.exec('pragma journal_mode = wal')
  } catch {
    // Another process is doing the same to a new file.
  }
  // From now on SQLite never waits for a lock, because it would block the event loop.
  database.exec('pragma busy_timeout = 0')
  return database
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync
  /** When other requests had their last turn, as `performance.now()`. */
  #lastTurn = 0

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** This connection; if its last pause was longer than `maxSlice` ago, only after other requests had a turn. */
  async turn(): Promise<this> {
    if (performance.now() - this.#lastTurn > maxSlice) {
      await setImmediate()
      this.#lastTurn = performance.now()
    }
    return this
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const endSpan = sqlSpans.start({ engine: 'sqlite', statement: sql })
    try {
      const result = await this.#whenUnlocked(() => {
        // A caller whose deadline has passed must find nothing written.
        if (sql !== 'rollback') assertInTime()
        const statement = this.#database.prepare(sql)
        // The schemas admit only values that SQLite can bind.
        const values = parameters as SQLInputValue[]
        return statement.columns().length > 0 ? rowsOf(statement, values) : changesOf(statement, values)
      })
      endSpan?.()
      // Rows have the type that the query declares.
      return result as QueryResult<R>
    } catch (error) {
      endSpan?.(error)
      throw error
    } finally {
      // After COMMIT the caller goes on at once: the deadline must not pass between the write and its result.
      if (sql !== 'commit') await this.turn()
    }
  }

  /** Tries again while another connection has the lock. Within a transaction this connection has it. */
  async #whenUnlocked<R>(run: () => R): Promise<R> {
    const end = performance.now() + timeLeft(maxLockWait)
    for (;;) {
      try {
        return run()
      } catch (error) {
        const isLocked = sqliteDialect.isRetryable(error) && !this.#database.isTransaction
        if (!isLocked || performance.now() > end) throw error
        await delay(2)
      }
    }
  }

  /** Rolls back a transaction that its user has not ended. */
  rollbackOpen(): void {
    if (this.#database.isTransaction) this.#database.exec('rollback')
  }

  close(): void {
    this.#database.close()
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported.')
  }
}

function changesOf(statement: StatementSync, values: SQLInputValue[]): QueryResult<unknown> {
  const { changes, lastInsertRowid } = statement.run(...values)
  return { rows: [], insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes) }
}

/** Runs a query. @throws SvcError if several rows together exceed `maxResultBytes`, before the rest is read */
function rowsOf(statement: StatementSync, values: SQLInputValue[]): QueryResult<unknown> {
  const rows: unknown[] = []
  let size = 0
  for (const row of statement.iterate(...values)) {
    for (const name in row) {
      const value = row[name]
      if (typeof value === 'string' || value instanceof Uint8Array) size += value.length
    }
    // Rows of SQLite have no prototype.
    rows.push({ ...row })
    if (size > maxResultBytes && rows.length > 1) throw new SvcError('svc_list_too_large')
  }
  return { rows }
}
