// The few options of the CMS that this API reads.
import type { Database } from '../db/connect.ts'

export type CmsOption =
  | 'home'
  | 'siteurl'
  | 'active_plugins'
  | 'active_sitewide_plugins'
  | 'woocommerce_custom_orders_table_enabled'
  | 'woocommerce_custom_orders_table_data_sync_enabled'
  | 'timezone_string'
  | 'gmt_offset'

export type CmsOptions = ReturnType<typeof cmsOptions>

/** Reads options of the CMS; never writes one. */
export const cmsOptions = ({ db, t }: Database) => ({
  /** Stored values by name, of the existing rows. */
  async getMany(names: readonly CmsOption[]): Promise<Map<CmsOption, string>> {
    const rows = await db
      .selectFrom(t.options)
      .select(['option_name', 'option_value'])
      .where('option_name', 'in', names)
      .execute()
    return new Map(rows.map((row) => [row.option_name as CmsOption, String(row.option_value ?? '')]))
  },
})
