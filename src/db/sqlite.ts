// The embedded database: Kysely on Node's own SQLite.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SqliteDialect } from 'kysely'
import { sqlSpans } from '../trace.ts'

/** How long a writer waits for another process before it gives up, in milliseconds. */
const busyTimeout = 5000

/** Opens (and creates) the file and wraps it in the form that Kysely's dialect expects. */
export function nodeSqlite(path: string): SqliteDialect {
  const file = open(path)
  const statements = new Map<string, StatementSync>()

  function prepare(text: string): StatementSync {
    let statement = statements.get(text)
    if (!statement) {
      statement = file.prepare(text)
      // Texts with lists of ids are many; the memory for prepared ones stays bounded.
      if (statements.size >= 500) statements.clear()
      statements.set(text, statement)
    }
    return statement
  }

  return new SqliteDialect({
    database: {
      close: () => file.close(),
      prepare: (text) => {
        const statement = prepare(text)
        return {
          reader: statement.columns().length > 0,
          all: (values) => traced(text, () => statement.all(...(values as SQLInputValue[]))),
          run: (values) => traced(text, () => statement.run(...(values as SQLInputValue[]))),
          iterate: (values) => statement.iterate(...(values as SQLInputValue[])),
        }
      },
    },
  })
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
  const file = new DatabaseSync(path, { timeout: busyTimeout })
  try {
    switchToWal(file)
    file.exec('pragma synchronous = normal; pragma foreign_keys = off')
    return file
  } catch (error) {
    file.close()
    throw error
  }
}

/** SQLite waits for no one here: two processes that open a new file at once would fail. */
function switchToWal(file: DatabaseSync): void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (const deadline = performance.now() + busyTimeout; ; ) {
    try {
      file.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if (Reflect.get(Object(error), 'errcode') !== 5 || performance.now() > deadline) throw error
      Atomics.wait(pause, 0, 0, 10)
    }
  }
}
