/** Installs a real WooCommerce beside a test's database, in one of the ways in which shops store their orders. */
import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Test } from 'tap'
import { installPackages } from '../debian.ts'
import { php } from './php.ts'
import { installWordpress, type WordPress } from './wordpress.ts'

/** Where the shop's orders are: its own tables, posts, or both, one of which is copied to the other. */
const storages = {
  'orders in tables': { tables: 'yes', sync: 'no' },
  'orders in posts': { tables: 'no', sync: 'no' },
  'orders in tables, synchronized with posts': { tables: 'yes', sync: 'yes' },
  'orders in posts, synchronized with tables': { tables: 'no', sync: 'yes' },
} as const
export type OrderStorage = keyof typeof storages
export const orderStorages = Object.keys(storages) as OrderStorage[]

const howToGet = `The tests beside a real WooCommerce need its code, which no package registry has. Set
  SVC_TEST_WOOCOMMERCE to the folder of a released plugin, with woocommerce.php and vendor: unpack the woocommerce.zip of
    https://github.com/woocommerce/woocommerce/releases, or take wp-content/plugins/woocommerce out of the repository of a site
  SVC_TEST_WORDPRESS to the folder of a WordPress that this release supports, with wp-settings.php, if Debian's is too old`

/** How to get what is missing; undefined if nothing is. */
export function missingWoocommerce(): string | undefined {
  const { SVC_TEST_WOOCOMMERCE: plugin, SVC_TEST_WORDPRESS: code } = process.env
  const needed = ['woocommerce.php', 'vendor'].map((name) => join(plugin ?? '', name))
  if (code) needed.push(join(code, 'wp-settings.php'))
  return plugin && needed.every((path) => existsSync(path)) ? undefined : howToGet
}

// The default of the releases 8.1 to 10.6; later ones have only the filter.
const syncOnRead = `<?php add_filter('woocommerce_hpos_enable_sync_on_read', '__return_true');`

/** A WordPress with WooCommerce; its folder is removed with the test `t`. */
export async function installWoocommerce(
  t: Test,
  databaseUrl: string,
  storage: OrderStorage,
): Promise<WordPress> {
  const problem = missingWoocommerce()
  if (problem) throw new Error(problem)
  const { SVC_TEST_WOOCOMMERCE: plugin = '', SVC_TEST_WORDPRESS: code } = process.env
  const missing = JSON.parse(
    await php(
      `echo json_encode(array_values(array_filter(['mbstring', 'xml'], fn($name) => !extension_loaded($name))));`,
    ),
  )
  if (missing.length > 0) await installPackages(...missing.map((name: string) => `php-${name}`))
  const site = await installWordpress(t, databaseUrl, code ? { code } : {})
  const content = join(site.dir, 'wp-content')
  await mkdir(join(content, 'plugins'))
  await symlink(resolve(plugin), join(content, 'plugins/woocommerce'))
  await mkdir(join(content, 'mu-plugins'))
  await writeFile(join(content, 'mu-plugins/sync-on-read.php'), syncOnRead)
  const { tables, sync } = storages[storage]
  await site.wp(`update_option('active_plugins', ['woocommerce/woocommerce.php']);`)
  await site.wp(`
    WC_Install::install();
    wc_get_container()->get(Automattic\\WooCommerce\\Internal\\DataStores\\Orders\\DataSynchronizer::class)->create_database_tables();
    update_option('woocommerce_custom_orders_table_enabled', '${tables}');
    update_option('woocommerce_custom_orders_table_data_sync_enabled', '${sync}');`)
  return site
}
