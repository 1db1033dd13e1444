// Schemas of the options about the database, for the plugins and the standalone functions.

import { booleanOption, functionOption, optionsObject } from '../check-options.ts'
import { Type } from '../typebox.ts'
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

export const migration = {
  indexes: Type.Optional(booleanOption),
  dryRun: Type.Optional(booleanOption),
}

const listener = { onOptionsChanged: Type.Optional(functionOption) }

export const migrateOptions = optionsObject(
  { ...databaseOptions, ...migration, ...listener },
  'be an object that names the database',
)

export const tokenOptions = optionsObject(
  {
    ...databaseOptions,
    ...listener,
    token: Type.Optional(Type.String({ pattern: '^[0-9A-Fa-f]{64}$', must: 'be 64 hexadecimal digits' })),
  },
  'be an object that names the database',
)

export const cmsUrlOptions = optionsObject({ ...databaseOptions }, 'be an object that names the database')
