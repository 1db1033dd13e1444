// The names that the tables have in this database.
import { type PhysicalNames, schema, shapes, type TableName, tableNames } from './tables.ts'

/** Identifiers that are safe on every engine. */
const identifier = /^[A-Za-z0-9_$]{1,64}$/

/**
 * Physical table names from the CMS prefix and the host's map.
 * @param prefix the CMS table prefix, e.g. `wp_`
 * @param map logical to physical table name, used without the prefix
 * @throws Error if a name is not a plain identifier, or that of two tables
 */
export function physicalNames(prefix: string, map: Partial<Record<TableName, string>> = {}): PhysicalNames {
  for (const key of Object.keys(map)) {
    if (!Object.hasOwn(schema, key)) {
      throw new Error(`tables: "${key}" is not a table of this API; known are ${tableNames.join(', ')}.`)
    }
  }
  const names = Object.fromEntries(
    tableNames.map((table) => [table, map[table] ?? prefix + shapes[table].name]),
  )
  const owners = new Map<string, string>()
  for (const [table, name] of Object.entries(names)) {
    if (!identifier.test(name)) {
      throw new Error(
        `tablePrefix or tables: "${name}" (for ${table}) is not a table name of 1 to 64 letters, digits, "_" or "$".`,
      )
    }
    const owner = owners.get(name)
    if (owner !== undefined) {
      throw new Error(`tablePrefix or tables: "${name}" is the table of both ${owner} and ${table}.`)
    }
    owners.set(name, table)
  }
  return names as unknown as PhysicalNames
}
