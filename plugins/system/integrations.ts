// Which neighbours in the CMS are active: by its lists of active plugins, and the provider by its key.
import { phpToJsonText, readPhp } from '../../src/db/php-value.ts'
import type { CmsOptions } from '../../src/options/cms.ts'
import type { OptionsStore } from '../../src/options/store.ts'
import type { Storages } from '../../src/storage/storages.ts'
import type { integrationNames } from './schema.ts'

type Integrations = Record<(typeof integrationNames)[number], boolean>

const mainFiles = {
  woocommerce: 'woocommerce/woocommerce.php',
  gravity_forms: 'gravityforms/gravityforms.php',
  elementor: 'elementor/elementor.php',
} as const

export async function activeIntegrations(
  cms: CmsOptions,
  options: OptionsStore,
  storages: Storages,
): Promise<Integrations> {
  const [rows, key, storage] = await Promise.all([
    cms.getMany(['active_plugins', 'active_sitewide_plugins']),
    options.get('svc_printful_api_key'),
    storages.active(),
  ])
  const active = new Set([
    // The site's list holds the files as values, the network's as keys.
    ...Object.values(entriesOf(rows.get('active_plugins'))),
    ...Object.keys(entriesOf(rows.get('active_sitewide_plugins'))),
  ])
  return {
    woocommerce: active.has(mainFiles.woocommerce),
    gravity_forms: active.has(mainFiles.gravity_forms),
    elementor: active.has(mainFiles.elementor),
    printful: (key ?? '').trim() !== '',
    s3: storage === 's3',
    dropbox: storage === 'dropbox',
  }
}

function entriesOf(stored: string | undefined): Record<string, unknown> {
  if (!stored) return {}
  try {
    return Object(JSON.parse(phpToJsonText(readPhp(stored))))
  } catch {
    // A list that cannot be read tells nothing; the snapshot goes on without it.
    return {}
  }
}
