// What a host does with an installation before it serves: completes its tables, asks for the token that works and for
// the CMS that lives there, too.
import { connect, type Database, type DatabaseSettings, databaseOn } from '../db/connect.ts'
import { type MigrateOptions, migrateTables } from '../db/migrate.ts'
import { importLegacy } from '../legacy/import.ts'
import { cmsOptions } from './cms.ts'
import { optionsStore } from './store.ts'
import { generateToken, tokenKey, tokenOf } from './token.ts'

/** The database of a host that opens it only for this. */
async function onDatabase<T>(
  settings: DatabaseSettings,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const connection = await connect(settings)
  try {
    return await work(await databaseOn(connection))
  } finally {
    await connection.close()
  }
}

/**
 * The API token of an installation. Where none is stored one is made, so that a host or a script can show it to its
 * operator before the first request; any number of processes at once end up with the same one.
 * @param settings where the database is; `token` stores this one instead, in place of what is there. Running servers
 *   follow within one second. The CMS's object cache must drop `svc_api_token`, `alloptions` and `notoptions` then:
 *   `onOptionsChanged` is called when this call changed what is stored.
 * @returns the token that works from now on
 * @throws Error with a sentence when the database cannot be used or tables are missing
 */
export function ensureToken({
  token,
  onOptionsChanged,
  ...settings
}: DatabaseSettings & {
  token?: string
  onOptionsChanged?: (keys: string[]) => void
}): Promise<string> {
  return onDatabase(settings, async (database) => {
    const store = optionsStore(database, (keys) => onOptionsChanged?.(keys))
    if (token === undefined) await generateToken(store)
    else await store.update(tokenKey, () => token)
    return tokenOf(await store.get(tokenKey)) ?? ''
  })
}

/**
 * The public address of the CMS whose database this is; undefined where no CMS has installed itself.
 * @throws Error with a sentence when the database cannot be used or tables are missing
 */
export function cmsAddress(settings: DatabaseSettings): Promise<string | undefined> {
  return onDatabase(settings, async (database) => {
    const rows = await cmsOptions(database).getMany(['siteurl', 'home'])
    return rows.get('home') ?? rows.get('siteurl')
  })
}

/**
 * Creates the tables and columns that are missing, and imports what legacy installations keep in options; nothing
 * else. Safe to repeat, and from several processes at once.
 * @returns the SQL statements that ran, or with `dryRun` would run, with a comment for each kind that was imported
 */
export async function migrate(settings: DatabaseSettings & MigrateOptions): Promise<string[]> {
  const connection = await connect(settings)
  const { db, dialect, t } = connection
  try {
    const statements = await migrateTables(db, dialect, t, settings)
    // What is not there yet cannot be looked into.
    if (settings.dryRun && statements.length > 0) return statements
    return [...statements, ...(await importLegacy(await databaseOn(connection), settings.dryRun))]
  } finally {
    await connection.close()
  }
}
