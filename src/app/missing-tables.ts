// The option `migrate`: creates the tables of this API when a context is built.
import type { Connection } from '../db/connect.ts'
import { isNewFile } from '../db/inspect.ts'
import { migrateTables } from '../db/migrate.ts'
import type { SvcContextOptions } from './context-options.ts'

/** Creates the tables of this API if the option `migrate` asks for it; by default in a new SQLite file. @returns whether it asks */
export async function createMissingTables(
  { db, dialect, t }: Connection,
  options: SvcContextOptions,
): Promise<boolean> {
  const { migrate = await isNewFile(db, dialect) } = options
  if (!migrate) return false
  const { indexes = false } = migrate === true ? {} : migrate
  await migrateTables(db, dialect, t, { indexes })
  return true
}
