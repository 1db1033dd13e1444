// Which CMS plugins are active, by the CMS's lists, and whether the print provider has a key.
import { phpToJsonText, readPhp } from '../db/php-value.ts'
import { fromJson } from '../json/parse.ts'
import type { CmsOptions } from '../settings/cms.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import type { Storages } from '../storage/storages.ts'

export const integrationNames = [
  'woocommerce',
  'gravity_forms',
  'elementor',
  'printful',
  's3',
  'dropbox',
] as const

export async function activeIntegrations(
  cms: CmsOptions,
  options: OptionsStore,
  storages: Pick<Storages, 'active'>,
): Promise<Record<(typeof integrationNames)[number], boolean>> {
  const [rows, key, storage] = await Promise.all([
    cms.getMany(['active_plugins', 'active_sitewide_plugins']),
    options.get('svc_printful_api_key'),
    storages.active(),
  ])
  const active = new Set([
    // The site's list has the files as values, the network's as keys.
    ...Object.values(entriesOf(rows.get('active_plugins'))),
    ...Object.keys(entriesOf(rows.get('active_sitewide_plugins'))),
  ])
  return {
    woocommerce: active.has('woocommerce/woocommerce.php'),
    gravity_forms: active.has('gravityforms/gravityforms.php'),
    elementor: active.has('elementor/elementor.php'),
    printful: (key ?? '').trim() !== '',
    s3: storage === 's3',
    dropbox: storage === 'dropbox',
  }
}

function entriesOf(stored: string | undefined): Record<string, unknown> {
  if (!stored) return {}
  try {
    return Object(fromJson(phpToJsonText(readPhp(stored))))
  } catch {
    // The snapshot does without an unreadable list.
    return {}
  }
}
