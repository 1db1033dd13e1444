// Kysely dialect for Node's SQLite, which runs on the main thread and therefore must never wait there.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
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
import { timeLeft } from '../deadline.ts'
import { SvcError } from '../errors.ts'
import { largeFrom } from '../off-thread/off-thread.ts'
import { sqlSpans } from '../trace.ts'
import { type Mutex, mutex } from './mutex.ts'
import { maxResultBytes } from './timeouts.ts'

/** How long a statement waits for the locks of other processes before it gives up, in milliseconds. */
const busyTimeout = 5000
/** SQLite itself waits only this long, because it blocks the process. */
const blockingTimeout = 2
/** Pages of the log after which SQLite writes them to the file; its default. */
const usualCheckpoint = 1000
/** Milliseconds between two attempts. */
const shortestPause = 5
const longestPause = 25

/** Opens (and creates) the file. */
export function nodeSqlite(path: string): Dialect {
  const file = open(path)
  return {
    createDriver: () => driverOn(file),
    // The mutex serializes transactions, so Kysely need not serialize connections.
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

function driverOn(file: DatabaseSync): Driver {
  const lock = mutex()
  const run = runner(file)
  const heavy = heavyWrites(file)
  return {
    init: async () => {},
    acquireConnection: async () => new Connection(run, lock, heavy),
    beginTransaction: async (connection) => {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'))
    },
    commitTransaction: async (connection) => {
      await connection.executeQuery(CompiledQuery.raw('commit'))
    },
    rollbackTransaction: async (connection) => {
      await connection.executeQuery(CompiledQuery.raw('rollback'))
    },
    releaseConnection: (connection) => (connection as Connection).release(),
    destroy: async () => file.close(),
  }
}

type Run = (query: CompiledQuery) => QueryResult<never>

/** The file as one request sees it: for a single statement, or from the beginning of a transaction to its end. */
class Connection implements DatabaseConnection {
  readonly #run: Run
  readonly #mutex: Mutex
  readonly #heavy: HeavyWrites
  #release: (() => void) | undefined

  constructor(run: Run, lock: Mutex, heavy: HeavyWrites) {
    this.#run = run
    this.#mutex = lock
    this.#heavy = heavy
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const isLarge = query.parameters.some(isLargeString)
    // A large value gets its own turn of the event loop.
    if (isLarge) {
      this.#heavy.begin()
      await setImmediate()
    }
    const result = this.#release ? this.#inTransaction(query) : await this.#alone(query)
    if (isLarge) {
      if (!this.#release) this.#heavy.end()
      await setImmediate()
    }
    return result
  }

  #inTransaction(query: CompiledQuery): QueryResult<never> {
    try {
      const result = this.#run(query)
      if (query.sql === 'commit') this.#end()
      return result
    } finally {
      if (query.sql === 'rollback') this.#end()
    }
  }

  /** Other statements run while this one waits for another process. */
  async #alone(query: CompiledQuery): Promise<QueryResult<never>> {
    const deadline = performance.now() + timeLeft(busyTimeout)
    for (;;) {
      const release = await this.#mutex.acquire()
      try {
        const result = this.#run(query)
        if (/^begin\b/i.test(query.sql)) this.#release = release
        return result
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw error
      } finally {
        if (this.#release !== release) release()
      }
      await pause(shortestPause + Math.random() * (longestPause - shortestPause))
    }
  }

  #end(): void {
    this.#heavy.end()
    this.#release?.()
    this.#release = undefined
  }

  /** Rolls back a transaction that was not ended. */
  async release(): Promise<void> {
    if (this.#release) this.#inTransaction(CompiledQuery.raw('rollback'))
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported.')
  }
}

interface HeavyWrites {
  begin(): void
  end(): void
}

/** After a large write the log is written to the file in its own turn of the event loop, not at the end of the statement. */
function heavyWrites(file: DatabaseSync): HeavyWrites {
  let isPut = false
  const checkpoint = () => {
    isPut = false
    if (!file.isOpen) return
    try {
      file.exec(`pragma wal_autocheckpoint = ${usualCheckpoint}`)
      file.exec('pragma wal_checkpoint(passive)')
    } catch {
      // A transaction is open; its commit writes the log.
    }
  }
  return {
    begin() {
      file.exec('pragma wal_autocheckpoint = 0')
      isPut = true
    },
    end() {
      if (isPut) globalThis.setImmediate(checkpoint)
    },
  }
}

const isLargeString = (value: unknown) => typeof value === 'string' && value.length >= largeFrom

/** Locked by another connection. */
const isBusy = (error: unknown) => (Number(Reflect.get(Object(error), 'errcode')) & 0xff) === 5

/** Runs statements and caches the prepared ones. */
function runner(file: DatabaseSync): Run {
  const statements = new Map<string, Prepared>()

  function prepare(text: string): Prepared {
    let statement = statements.get(text)
    if (!statement) {
      statement = preparedOf(file.prepare(text))
      // Lists of ids make many different statements; the cache is bounded.
      if (statements.size >= 500) statements.clear()
      statements.set(text, statement)
    }
    return statement
  }

  return ({ sql, parameters }) => {
    const { statement, isReader, hasBlobs } = prepare(sql)
    const values = parameters as SQLInputValue[]
    return traced(sql, () => {
      if (hasBlobs) return { rows: boundedRows(statement.iterate(...values)) as never[] }
      if (isReader) return { rows: statement.all(...values) as never[] }
      const { changes, lastInsertRowid } = statement.run(...values)
      return { rows: [], insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes) }
    })
  }
}

interface Prepared {
  statement: StatementSync
  isReader: boolean
  /** Whether a column may have values of any length. */
  hasBlobs: boolean
}

const blobColumns = new Set([
  ...['options', 'elements', 'designs', 'data', 'views', 'print_order', 'details'],
  ...['option_value', 'meta_value', 'display_meta'],
])

function preparedOf(statement: StatementSync): Prepared {
  const columns = statement.columns()
  const hasBlobs = columns.some(({ column }) => column !== null && blobColumns.has(column))
  return { statement, isReader: columns.length > 0, hasBlobs }
}

type Row = Record<string, unknown>

/** @throws SvcError 413 as soon as the rows exceed the limit together */
function boundedRows(rows: Iterable<Row>): Row[] {
  const read: Row[] = []
  let size = 0
  for (const row of rows) {
    for (const name in row) {
      const value = row[name]
      if (typeof value === 'string') size += value.length
    }
    read.push(row)
    if (size > maxResultBytes && read.length > 1) throw new SvcError('svc_list_too_large')
  }
  return read
}

function traced<T>(statement: string, run: () => T): T {
  const done = sqlSpans.start({ engine: 'sqlite', statement })
  try {
    const result = run()
    done?.()
    return result
  } catch (error) {
    done?.(error)
    throw error
  }
}

function open(path: string): DatabaseSync {
  const file = new DatabaseSync(path, { timeout: blockingTimeout })
  try {
    switchToWal(file)
    file.exec('pragma synchronous = normal; pragma foreign_keys = off')
    return file
  } catch (error) {
    file.close()
    throw error
  }
}

/** Retries, because two processes may open a new file at the same time. Blocks, because at startup there are no requests. */
function switchToWal(file: DatabaseSync): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  for (const deadline = performance.now() + busyTimeout; ; ) {
    try {
      file.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      Atomics.wait(sleeper, 0, 0, 10)
    }
  }
}
