// The version, counts and switched-on features of this installation, for the route /system and the status page.

import { groups } from '../core/groups.ts'
import { version } from '../core/version.ts'
import type { Database } from '../db/connect.ts'
import { countOf } from '../db/repository.ts'
import type { TableName } from '../db/tables.ts'
import { totals } from '../db/totals.ts'
import { svcFolders } from '../files/folders.ts'
import { fontFamilies } from '../files/font/families.ts'
import { designCounts } from '../library/design-counts.ts'
import { colorCount, colorLibraryKeys } from '../library/stored-colors.ts'
import { templatesKey, templateCount as textTemplateCount } from '../library/stored-templates.ts'
import { toggleNames } from '../settings/toggles.ts'
import type { SvcContext } from './context.ts'
import { activeIntegrations } from './integrations.ts'

/** Tables that are counted as a whole, by the names of their counts. */
const counted = () => groups.flatMap(({ counts = {} }) => Object.entries(counts) as [string, TableName][])

/** Names of all counts. Templates are no products, and designs are part of their category's row. */
export const countNames = () => [
  'products',
  'templates',
  ...counted().map(([name]) => name),
  'designs',
  'fonts',
  'text_templates',
  'colors',
]

/** @returns counts the resources that are rows, or parts of rows */
export function rowCounts(database: Database): () => Promise<Record<string, number>> {
  const { db, t } = database
  const designs = designCounts(database)

  const count = (table: TableName) => countOf(db.selectFrom(t[table]))
  const templates = () => countOf(db.selectFrom(t.products).where('type', '=', 'template'))

  // A statement for each, because a large table takes as long as all others together.
  async function tables(): Promise<Record<string, number>> {
    const [all, templateCount, ...numbers] = await Promise.all([
      count('products'),
      templates(),
      ...counted().map(([, table]) => count(table)),
    ])
    const named = Object.fromEntries(counted().map(([name], i) => [name, numbers[i] ?? 0]))
    return { ...named, templates: templateCount, products: all - templateCount }
  }

  return async () => {
    const [numbers, designsOf] = await Promise.all([tables(), designs()])
    let sum = 0
    // An unreadable list counts as empty.
    for (const count of designsOf.values()) sum += count ?? 0
    return { ...numbers, designs: sum }
  }
}

/** @returns reads the snapshot, without the parts that `wants` does not ask for */
export function systemSnapshot(context: SvcContext) {
  const { deliveries, database, options, cms, access, site, storage, storages, groups, autoPrint } = context
  const countRows = rowCounts(database)

  async function countAll() {
    const [rows, library, fonts] = await Promise.all([
      countRows(),
      options.getMany([...colorLibraryKeys, templatesKey]),
      // An unreadable folder counts as empty, because this route must help to find out what is wrong.
      storage?.list(svcFolders.fonts).catch(() => []),
    ])
    return {
      ...rows,
      fonts: fontFamilies(fonts ?? []).length,
      text_templates: textTemplateCount(library),
      colors: colorCount(library),
    }
  }

  const recent = totals<Awaited<ReturnType<typeof countAll>>>()

  return async (
    wants: (part: 'integrations' | 'counts' | 'auto_print' | 'deliveries') => boolean = () => true,
  ) => {
    const [integrations, numbers, printing, delivered, state] = await Promise.all([
      wants('integrations') ? activeIntegrations(database, cms, options, storages) : undefined,
      wants('counts') ? recent.get('all', countAll) : undefined,
      wants('auto_print') ? autoPrint.state() : undefined,
      wants('deliveries') ? deliveries?.counts() : undefined,
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
      auto_print: printing,
      ...(delivered && { deliveries: delivered }),
      // A group that this app does not serve is off, whatever its toggle says.
      controllers: Object.fromEntries(
        toggleNames.map((name) => [name, groups.has(name) && state.enabled[name]]),
      ),
    }
  }
}
