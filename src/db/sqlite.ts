// The embedded database: Kysely on Node's own SQLite.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SqliteDialect } from 'kysely'

/** How long a writer waits for another process before it gives up, in milliseconds. */
const busyTimeout = 5000

/** Opens (and creates) the file and wraps it in the form that Kysely's dialect expects. */
export function nodeSqlite(path: string): SqliteDialect {
  const file = new DatabaseSync(path, { timeout: busyTimeout })
  file.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = off')
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
          all: (values) => statement.all(...(values as SQLInputValue[])),
          run: (values) => statement.run(...(values as SQLInputValue[])),
          iterate: (values) => statement.iterate(...(values as SQLInputValue[])),
        }
      },
    },
  })
}
