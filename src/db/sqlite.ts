// The embedded database: Kysely on Node's own SQLite, which runs on a separate thread.
import { setTimeout as pause } from 'node:timers/promises'
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
import { type Mutex, mutex } from './mutex.ts'
import { openSqlite, type RunMode, type SqliteFile } from './sqlite-thread.ts'
import { type Statement, statementsOf } from './together.ts'

/** How long a statement waits for the locks of other processes before it gives up, in milliseconds. */
const busyTimeout = 5000
/** Milliseconds between two attempts. */
const minPause = 5
const maxPause = 25

const rollback: Statement = CompiledQuery.raw('rollback')

/** The file is opened (and created) by the first query. */
export function nodeSqlite(path: string): Dialect {
  return {
    createDriver: () => driverOn(path),
    // Transactions are serialized on one file, so Kysely need not serialize requests.
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
  const lock = mutex()
  let file: Promise<SqliteFile> | undefined

  function open(): Promise<SqliteFile> {
    const opening = openSqlite(path)
    file = opening
    opening.catch(() => {
      if (file === opening) file = undefined
    })
    return opening
  }

  /** Reopened if its thread exited. */
  async function opened(): Promise<SqliteFile> {
    const last = file ?? open()
    if ((await last).isOpen()) return last
    return file === last ? open() : opened()
  }

  return {
    init: async () => {
      await opened()
    },
    acquireConnection: async () => new Connection(await opened(), lock),
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
    destroy: async () => (await file)?.close(),
  }
}

/** The file as one request sees it: for a single statement, or from the beginning of a transaction to its end. */
class Connection implements DatabaseConnection {
  readonly #file: SqliteFile
  readonly #mutex: Mutex
  #release: (() => void) | undefined
  /** A transaction begins with its first statement. */
  #begin: CompiledQuery | undefined
  #beginning: Promise<unknown> | undefined
  /** Why it did not begin. */
  #failure: unknown

  constructor(file: SqliteFile, lock: Mutex) {
    this.#file = file
    this.#mutex = lock
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // Other statements may be sent before the first one has run.
    await this.#beginning
    const isEnd = query.sql === 'commit' || query.sql === 'rollback'
    const begin = this.#begin
    this.#begin = undefined
    if (begin && isEnd) return { rows: [] }
    if (this.#failure !== undefined) {
      // Outside of the transaction, a statement would be committed by itself.
      if (query.sql !== 'rollback') throw this.#failure
      this.#failure = undefined
      return { rows: [] }
    }
    const statements = statementsOf(query) ?? [query]
    if (begin) {
      const first = this.#alone<R>([begin, ...statements])
      this.#beginning = first.catch((error: unknown) => {
        if (!this.#release) this.#failure = error
      })
      return first
    }
    if (this.#release) return this.#inTransaction(statements)
    if (!/^begin\b/i.test(query.sql)) return this.#alone(statements)
    this.#begin = query
    return { rows: [] }
  }

  async #inTransaction<R>(statements: readonly Statement[]): Promise<QueryResult<R>> {
    const last = statements.at(-1)?.sql
    const commits = last === 'commit'
    try {
      const result = await this.#run<R>(statements, { isAlone: commits })
      if (commits) this.#end()
      return result
    } finally {
      if (last === 'rollback') this.#end()
    }
  }

  /** Releases the lock between retries. Reads need no lock if they see only committed rows. */
  async #alone<R>(statements: readonly Statement[]): Promise<QueryResult<R>> {
    const deadline = performance.now() + timeLeft(busyTimeout)
    const isRead = this.#file.hasReader && /^\s*select\b/i.test(statements[0]?.sql ?? '')
    const begins = statements.length > 1
    const commits = statements.at(-1)?.sql === 'commit'
    for (;;) {
      const release = isRead ? () => {} : await this.#mutex.acquire()
      try {
        const result = await this.#run<R>(statements, { isRead, isAlone: !isRead && (commits || !begins) })
        if (begins && !commits) this.#release = release
        return result
      } catch (error) {
        // The transaction has begun, and its caller rolls it back.
        if (begins && Number(Reflect.get(Object(error), 'index')) > 0) this.#release = release
        // Its caller has given up, but the transaction will still begin.
        else if (begins && codeOf(error) === undefined) this.#run([rollback]).catch(() => {})
        if (this.#release === release || !isBusy(error) || performance.now() >= deadline) throw error
      } finally {
        if (this.#release !== release) release()
      }
      await pause(minPause + Math.random() * (maxPause - minPause))
    }
  }

  async #run<R>(statements: readonly Statement[], mode?: RunMode): Promise<QueryResult<R>> {
    const { rows, insertId, changes } = await this.#file.run(statements, mode)
    return {
      rows: rows as R[],
      ...(insertId !== undefined && { insertId: BigInt(insertId) }),
      ...(changes !== undefined && { numAffectedRows: BigInt(changes) }),
    }
  }

  #end(): void {
    this.#release?.()
    this.#release = undefined
  }

  /** Rolls back a transaction that was not ended. */
  async release(): Promise<void> {
    await this.#beginning
    if (this.#release) await this.#inTransaction([rollback])
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported.')
  }
}

/** The engine's code; undefined if the statement timed out. */
const codeOf = (error: unknown): unknown => Reflect.get(Object(error), 'errcode')

/** Locked by another connection. */
const isBusy = (error: unknown) => (Number(codeOf(error)) & 0xff) === 5
