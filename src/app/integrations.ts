// Finds out which plugins of the CMS are active, and whether the print provider and a remote storage are in use.
import { sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { readStoredArray } from '../db/stored-json.ts'
import type { CmsOptions } from '../settings/cms.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import { type RemoteStorageName, remoteStorages } from '../storage/remote-storages.ts'
import type { Storages } from '../storage/storages.ts'

/** The names of all integrations. */
export const integrationNames = [
  'woocommerce',
  'gravity_forms',
  'elementor',
  'printful',
  ...remoteStorages.map(({ name }) => name),
] as const

/** Whether each integration is in use. Plugins count as active by the lists of the CMS, or by their tables. */
export async function activeIntegrations(
  { db, dialect, prefix }: Pick<Database, 'db' | 'dialect' | 'prefix'>,
  cms: CmsOptions,
  options: OptionsStore,
  storages: Pick<Storages, 'active'>,
): Promise<Record<(typeof integrationNames)[number], boolean>> {
  /** Whether a table exists, by a statement that reads no row: asking the information schema would take much longer. */
  const exists = async (table: string) => {
    try {
      await sql`select 1 from ${sql.table(prefix + table)} where 1 = 0`.execute(db)
      return true
    } catch (error) {
      if (dialect.isMissingTable(error)) return false
      throw error
    }
  }
  const [rows, hasOrders, hasEntries, key, storage] = await Promise.all([
    cms.getMany(['active_plugins', 'active_sitewide_plugins']),
    // By their tables, too, because the list of plugins of a multisite network may be in the tables of another site.
    exists('woocommerce_order_items'),
    exists('gf_entry'),
    options.get('svc_printful_api_key'),
    storages.active(),
  ])
  // A list that cannot be read counts as empty.
  const entriesOf = (stored: string | undefined) => readStoredArray(stored ?? null) ?? []
  const active = new Set<unknown>([
    // The site's list has the files as values, the network's as keys.
    ...entriesOf(rows.get('active_plugins')).map(([, file]) => file),
    ...entriesOf(rows.get('active_sitewide_plugins')).map(([file]) => file),
  ])
  const remote = Object.fromEntries(remoteStorages.map(({ name }) => [name, name === storage]))
  return {
    woocommerce: active.has('woocommerce/woocommerce.php') || hasOrders,
    gravity_forms: active.has('gravityforms/gravityforms.php') || hasEntries,
    elementor: active.has('elementor/elementor.php'),
    printful: (key ?? '').trim() !== '',
    // `Object.fromEntries` knows no names.
    ...(remote as Record<RemoteStorageName, boolean>),
  }
}
