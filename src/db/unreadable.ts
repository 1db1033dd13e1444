// Finds stored values that cannot be read, in all tables, a few rows at a time. For `svc-api doctor`.
import { sql } from 'kysely'
import type { Connection } from './connect.ts'
import { batches } from './id-windows.ts'
import type { Inspection } from './inspect.ts'
import { readStoredJson } from './stored-json.ts'
import { shapes, type TableName, tableNames } from './tables.ts'

/** A stored value that cannot be read. */
export interface UnreadableValue {
  /** Physical name. */
  table: string
  column: string
  /** Id of the row, or name of the option. */
  row: number | string
}

/** Tables whose blobs no response contains, or have rules of their own. */
const skippedTables: readonly TableName[] = ['options', 'print_job_steps', 'idempotency']

/** Options with JSON. */
const jsonOptions = ['svc_color_library', 'svc_color_lists', 'svc_text_templates']

/** Number of rows whose sizes are read at once. */
const chunk = 500
/** Bytes of values that are read at once. */
const maxBatchBytes = 8 * 1024 * 1024

type Source = Pick<Connection, 'db' | 'dialect' | 't'>

/**
 * The values that cannot be read, of all existing tables and columns.
 * @param report called with the name of a table and the number of its rows that were read so far
 */
export async function* unreadableValues(
  connection: Source,
  inspection: Inspection,
  report: (table: string, rows: number) => void = () => {},
): AsyncGenerator<UnreadableValue> {
  for (const table of tableNames.filter((name) => !skippedTables.includes(name))) {
    const existing = inspection.tables.get(table)
    const blobs = Object.entries(shapes[table].columns)
      .filter(([column, { kind }]) => kind === 'blob' && existing?.columns.has(column.toLowerCase()))
      .map(([column]) => column)
    if (blobs.length > 0)
      yield* unreadableRows(connection, { table: connection.t[table], id: 'ID', columns: blobs }, report)
  }
  if (inspection.tables.has('options')) yield* unreadableOptions(connection)
}

/** Which rows and columns of a table to read. */
export interface ScannedRows {
  /** Physical name. */
  table: string
  /** Column of the numeric primary key. */
  id: string
  columns: readonly string[]
  /** Only rows with one of these keys. */
  keys?: { column: string; among: readonly string[] }
}

/** The values of one table that cannot be read. */
export async function* unreadableRows(
  source: Pick<Source, 'db'>,
  scanned: ScannedRows,
  report: (table: string, rows: number) => void = () => {},
): AsyncGenerator<UnreadableValue> {
  const { table, columns } = scanned
  let readRows = 0
  for await (const rows of scannedRows(source, scanned)) {
    for (const row of rows)
      for (const column of columns)
        if (readStoredJson(row[column] ?? null, '{}') === undefined) yield { table, column, row: row.id }
    readRows += rows.length
    report(table, readRows)
  }
}

/** The id of a row, and the values of the columns. */
export type ScannedRow = { id: number } & Record<string, string | null>

/** The rows of a table in the order of their ids, in batches of at most 8 MiB; a larger row is a batch of its own. */
export async function* scannedRows(
  { db }: Pick<Source, 'db'>,
  { table, id, columns, keys }: ScannedRows,
): AsyncGenerator<ScannedRow[]> {
  const bytes = columns.map((column) => sql`coalesce(length(${sql.ref(column)}), 0)`)
  const among = keys ? sql`${sql.ref(keys.column)} in (${sql.join(keys.among)})` : sql`1 = 1`
  const from = sql`from ${sql.table(table)} where ${among} and ${sql.ref(id)}`
  for (let after = 0; ; ) {
    const { rows: sizes } = await sql<{ id: number; size: number }>`
      select ${sql.ref(id)} as id, ${sql.join(bytes, sql` + `)} as size
      ${from} > ${after} order by ${sql.ref(id)} limit ${chunk}`.execute(db)
    for (const batch of batches(sizes, maxBatchBytes)) {
      const to = batch.at(-1)?.id ?? after
      const { rows } = await sql<ScannedRow>`
        select ${sql.ref(id)} as id, ${sql.join(columns.map((column) => sql.ref(column)))}
        ${from} > ${after} and ${sql.ref(id)} <= ${to} order by ${sql.ref(id)}`.execute(db)
      yield rows
      after = to
    }
    if (sizes.length < chunk) return
  }
}

async function* unreadableOptions({ db, t }: Source): AsyncGenerator<UnreadableValue> {
  const rows = await db
    .selectFrom(t.options)
    .select(['option_name', 'option_value'])
    .where('option_name', 'in', jsonOptions)
    .execute()
  for (const { option_name: row, option_value } of rows)
    if (readStoredJson(option_value, '{}') === undefined)
      yield { table: t.options, column: 'option_value', row }
}
