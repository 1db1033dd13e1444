// Functions of the package that set up an installation: migrate, ensureToken, cmsUrl.
import type { ChangeOptions } from '../changes/options.ts'
import { reportingAs } from '../core/change.ts'
import { checkOptions } from '../core/check-options.ts'
import { notifyListener, warnListenerFailed } from '../db/after-commit.ts'
import { migrateTables } from '../db/migrate.ts'
import type { DatabaseSettings, MigrateOptions, OptionsListener } from '../db/options.ts'
import { importLegacy } from '../legacy/import.ts'
import { importRecordKey } from '../legacy/rows.ts'
import { ordersOf } from '../orders/orders.ts'
import { jobLinks } from '../print/job-links.ts'
import { cmsOptions } from '../settings/cms.ts'
import { optionsStore } from '../settings/option-rows.ts'
import { generateToken, storeToken, tokenKey, tokenOf } from '../settings/token.ts'
import { reportingDatabase, withConnection, withDatabase } from './installation.ts'
import { cmsUrlOptions, migrateOptions, tokenOptions } from './options.ts'

/**
 * Returns the API token of an installation and generates one if none is stored, so that a host or a script can show it
 * before the first request. Concurrent processes end up with the same token.
 * @param settings the database, see {@link DatabaseSettings}. `token` (64 hexadecimal digits) replaces the stored one;
 *   running servers follow within one second. `onOptionsChanged`, `onChange`, `audit` and `webhooks` are notified as by
 *   the server.
 * @returns the token that is valid from now on
 * @throws Error with one sentence if the database cannot be used or tables are missing; its `code` is `svc_unavailable`
 *   if the database cannot be reached
 * @example
 * ```ts
 * const token = await ensureToken({ database: 'sqlite:shop.sqlite' })
 * ```
 */
export async function ensureToken(
  settings: DatabaseSettings & ChangeOptions & OptionsListener & { token?: string },
): Promise<string> {
  checkOptions(tokenOptions, settings)
  const { token, onOptionsChanged } = settings
  return withDatabase(settings, 'ensure_token', async (database) => {
    const store = optionsStore(database, (keys) =>
      notifyListener('onOptionsChanged', onOptionsChanged, keys, warnListenerFailed),
    )
    if (token === undefined) await generateToken(store)
    else await storeToken(store, token)
    return tokenOf(await store.get(tokenKey)) ?? ''
  })
}

/**
 * Returns the public URL of the CMS that uses this database; undefined if no CMS is installed.
 * @throws Error as {@link ensureToken} does
 * @example
 * ```ts
 * const siteUrl = (await cmsUrl({ database })) ?? 'http://localhost:3000'
 * ```
 */
export async function cmsUrl(settings: DatabaseSettings): Promise<string | undefined> {
  checkOptions(cmsUrlOptions, settings)
  return withDatabase(settings, 'cms_url', async (database) => {
    const rows = await cmsOptions(database).getMany(['siteurl', 'home'])
    return rows.get('home') ?? rows.get('siteurl')
  })
}

/**
 * Creates missing tables and columns, imports what legacy installations keep in options, links print jobs to their orders, and fills
 * the index by which orders with a design are found; changes nothing else. Safe to repeat, even from several processes at once.
 * @param settings the database and {@link MigrateOptions}. `onOptionsChanged`, `onChange`, `audit` and `webhooks` are
 *   notified as by the server.
 * @returns the SQL statements that ran, or with `dryRun` would run, with a comment for each import
 * @throws Error as {@link ensureToken} does
 * @example
 * ```ts
 * console.log(await migrate({ database, dryRun: true }))
 * await migrate({ database, indexes: true })
 * ```
 */
export async function migrate(
  settings: DatabaseSettings & ChangeOptions & MigrateOptions & OptionsListener,
): Promise<string[]> {
  checkOptions(migrateOptions, settings)
  return withConnection(settings, async (connection) => {
    const { db, dialect, t } = connection
    const statements = await migrateTables(db, dialect, t, settings)
    // The import needs the tables that a dry run does not create.
    if (settings.dryRun && statements.length > 0) return statements
    const database = await reportingDatabase(connection, settings)
    const imported = await reportingAs('migrate', () => importLegacy(database, settings))
    if (!settings.dryRun) {
      await jobLinks(database).linkAll()
      await ordersOf(database, cmsOptions(database)).fillIndexes()
    }
    if (imported.length > 0 && !settings.dryRun)
      await notifyListener(
        'onOptionsChanged',
        settings.onOptionsChanged,
        [importRecordKey],
        warnListenerFailed,
      )
    return [...statements, ...imported]
  })
}
