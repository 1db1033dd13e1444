// What a host does with an installation before it serves: completes its tables, asks for the token that works and for
// the CMS that lives there, too.
import { checkOptions } from '../check-options.ts'
import { notifyListener, warnListenerFailed } from '../db/after-commit.ts'
import {
  connect,
  type Database,
  type DatabaseSettings,
  databaseOn,
  type OptionsListener,
} from '../db/connect.ts'
import { type MigrateOptions, migrateTables } from '../db/migrate.ts'
import { cmsUrlOptions, migrateOptions, tokenOptions } from '../db/options-schema.ts'
import { importLegacy } from '../legacy/import.ts'
import { markerKey } from '../legacy/rows.ts'
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
 * @param settings where the database is; `token` (64 hexadecimal digits) is stored instead, in place of what is there. Running servers
 *   follow within one second. `onOptionsChanged` is told of the row, as by the server.
 * @returns the token that works from now on
 * @throws Error with a sentence when the database cannot be used or tables are missing
 */
export async function ensureToken(
  settings: DatabaseSettings & OptionsListener & { token?: string },
): Promise<string> {
  checkOptions(tokenOptions, settings)
  const { token, onOptionsChanged } = settings
  return onDatabase(settings, async (database) => {
    const store = optionsStore(database, (keys) =>
      notifyListener('onOptionsChanged', onOptionsChanged, keys, warnListenerFailed),
    )
    if (token === undefined) await generateToken(store)
    else await store.update(tokenKey, () => token)
    return tokenOf(await store.get(tokenKey)) ?? ''
  })
}

/**
 * The public address of the CMS whose database this is; undefined where no CMS has installed itself.
 * @throws Error with a sentence when the database cannot be used or tables are missing
 */
export async function cmsAddress(settings: DatabaseSettings): Promise<string | undefined> {
  checkOptions(cmsUrlOptions, settings)
  return onDatabase(settings, async (database) => {
    const rows = await cmsOptions(database).getMany(['siteurl', 'home'])
    return rows.get('home') ?? rows.get('siteurl')
  })
}

/**
 * Creates the tables and columns that are missing, and imports what legacy installations keep in options; nothing
 * else. Safe to repeat, and from several processes at once.
 * @param settings `onOptionsChanged` is told of option rows that this writes, as by the server
 * @returns the SQL statements that ran, or with `dryRun` would run, with a comment for each kind that was imported
 */
export async function migrate(
  settings: DatabaseSettings & MigrateOptions & OptionsListener,
): Promise<string[]> {
  checkOptions(migrateOptions, settings)
  const connection = await connect(settings)
  const { db, dialect, t } = connection
  try {
    const statements = await migrateTables(db, dialect, t, settings)
    // What is not there yet cannot be looked into.
    if (settings.dryRun && statements.length > 0) return statements
    const imported = await importLegacy(await databaseOn(connection), settings.dryRun)
    if (imported.length > 0 && !settings.dryRun)
      await notifyListener('onOptionsChanged', settings.onOptionsChanged, [markerKey], warnListenerFailed)
    return [...statements, ...imported]
  } finally {
    await connection.close()
  }
}
