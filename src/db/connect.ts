// Connects to the database of the host (`connect`), and makes of a connection whose tables are complete what repositories work on
// (`databaseOn`).
import type { Kysely } from 'kysely'
import { requestTime, within } from '../core/deadline.ts'
import { type Encoder, encoderOf } from './encoder.ts'
import { startupProblem, translated } from './failures.ts'
import type { GuardName } from './guard.ts'
import {
  hasUniqueKey,
  type Inspection,
  inspect,
  missingParts,
  otherPrefixes,
  wrongPrefix,
} from './inspect.ts'
import { openDatabase, serverOf } from './open-database.ts'
import type { DatabaseSettings } from './options.ts'
import { inspectSession, type ServerSession } from './server-session.ts'
import { type PhysicalNames, physicalNames, type TableName, type Tables } from './tables.ts'
import { type ChangeReader, type Transaction, transactionOn } from './transaction.ts'

/** A checked connection to the database, whose tables may be missing: what `migrate` needs. */
export interface Connection extends ServerSession {
  db: Kysely<Tables>
  /** Physical names of the tables. */
  t: PhysicalNames
  /** Guards whose row is known to exist. */
  guards: Set<GuardName>
  /** The CMS table prefix. */
  prefix: string
  /** Closes the pool or file that `connect` opened for a URL; a pool or Kysely instance of the host stays open. */
  close(): Promise<void>
}

/** A database whose tables are complete: what repositories work on. */
export interface Database extends Connection {
  transaction: Transaction
  /** Whether a listener, the audit trail or a webhook consumes changes. */
  reportsChanges: boolean
  /** Checks and encodes values for the limits of the columns. */
  encoder: Encoder
  /**
   * Whether the pairs of category and product have a unique key, which also lists the products of a category in order. Tables of
   * other origin may have a key for each column instead, and the same pair twice.
   */
  hasPairKey: boolean
  /** The tables that existed when the database was opened; optional ones may be created later. */
  tables: ReadonlySet<TableName>
  /** Physical names of tables without transactions, in which writes to several rows are not atomic. */
  tablesWithoutTransactions: string[]
  /** Turns a failure of the database into a 503, and a full disk into a 507; returns other errors unchanged. */
  translate(error: unknown): unknown
  /** Resolves if rows can be read and written; rejects within seconds if not. */
  ping(): Promise<void>
}

/** Opens the database, if the host passes a URL, and checks the connection. @throws Error with a remedy in its message */
export async function connect({
  database,
  tablePrefix = 'wp_',
  tables,
}: DatabaseSettings): Promise<Connection> {
  const t = physicalNames(tablePrefix, tables)
  const { db, close } = await openDatabase(database)
  try {
    const session = await inspectSession(db)
    return { db, t, guards: new Set(), prefix: tablePrefix, close, ...session }
  } catch (error) {
    await close()
    throw startupProblem(error, serverOf(database))
  }
}

/** The consumer of changes, and the optional tables that it needs. */
export interface ChangeFeed extends ChangeReader {
  tables: readonly TableName[]
}

/**
 * The database on this connection.
 * @param changes the consumer of changes; undefined if nothing consumes them
 * @param optionalTables that are needed, beside those of `changes`
 * @throws Error if a table or column is missing, or the prefix is that of no installation
 */
export async function databaseOn(
  connection: Connection,
  changes?: ChangeFeed,
  optionalTables: readonly TableName[] = [],
): Promise<Database> {
  const { db, dialect, t } = connection
  const inspection = await inspect(db, dialect, t)
  const missingTables = [...optionalTables, ...(changes?.tables ?? [])].filter(
    (table) => !inspection.tables.has(table),
  )
  const missing = [
    ...missingParts(inspection, t),
    ...missingTables.map((table) => ({ name: t[table], creatable: true })),
  ]
  // Without any table of this prefix, the tables may have another one.
  const prefixes = inspection.tables.size === 0 ? await otherPrefixes(db, dialect, t) : []
  if (prefixes.length > 0) throw new Error(`tablePrefix: ${wrongPrefix(connection.prefix, prefixes)}`)
  assertComplete(missing)
  const tablesWithoutTransactions = withoutTransactions(inspection, t)
  const mayRetry = tablesWithoutTransactions.length === 0
  return {
    ...connection,
    encoder: encoderOf(inspection, connection.maxPacket),
    hasPairKey: await hasUniqueKey(db, dialect, t.category_products, ['category_id', 'product_id']),
    tables: new Set(inspection.tables.keys()),
    tablesWithoutTransactions,
    transaction: transactionOn({ db, dialect, mayRetry, changes }),
    reportsChanges: changes !== undefined,
    translate: (error) => translated(error, dialect, tablesWithoutTransactions),
    async ping() {
      // A cluster node that is not ready still runs queries without tables.
      const query = db.selectFrom(t.options).select('option_id').limit(1)
      await within(requestTime.gate, async () => {
        await query.execute()
        if (await dialect.isMaybeReadOnly(db)) await updateNothing(db, t)
      })
    },
  }
}

/** An UPDATE of no row. @throws the error with which the database refuses every write of this user */
const updateNothing = (db: Kysely<Tables>, t: PhysicalNames) =>
  db.updateTable(t.options).set({ option_value: '' }).where('option_id', '=', 0).execute()

/** @throws Error that names the missing tables and columns; only those of the CMS, if one is missing, as `migrate` cannot add them */
function assertComplete(missing: ReturnType<typeof missingParts>): void {
  if (missing.length === 0) return
  const ofCms = missing.filter(({ creatable }) => !creatable)
  const [reported, remedy] =
    ofCms.length > 0
      ? [
          ofCms,
          'Every installation has it, so it is not added automatically; check the prefix and the table names.',
        ]
      : [missing, 'Call migrate() once, or pass migrate: true, to create what is missing.']
  const list = reported.map(({ name }) => name).join(', ')
  throw new Error(`database: ${list} ${reported.length === 1 ? 'is' : 'are'} missing. ${remedy}`)
}

/** Physical names of the tables whose engine has no transactions, such as MyISAM. */
function withoutTransactions(inspection: Inspection, t: PhysicalNames): string[] {
  return [...inspection.tables]
    .filter(([, { engine }]) => engine !== undefined && !/^(innodb|rocksdb|tokudb)$/i.test(engine))
    .map(([table]) => t[table])
}
