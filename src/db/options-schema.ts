// Schemas of the options about the database, for the plugins and the standalone functions.

import { optionsObject } from '../core/check-options.ts'
import { Type } from '../core/typebox.ts'
import { tableNames } from './tables.ts'

const tableName = Type.String({
  pattern: '^[A-Za-z0-9_$]{1,64}$',
  must: 'be the name of a table, 1 to 64 letters, digits, "_" or "$"',
})

export const databaseOptions = {
  // The connection checks its type and whether it can be used.
  database: Type.Any({
    holds: (value: unknown) => value !== undefined && value !== null,
    must: 'be a Kysely instance, a mysql2 pool or a URL (mysql://… or sqlite:…)',
  }),
  tablePrefix: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9_$]{0,48}$', must: 'be at most 48 letters, digits, "_" or "$"' }),
  ),
  tables: Type.Optional(
    optionsObject(
      Object.fromEntries(tableNames.map((name) => [name, Type.Optional(tableName)])),
      'be an object with the physical names of tables',
    ),
  ),
}
