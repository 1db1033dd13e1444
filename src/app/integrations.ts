// Which CMS plugins are there, by the CMS's lists and by their tables, and whether the print provider has a key.
import { sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { readStoredArray } from '../db/stored-json.ts'
import type { CmsOptions } from '../settings/cms.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import { type RemoteStorageName, remoteStorages } from '../storage/remote-storages.ts'
import type { Storages } from '../storage/storages.ts'

export const integrationNames = [
  'woocommerce',
  'gravity_forms',
  'elementor',
  'printful',
  ...remoteStorages.map(({ name }) => name),
] as const

export async function activeIntegrations(
  { db, dialect, prefix }: Pick<Database, 'db' | 'dialect' | 'prefix'>,
  cms: CmsOptions,
  options: OptionsStore,
  storages: Pick<Storages, 'active'>,
): Promise<Record<(typeof integrationNames)[number], boolean>> {
  /** Reads no row: a look into the description of the schema would take longer than all counts of a small shop. */
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
    // The list of a whole network of sites is not in the tables of this one.
    exists('woocommerce_order_items'),
    exists('gf_entry'),
    options.get('svc_printful_api_key'),
    storages.active(),
  ])
  // The snapshot does without an unreadable list.
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
    ...(remote as Record<RemoteStorageName, boolean>),
  }
}
