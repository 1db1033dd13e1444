// Runs on the thread of the embedded databases: opens files and runs one statement at a time.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'
import { encoded } from '../large-json/bytes.ts'
import { largeFrom } from '../off-thread/off-thread.ts'
import type { LargeString, Opened, Outcome, StatementResult, Task } from './sqlite-thread.ts'
import { maxResultBytes } from './timeouts.ts'

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
  const outcome = outcomeOf(task)
  parentPort?.postMessage(outcome, 'large' in outcome ? outcome.large.map(({ bytes }) => bytes.buffer) : [])
})

function outcomeOf(task: Task): Outcome {
  try {
    if (task.kind === 'run') return run(task)
    return { result: task.kind === 'open' ? open(task.file, task.path) : close(task.file) }
  } catch (error) {
    const { message, stack, code, errcode, errstr } = error as Error & Record<string, unknown>
    return { failed: { message, stack, code, errcode, errstr } }
  }
}

function open(id: number, path: string): Opened {
  const writer = new DatabaseSync(path, { timeout: blockingTimeout })
  try {
    const isWal = switchToWal(writer)
    writer.exec('pragma synchronous = normal; pragma foreign_keys = off')
    // A database in memory belongs to its one connection.
    const reader = isWal ? new DatabaseSync(path, { timeout: blockingTimeout, readOnly: true }) : undefined
    files.set(id, { writer: connectionTo(writer), reader: reader && connectionTo(reader) })
    return { hasReader: isWal, isUtf8: writer.prepare('pragma encoding').get()?.encoding === 'UTF-8' }
  } catch (error) {
    writer.close()
    throw error
  }
}

const connectionTo = (database: DatabaseSync): Connection => ({ database, statements: new Map() })

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

function run({ file: id, sql, parameters, isRead, startBefore }: Task & { kind: 'run' }): Outcome {
  if (startBefore !== undefined && process.hrtime.bigint() > startBefore) return { tooLate: true }
  const file = files.get(id)
  if (!file) throw new Error('The file is closed.')
  const { statement, isReader, hasBlobs } = prepared((isRead && file.reader) || file.writer, sql)
  const values = parameters as SQLInputValue[]
  if (hasBlobs) return boundedRows(statement.iterate(...values))
  if (isReader) return { result: { rows: statement.all(...values) } }
  const { changes, lastInsertRowid } = statement.run(...values)
  const result: StatementResult = { rows: [], insertId: lastInsertRowid, changes }
  for (const value of values) if (value instanceof Uint8Array) freed(value)
  return { result }
}

/** Frees the memory without waiting for GC. */
const freed = ({ buffer }: Uint8Array) => buffer instanceof ArrayBuffer && buffer.transfer(0)

function prepared({ database, statements }: Connection, sql: string): Prepared {
  let known = statements.get(sql)
  if (!known) {
    known = preparedOf(database.prepare(sql))
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

function preparedOf(statement: StatementSync): Prepared {
  const columns = statement.columns()
  const hasBlobs = columns.some(({ column }) => column !== null && blobColumns.has(column))
  return { statement, isReader: columns.length > 0, hasBlobs }
}

type Row = Record<string, unknown>

/** Stops as soon as the rows are too large together. */
function boundedRows(rows: Iterable<Row>): Outcome {
  const read: Row[] = []
  let size = 0
  for (const row of rows) {
    for (const name in row) {
      const value = row[name]
      if (typeof value === 'string') size += value.length
    }
    read.push(row)
    if (size > maxResultBytes && read.length > 1) return { tooLarge: true }
  }
  return { result: { rows: read }, large: read.flatMap(takeLarge) }
}

/** Takes the large strings out of a row, as bytes, which are not copied for the other thread. */
function takeLarge(row: Row, index: number): LargeString[] {
  return Object.entries(row).flatMap(([name, value]) => {
    if (typeof value !== 'string' || value.length < largeFrom) return []
    row[name] = null
    return [{ index, name, bytes: encoded(value) }]
  })
}
