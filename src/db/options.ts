// The options about the database, for the plugins and the standalone functions.
import { Type } from '@sinclair/typebox'
import {
  booleanOption,
  functionOption,
  type OptionsOf,
  optionsObject,
  valueOption,
} from '../core/check-options.ts'
import type { Listener } from './after-commit.ts'
import { type TableName, tableNames } from './tables.ts'

/**
 * What a host may pass as `database`: a Kysely instance, a pool of `mysql2` or `mysql2/promise`, or a URL
 * (`mysql://user:password@host:port/name`, `sqlite:/path/to/file`). Instances and pools stay open when the app closes.
 * @example
 * ```ts
 * app.register(svcApi, { database: 'mysql://shop:secret@127.0.0.1:3306/shop' })
 * app.register(svcApi, { database: createPool({ uri, charset: 'utf8mb4' }) })
 * ```
 */
export type DatabaseInput = string | HostPool | HostKysely

/**
 * A Kysely instance. Structural, because the host may have another version of Kysely and its own tables.
 */
export interface HostKysely {
  selectFrom(...args: never[]): unknown
  withoutPlugins(): HostKysely
  getExecutor(): object
  readonly introspection: object
}

/** A pool of `mysql2` or `mysql2/promise`. Structural, too. */
export interface HostPool {
  getConnection(...args: never[]): unknown
  execute(...args: never[]): unknown
  end(...args: never[]): unknown
}

const tableName = Type.String({
  pattern: '^[A-Za-z0-9_$]{1,64}$',
  must: 'be the name of a table, 1 to 64 letters, digits, "_" or "$"',
})

const names = optionsObject(
  Object.fromEntries(tableNames.map((name) => [name, Type.Optional(tableName)])),
  'be an object with the physical names of tables',
)

/** Schemas of the options about the database. The host's documents are generated from the comments. */
export const databaseOptions = {
  /**
   * A Kysely instance, a pool of `mysql2` of either flavor, `mysql://user:password@host:port/name` (user name and password
   * percent-encoded) or `sqlite:/path/to/file`. With `?ssl=` and percent-encoded JSON (`{}` is `%7B%7D`) the connection is
   * encrypted and the server's certificate checked: `ca` and other options of Node's `tls.connect` apply, and
   * `"verifyIdentity":true` compares the host name, too. What you pass in stays open; what a URL opened is closed with the
   * app. The charset must be `utf8mb4`. See {@link DatabaseInput}.
   * @example 'mysql://shop:secret@127.0.0.1:3306/shop'
   */
  // The connection checks its type and whether it can be used.
  database: valueOption<DatabaseInput>(
    (value) => value !== undefined && value !== null,
    'be a Kysely instance, a mysql2 pool or a URL (mysql://… or sqlite:…)',
  ),
  /**
   * Table prefix of the CMS. Default `wp_`.
   * @example 'shop_'
   */
  tablePrefix: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9_$]{0,48}$', must: 'be at most 48 letters, digits, "_" or "$"' }),
  ),
  /**
   * Physical names of single tables that differ from prefix and standard name; used without the prefix.
   * @example { products: 'shop_products' }
   */
  tables: Type.Optional(Type.Unsafe<Partial<Record<TableName, string>>>(names)),
}

/** The database of an installation, and the names of its tables. */
export interface DatabaseSettings extends OptionsOf<typeof databaseOptions> {}

/** Options of the standalone functions that change option rows. */
export const listenerOptions = {
  /**
   * Called after commit with the changed option keys and awaited for up to two seconds. Errors become process warnings.
   * @example (keys) => cache.del(keys)
   */
  onOptionsChanged: Type.Optional(functionOption<Listener<string[]>>()),
}

/** What a standalone function reports. */
export interface OptionsListener extends OptionsOf<typeof listenerOptions> {}

/** Options of `migrate` about tables. */
export const migrationOptions = {
  /**
   * Also creates our additional indexes (`svc_idx_…`), which make lists and counts cheaper. Default `false`.
   * @example true
   */
  indexes: Type.Optional(booleanOption),
  /**
   * Only returns the statements, without running them. Default `false`.
   * @example true
   */
  dryRun: Type.Optional(booleanOption),
}

/** What `migrate` does beside creating missing tables and columns. */
export interface MigrateOptions extends OptionsOf<typeof migrationOptions> {}
