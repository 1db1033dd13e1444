// Creates missing tables, columns and indexes and changes nothing else. Safe to repeat, even from two processes at once.
import { CompiledQuery, type Kysely } from 'kysely'
import { SvcError } from '../core/errors.ts'
import type { Dialect } from './dialects.ts'
import { type Inspection, indexNames, inspect } from './inspect.ts'
import { errnoOf } from './mysql-errors.ts'
import type { MigrateOptions } from './options.ts'
import type { ColumnShape } from './table-shape.ts'
import { type PhysicalNames, shapes, type TableName, type Tables, tableNames } from './tables.ts'

const quoted = (name: string) => `\`${name}\``

function columnSql(dialect: Dialect, name: string, column: ColumnShape): string {
  const fallback = column.default === undefined ? '' : ` DEFAULT ${column.default}`
  const type = dialect.columnType(column.kind)
  const required = column.nullable === false ? type.replace(/ NULL$/, ' NOT NULL') : type
  return `${quoted(name)} ${required}${fallback}`
}

/** An added column needs a default or NULL, because rows exist already. */
function addColumnSql(dialect: Dialect, table: string, name: string, column: ColumnShape): string {
  // SQLite cannot add a column whose default is the current time.
  const kind =
    column.kind === 'time' && dialect.name === 'sqlite' ? { ...column, kind: 'text' as const } : column
  return `ALTER TABLE ${quoted(table)} ADD COLUMN ${columnSql(dialect, name, kind)}`
}

/** The statements that create a table with its keys; on SQLite each key is a statement. @param name physical name */
function createTableSql(dialect: Dialect, table: TableName, name: string): string[] {
  const shape = shapes[table]
  const lines = Object.entries(shape.columns).map(([column, definition]) =>
    columnSql(dialect, column, definition),
  )
  const idColumn = Object.entries(shape.columns).find(([, column]) => column.kind === 'id')?.[0]
  const namesOf = (columns: readonly string[]) => columns.map(quoted).join(', ')
  if (shape.primaryKey) lines.push(`PRIMARY KEY (${namesOf(shape.primaryKey)})`)
  const keys = Object.entries(shape.keys ?? {})
  if (dialect.name === 'mysql') {
    if (idColumn) lines.push(`PRIMARY KEY (${quoted(idColumn)})`)
    for (const [key, { columns, unique }] of keys)
      lines.push(`${unique ? 'UNIQUE ' : ''}KEY ${quoted(key)} (${namesOf(columns)})`)
    return [
      `CREATE TABLE IF NOT EXISTS ${quoted(name)} (\n  ${lines.join(',\n  ')}\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
    ]
  }
  return [
    `CREATE TABLE IF NOT EXISTS ${quoted(name)} (\n  ${lines.join(',\n  ')}\n)`,
    ...keys.map(
      ([key, { columns, unique }]) =>
        `CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${quoted(indexName(dialect, name, key))} ON ${quoted(name)} (${namesOf(columns)})`,
    ),
  ]
}

/** The statements that create missing tables, optional ones, too, and missing columns. */
function tablePlan(dialect: Dialect, names: PhysicalNames, { tables }: Inspection): string[] {
  return tableNames.flatMap((table) => {
    const name = names[table]
    const existing = tables.get(table)
    if (!existing) return createTableSql(dialect, table, name)
    return Object.entries(shapes[table].columns)
      .filter(([column, shape]) => shape.addable && !existing.columns.has(column.toLowerCase()))
      .map(([column, shape]) => addColumnSql(dialect, name, column, shape))
  })
}

/** SQLite has global index names, hence the table name in front. */
const indexName = (dialect: Dialect, table: string, index: string) =>
  dialect.name === 'sqlite' ? `${table}_${index}` : index

/** The statements that create the missing `speedups`. */
function indexPlan(dialect: Dialect, names: PhysicalNames, existing: Set<string>): string[] {
  return tableNames.flatMap((table) =>
    Object.entries(shapes[table].speedups ?? {})
      .filter(([index]) => !existing.has(indexName(dialect, names[table], index)))
      .map(
        ([index, columns]) =>
          `CREATE INDEX ${quoted(indexName(dialect, names[table], index))} ON ${quoted(names[table])} (${columns.map(quoted).join(', ')})`,
      ),
  )
}

/** Whether another process has created it since the schema was inspected. */
function isDoneAlready(error: unknown): boolean {
  return (
    [1050, 1060, 1061].includes(errnoOf(error)) || /duplicate column name|already exists/i.test(String(error))
  )
}

/** Zero dates in the table, because of which strict modes refuse any ALTER. */
const refusedDates = [1067, 1292]

/** Runs one statement; if zero dates prevent it, again in the SQL mode that WordPress uses. */
const execute = (db: Kysely<Tables>, statement: string) =>
  db.connection().execute(async (connection) => {
    // Built from our table descriptions and checked identifiers, never from a request.
    const run = (text: string) => connection.executeQuery(CompiledQuery.raw(text))
    try {
      await run(statement)
    } catch (error) {
      if (!refusedDates.includes(errnoOf(error))) throw error
      await run('set @svc_sql_mode = @@sql_mode')
      await run("set sql_mode = ''")
      try {
        await run(statement)
      } finally {
        // Restored, because the connection may belong to the host.
        await run('set sql_mode = @svc_sql_mode')
      }
    }
  })

/**
 * Runs a write, and if its table is missing once more after creating the table.
 * @throws SvcError 500 if the table cannot be created
 */
export async function creatingTable(
  { db, dialect, t }: { db: Kysely<Tables>; dialect: Dialect; t: PhysicalNames },
  table: TableName,
  write: () => Promise<unknown>,
): Promise<void> {
  try {
    await write()
    return
  } catch (error) {
    if (!dialect.isMissingTable(error)) throw error
  }
  try {
    for (const statement of createTableSql(dialect, table, t[table])) await execute(db, statement)
  } catch (cause) {
    const message = `The table ${t[table]} is missing and could not be created: run "svc-api migrate" as a database user who may create tables.`
    throw new SvcError('svc_internal_error', { message, cause })
  }
  await write()
}

/**
 * Completes the schema, or with `dryRun` changes nothing.
 * @returns the statements that ran here, not those that another process ran first; with `dryRun` those that would run
 */
export async function migrateTables(
  db: Kysely<Tables>,
  dialect: Dialect,
  names: PhysicalNames,
  { indexes = false, dryRun = false }: MigrateOptions = {},
): Promise<string[]> {
  const statements = tablePlan(dialect, names, await inspect(db, dialect, names))
  if (indexes) statements.push(...indexPlan(dialect, names, await indexNames(db, dialect, names)))
  if (dryRun) return statements
  const executed: string[] = []
  for (const statement of statements) {
    try {
      await execute(db, statement)
      executed.push(statement)
    } catch (error) {
      if (!isDoneAlready(error)) throw error
    }
  }
  return executed
}
