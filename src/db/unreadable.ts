// Finds stored values that cannot be read, in all tables, a few rows at a time, for `svc-api check` and `doctor`.
import type { Connection } from './connect.ts'
import type { Inspection } from './inspect.ts'
import { type ScannedRows, scannedRows } from './scanned-rows.ts'
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

/** Tables whose blobs no response contains, and options, whose names say which of them are JSON (`jsonOptions`). */
const skippedTables: readonly TableName[] = ['options', 'print_job_steps', 'idempotency']

/** Options with JSON. */
const jsonOptions = ['svc_color_library', 'svc_color_lists', 'svc_text_templates']

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
