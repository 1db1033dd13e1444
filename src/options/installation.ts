// What a host needs to know of an installation before it serves: the token that works, and whether a CMS lives there, too.
import { checkOptions } from '../check-options.ts'
import { tell, warnOfListener } from '../db/after-commit.ts'
import {
  connect,
  type Database,
  type DatabaseSettings,
  databaseOn,
  type OptionsListener,
} from '../db/connect.ts'
import { addressOptions, tokenOptions } from '../db/options-schema.ts'
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
      tell('onOptionsChanged', onOptionsChanged, keys, warnOfListener),
    )
    if (token === undefined) await generateToken(store)
    else await store.set({ [tokenKey]: token })
    return tokenOf(await store.get(tokenKey)) ?? ''
  })
}

/**
 * The public address of the CMS whose database this is; undefined where no CMS has installed itself.
 * @throws Error with a sentence when the database cannot be used or tables are missing
 */
export async function cmsAddress(settings: DatabaseSettings): Promise<string | undefined> {
  checkOptions(addressOptions, settings)
  return onDatabase(settings, async (database) => {
    const rows = await cmsOptions(database).getMany(['siteurl', 'home'])
    return rows.get('home') ?? rows.get('siteurl')
  })
}
