// From what the host hands in (Kysely, a mysql2 pool, an address) to the one object that the rest of the project works with.
import { Kysely, sql } from 'kysely'
import { answerTime, OutOfTime, within } from '../deadline.ts'
import { type ErrorCode, SvcError, unavailable } from '../errors.ts'
import { addressForm, assertMysqlAddress } from './address.ts'
import type { Listener } from './after-commit.ts'
import { type Columns, columnsOf } from './column-limits.ts'
import { type Dialect, mysqlDialect, sqliteDialect } from './dialects.ts'
import { borrowed } from './host-kysely.ts'
import { type Inspection, inspect, missingParts } from './inspect.ts'
import { largeValues } from './large-values.ts'
import { corePool, mysql2Dialect, openPool } from './mysql.ts'
import { type PhysicalNames, physicalNames, type TableName, type Tables } from './tables.ts'
import { type Transaction, transactions } from './transaction.ts'

/**
 * What a host may pass as `database`: a Kysely instance, a mysql2 pool of either flavour, or an address
 * (`mysql://user:pass@host:port/name`, `sqlite:/path/to/file`). What is passed open stays open when the app closes.
 */
export type DatabaseInput = string | HostPool | HostKysely

/**
 * A Kysely instance, typed by what is used of it: a host may have another version than we do, and tables of its own.
 */
export interface HostKysely {
  selectFrom(...args: never[]): unknown
  withoutPlugins(): HostKysely
  getExecutor(): object
  readonly introspection: object
}

/** A pool of `mysql2` or `mysql2/promise`, typed in the same way. */
export interface HostPool {
  getConnection(...args: never[]): unknown
  execute(...args: never[]): unknown
  end(...args: never[]): unknown
}

export interface DatabaseSettings {
  database: DatabaseInput
  /** The CMS table prefix; default `wp_`. */
  tablePrefix?: string
  /** Physical names of single tables, where they are not prefix + standard name. */
  tables?: Partial<Record<TableName, string>>
}

export interface OptionsListener {
  /**
   * Called after commit with the option keys that changed; waited for, two seconds at most. What it throws becomes a
   * warning of the process.
   */
  onOptionsChanged?: Listener<string[]>
}

export interface Connection {
  db: Kysely<Tables>
  dialect: Dialect
  t: PhysicalNames
  /** The CMS table prefix. */
  prefix: string
  /** Largest statement in bytes; undefined on SQLite. */
  maxPacket: number | undefined
  /** Closes what we opened, and nothing else. */
  close(): Promise<void>
}

export interface Database extends Connection {
  transaction: Transaction
  columns: Columns
  /** Existing tables without transactions, by physical name: writes over several rows are only as atomic as they are. */
  tablesWithoutTransactions: string[]
  /** The answer that a failure of the database becomes; other errors come back unchanged. */
  translate(error: unknown): unknown
  /** Resolves when rows can be read, rejects within seconds when not. */
  ping(): Promise<void>
}

function isKysely(value: unknown): value is Kysely<Tables> {
  return typeof value === 'object' && value !== null && 'withoutPlugins' in value && 'selectFrom' in value
}

