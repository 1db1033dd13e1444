// Looks for designs in orders of the shop whose encoding cannot be read.
import type { Connection } from '../db/connect.ts'
import { type UnreadableValue, unreadableRows } from '../db/unreadable.ts'
import { generations } from './source.ts'
import { foreignTables } from './tables.ts'

/** None where the shop's tables do not exist. */
export async function* unreadableDesigns(
  connection: Connection,
  report: (table: string, rows: number) => void,
): AsyncGenerator<UnreadableValue> {
  const table = foreignTables(connection).f.itemMeta
  const keys = { column: 'meta_key', among: generations }
  try {
    yield* unreadableRows(connection, { table, id: 'meta_id', columns: ['meta_value'], keys }, report)
  } catch (error) {
    if (!connection.dialect.isMissingTable(error)) throw error
  }
}
