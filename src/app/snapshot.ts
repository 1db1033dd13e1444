// What this installation is, holds and has switched on, for the route /system and the status page alike.

import { version } from '../core/version.ts'
import type { Database } from '../db/connect.ts'
import { svcFolders } from '../files/folders.ts'
import { fontFamilies } from '../files/font/families.ts'
import { colorCount, colorLibraryKeys } from '../library/stored-colors.ts'
import { templateCount, templatesKey } from '../library/stored-templates.ts'
import type { AccessControl } from '../settings/access.ts'
import type { CmsOptions } from '../settings/cms.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import { toggleNames } from '../settings/toggles.ts'
import type { LocalStorage } from '../storage/local.ts'
import type { Storages } from '../storage/storages.ts'
import { countsRepository, rowCountNames } from './counts.ts'
import { activeIntegrations } from './integrations.ts'

/** Maximum age of the counts in milliseconds. */
const maxAge = 900

/** Names of all counts. */
export const countNames = () => [...rowCountNames(), 'fonts', 'text_templates', 'colors']

interface Services {
  database: Database
  options: OptionsStore
  cms: CmsOptions
  access: AccessControl
  site: { url: string; restBase: string }
  storage: Pick<LocalStorage, 'list'> | undefined
  storages: Pick<Storages, 'active'>
  groups: ReadonlySet<string>
}

/** @returns reads the snapshot, without the parts that `wants` does not ask for */
export function systemSnapshot({
  database,
  options,
  cms,
  access,
  site,
  storage,
  storages,
  groups,
}: Services) {
  const counts = countsRepository(database)

  /** An unreadable folder counts as empty, because this route must help to find out what is wrong. */
  async function fontCount(): Promise<number> {
    const files = await storage?.list(svcFolders.fonts).catch(() => [])
    return fontFamilies(files ?? []).length
  }

  async function countAll() {
    const [rows, library, fonts] = await Promise.all([
      counts.all(),
      options.getMany([...colorLibraryKeys, templatesKey]),
      fontCount(),
    ])
    return {
      ...rows,
      fonts,
      text_templates: templateCount(library),
      colors: colorCount(library),
    }
  }

  let known: { since: number; counts: ReturnType<typeof countAll> } | undefined
  function recentCounts(): ReturnType<typeof countAll> {
    const now = performance.now()
    if (!known || now - known.since >= maxAge) {
      known = { since: now, counts: countAll() }
      known.counts.catch(() => {
        known = undefined
      })
    }
    return known.counts
  }

  return async (wants: (part: 'integrations' | 'counts') => boolean = () => true) => {
    const [integrations, numbers, state] = await Promise.all([
      wants('integrations') ? activeIntegrations(cms, options, storages) : undefined,
      wants('counts') ? recentCounts() : undefined,
      access.fresh() ?? access.read(),
    ])
    return {
      plugin: 'svc-api',
      version,
      api_namespace: 'svc/v1',
      site_url: site.url,
      rest_base: site.restBase,
      integrations,
      counts: numbers,
      // A group that this app does not serve is off, whatever its toggle says.
      controllers: Object.fromEntries(
        toggleNames().map((name) => [name, groups.has(name) && state.enabled[name]]),
      ),
    }
  }
}
