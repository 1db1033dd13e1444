// The snapshot of an installation (version, counts, features that are switched on) for GET /system, `svc-api doctor` and the status page.

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

/** The tables that are counted, with the names of their counts. Groups declare tables by their names, which are those of `TableName`. */
const countedTables = groups.flatMap(({ counts = {} }) => Object.entries(counts) as [string, TableName][])

/** Names of all counts. */
export const countNames = [
  'products',
  'templates',
  ...countedTables.map(([name]) => name),
  'designs',
  'fonts',
  'text_templates',
  'colors',
]

/** A function that counts the resources that are rows, or parts of rows. */
export function rowCounts(database: Database): () => Promise<Record<string, number>> {
  const { db, t } = database
  const designs = designCounts(database)

  const count = (table: TableName) => countOf(db.selectFrom(t[table]))
  const templates = () => countOf(db.selectFrom(t.products).where('type', '=', 'template'))

  // A statement for each table, so that they run at the same time: a large table takes as long as all others together.
  async function countTables(): Promise<Record<string, number>> {
    const [productsAndTemplates, templateCount, ...numbers] = await Promise.all([
      count('products'),
      templates(),
      ...countedTables.map(([, table]) => count(table)),
    ])
    const byName = Object.fromEntries(countedTables.map(([name], i) => [name, numbers[i] ?? 0]))
    // Templates are rows of the table of products.
    return { ...byName, templates: templateCount, products: productsAndTemplates - templateCount }
  }

  return async () => {
    const [numbers, designsByCategory] = await Promise.all([countTables(), designs()])
    // A list of designs that cannot be read counts as empty.
    const designCount = [...designsByCategory.values()].reduce<number>((sum, count) => sum + (count ?? 0), 0)
    return { ...numbers, designs: designCount }
  }
}

/** The parts of the snapshot that take time. */
type Part = 'integrations' | 'counts' | 'auto_print' | 'deliveries'

/** A function that reads the snapshot. Parts for which `wants` is false are undefined. */
export function systemSnapshot(context: SvcContext) {
  const { deliveries, database, options, cms, access, site, storage, storages, autoPrint } = context
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

  const cachedCounts = totals<Awaited<ReturnType<typeof countAll>>>()

  return async (wants: (part: Part) => boolean = () => true) => {
    const [integrations, counts, autoPrintState, deliveryCounts, { enabled }] = await Promise.all([
      wants('integrations') ? activeIntegrations(database, cms, options, storages) : undefined,
      wants('counts') ? cachedCounts.get('all', countAll) : undefined,
      wants('auto_print') ? autoPrint.state() : undefined,
      wants('deliveries') ? deliveries?.counts() : undefined,
      // Without a wait if the toggles were read just now (cached-query.ts).
      access.fresh() ?? access.read(),
    ])
    return {
      plugin: 'svc-api',
      version,
      api_namespace: 'svc/v1',
      site_url: site.url,
      rest_base: site.restBase,
      integrations,
      counts,
      auto_print: autoPrintState,
      ...(deliveryCounts && { deliveries: deliveryCounts }),
      // A group that this app does not serve is off, whatever its toggle says.
      controllers: Object.fromEntries(
        toggleNames.map((name) => [name, context.groups.has(name) && enabled[name]]),
      ),
    }
  }
}
