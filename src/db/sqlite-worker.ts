// Runs on the thread of the embedded databases: opens files and runs statements, one at a time.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'
import type { Opened, Outcome, StatementResult, Task } from './sqlite-thread.ts'
import { maxResultBytes } from './timeouts.ts'
import { isControl, type Statement } from './together.ts'

/** Milliseconds for which SQLite itself waits for a lock, since nothing else runs on this thread meanwhile. */
const blockingTimeout = 2
/** The same while a file is opened. */
const openingTimeout = 5000

/** One file. A second connection reads committed rows while a transaction is open on the first. */
interface File {
  writer: Connection
  reader: Connection | undefined
}

interface Connection {
  database: DatabaseSync
  statements: Map<string, Prepared>
}

interface Prepared {
  statement: StatementSync
  isReader: boolean
  /** Whether a column may hold values of any length. */
  hasBlobs: boolean
}

const files = new Map<number, File>()

parentPort?.on('message', (task: Task) => {
  parentPort?.postMessage(outcomeOf(task))
})

function outcomeOf(task: Task): Outcome {
  try {
    if (task.kind === 'run') return run(task)
    return { result: task.kind === 'open' ? open(task.file, task.path) : close(task.file) }
  } catch (error) {
    const { message, stack, code, errcode, errstr, index } = error as Error & Record<string, unknown>
    return { failed: { message, stack, code, errcode, errstr, index } }
  }
}

function open(id: number, path: string): Opened {
  const writer = new DatabaseSync(path, { timeout: blockingTimeout })
  try {
    const isWal = switchToWal(writer)
    writer.exec('pragma synchronous = normal; pragma foreign_keys = off')
    // A database in memory belongs to its one connection.
    const reader = isWal ? new DatabaseSync(path, { timeout: blockingTimeout, readOnly: true }) : undefined
    const file = { writer: connectionTo(writer), reader: reader && connectionTo(reader) }
    files.set(id, file)
    return { hasReader: isWal }
  } catch (error) {
    writer.close()
    throw error
  }
}

const connectionTo = (database: DatabaseSync): Connection => ({
  database,
  statements: new Map(),
})

/** Two processes that open a new file at once would fail. */
function switchToWal(database: DatabaseSync): boolean {
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  for (const deadline = performance.now() + openingTimeout; ; ) {
    try {
      return database.prepare('pragma journal_mode = wal').get()?.journal_mode === 'wal'
    } catch (error) {
      const isLocked = (Number(Reflect.get(Object(error), 'errcode')) & 0xff) === 5
      if (!isLocked || performance.now() > deadline) throw error
      Atomics.wait(sleeper, 0, 0, 10)
    }
  }
}

function close(id: number): undefined {
  const file = files.get(id)
  files.delete(id)
  // The last one to close writes the log into the file.
  file?.reader?.database.close()
  file?.writer.database.close()
}

function run({ file: id, statements, isRead, startBefore }: Task & { kind: 'run' }): Outcome {
  if (startBefore !== undefined && process.hrtime.bigint() > startBefore) return { tooLate: true }
  const file = files.get(id)
  if (!file) throw new Error('The file is closed.')
  const connection = (isRead && file.reader) || file.writer
  let outcome: Outcome = { result: { rows: [] } }
  let affected = 0n
  for (const [index, statement] of statements.entries()) {
    if (statement.ifMatched && affected === 0n) continue
    try {
      outcome = runOne(connection, statement)
    } catch (error) {
      throw Object.assign(error as Error, { index })
    }
    if (!('result' in outcome)) continue
    const result = outcome.result as StatementResult
    if (!isControl(statement)) affected += BigInt(result.changes ?? 0)
    if (statements.length > 1) result.changes = affected
  }
  return outcome
}

function runOne(connection: Connection, { sql, parameters }: Statement): Outcome {
  const { statement, isReader, hasBlobs } = prepared(connection, sql)
  const values = parameters as SQLInputValue[]
  if (hasBlobs) return boundedRows(statement.iterate(...values))
  if (isReader) return { result: { rows: statement.all(...values) } }
  const { changes, lastInsertRowid } = statement.run(...values)
  return { result: { rows: [], insertId: lastInsertRowid, changes } }
}

function prepared(connection: Connection, sql: string): Prepared {
  const { statements } = connection
  let known = statements.get(sql)
  if (!known) {
    known = preparedOf(connection, sql)
    // There are many statements with lists of ids; this bounds the memory for prepared ones.
    if (statements.size >= 500) statements.clear()
    statements.set(sql, known)
  }
  return known
}

const blobColumns = new Set([
  ...['options', 'elements', 'designs', 'data', 'views', 'print_order', 'details'],
  ...['option_value', 'meta_value', 'display_meta'],
])

function preparedOf({ database }: Connection, sql: string): Prepared {
  const statement = database.prepare(sql)
  const columns = statement.columns()
  return {
    statement,
    isReader: columns.length > 0,
    hasBlobs: columns.some(({ column }) => column !== null && blobColumns.has(column)),
  }
}

type Row = Record<string, unknown>

/** Stops as soon as the rows are too large together. */
function boundedRows(rows: Iterable<Row>): Outcome {
  const read: Row[] = []
  let size = 0
  for (const row of rows) {
    for (const name in row) {
      const value = row[name]
      if (typeof value === 'string' || value instanceof Uint8Array) size += value.length
    }
    read.push(row)
    if (size > maxResultBytes && read.length > 1) return { tooLarge: true }
  }
  return { result: { rows: read } }
}