/** Opens (where an address is given) and looks once at what it is talking to. */
export async function connect({
  database,
  tablePrefix = 'wp_',
  tables,
}: DatabaseSettings): Promise<Connection> {
  const t = physicalNames(tablePrefix, tables)
  const { db: plain, close } = await open(database)
  const db = plain.withPlugin(largeValues)
  try {
    return { db, t, prefix: tablePrefix, close, ...(await lookAt(db)) }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(database: DatabaseInput): Promise<Pick<Connection, 'db' | 'close'>> {
  const keepOpen = async () => {}
  if (isKysely(database)) return { db: borrowed(database), close: keepOpen }
  const pool = corePool(database)
  if (pool) return { db: new Kysely({ dialect: mysql2Dialect(pool) }), close: keepOpen }
  if (typeof database === 'string') {
    return openAddress(database)
  }
  throw new Error(
    'database: must be a Kysely instance, a mysql2 pool, or an address (mysql://… or sqlite:…).',
  )
}

async function openAddress(address: string): Promise<Pick<Connection, 'db' | 'close'>> {
  if (address.startsWith('sqlite:')) {
    const path = address.slice('sqlite:'.length)
    if (path === '')
      throw new Error('database: "sqlite:" must be followed by the path of a file, or by ":memory:".')
    const { nodeSqlite } = await import('./sqlite.ts')
    const db = new Kysely<Tables>({ dialect: nodeSqlite(path) })
    try {
      await db.connection().execute(async () => {})
      return { db, close: () => db.destroy() }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`database: "${path}" cannot be opened as an SQLite database (${reason}).`, {
        cause: error,
      })
    }
  }
  if (address.startsWith('mysql://')) {
    assertMysqlAddress(address)
    const { pool, close } = await openPool(address)
    return { db: new Kysely({ dialect: mysql2Dialect(pool) }), close }
  }
  // The address is not repeated here: it may hold a password.
  throw new Error(addressForm)
}

async function lookAt(db: Kysely<Tables>): Promise<Pick<Connection, 'dialect' | 'maxPacket'>> {
  if (await isSqlite(db)) return { dialect: sqliteDialect, maxPacket: undefined }
  const { rows } = await sql<
    Record<'version' | 'mode' | 'client' | 'results' | 'name', string | null> & { packet: unknown }
  >`
    select version() as version, @@sql_mode as mode, @@character_set_client as client,
      @@character_set_results as results, @@max_allowed_packet as packet, database() as name`.execute(db)
  const session = rows[0]
  if (typeof session?.version !== 'string' || typeof session.packet !== 'number') {
    throw new Error(
      'database: the connection must give rows as objects, texts as strings and BIGINT as numbers: leave rowsAsArray, nestTables, typeCast and bigNumberStrings alone.',
    )
  }
  if (session.name === null) throw new Error('database: the connection has no database selected.')
  if (session.client !== 'utf8mb4' || session.results !== 'utf8mb4') {
    throw new Error(
      `database: the connection's charset is ${session.client}/${session.results}; it must be utf8mb4, or letters would be lost.`,
    )
  }
  if (/NO_BACKSLASH_ESCAPES/.test(session.mode ?? '')) {
    throw new Error(
      'database: the sql_mode NO_BACKSLASH_ESCAPES cannot be used; remove it from the connection.',
    )
  }
  return { dialect: mysqlDialect, maxPacket: session.packet }
}

/** Access denied (three kinds), no such database. */
const refusals = new Set([1044, 1045, 1698, 1049])

async function isSqlite(db: Kysely<Tables>): Promise<boolean> {
  try {
    await sql`select sqlite_version()`.execute(db)
    return true
  } catch (error) {
    const errno = Number(Reflect.get(Object(error), 'errno'))
    // "No such function", in the words of MySQL and MariaDB.
    if (errno === 1305 || errno === 1370 || errno === 1128) return false
    // A wrong password or name ends the connection, too, but waiting does not help.
    const refused = refusals.has(errno)
    if (!refused && mysqlDialect.isUnavailable(error))
      throw Object.assign(new Error('database: the server cannot be reached.', { cause: error }), {
        // Hosts that start together with their database try again.
        code: 'svc_unavailable' satisfies ErrorCode,
      })
    if (errno > 0)
      // The server's own words name the user.
      throw new Error(`database: the server refuses the connection (${Reflect.get(Object(error), 'code')}).`)
    throw new Error('database: this is neither MySQL, MariaDB nor SQLite.', { cause: error })
  }
}

/** Makes the working database of a connection whose tables all exist. */
export async function databaseOn(connection: Connection): Promise<Database> {
  const { db, dialect, t } = connection
  const inspection = await inspect(db, dialect, t)
  assertComplete(missingParts(inspection, t))
  const tablesWithoutTransactions = withoutTransactions(inspection, t)
  return {
    ...connection,
    columns: columnsOf(inspection, connection.maxPacket),
    tablesWithoutTransactions,
    transaction: transactions({ db, dialect, mayRetry: tablesWithoutTransactions.length === 0 }),
    translate(error) {
      if (error instanceof SvcError) return error
      const comesBack =
        error instanceof OutOfTime || dialect.isUnavailable(error) || dialect.isRetryable(error)
      return comesBack ? unavailable(error) : error
    },
    async ping() {
      // A cluster node that may not serve still answers what touches no table.
      const query = db.selectFrom(t.options).select('option_id').limit(1)
      await within(answerTime.gate, () => query.execute())
    },
  }
}

function assertComplete(missing: ReturnType<typeof missingParts>): void {
  if (missing.length === 0) return
  const alien = missing.filter((part) => !part.creatable)
  const [named, wayOut] =
    alien.length > 0
      ? [alien, 'No installation lacks that, so it cannot be added: are prefix and table names right?']
      : [missing, 'Call migrate() once, or pass migrate: true, to create what is missing.']
  const list = named.map((part) => part.name).join(', ')
  throw new Error(`database: ${list} ${named.length === 1 ? 'is' : 'are'} missing. ${wayOut}`)
}

function withoutTransactions(inspection: Inspection, t: PhysicalNames): string[] {
  return [...inspection.tables]
    .filter(([, { engine }]) => engine !== undefined && !/^(innodb|rocksdb|tokudb)$/i.test(engine))
    .map(([table]) => t[table])
}
