// Imports pricing rules and layouts from the options of legacy installations, once; the legacy rows stay where they are.
import type { Kysely } from 'kysely'
import { noteChange } from '../core/change.ts'
import type { Database } from '../db/connect.ts'
import { alone, guard } from '../db/guard.ts'
import { insertedId } from '../db/repository.ts'
import { readFlag } from '../db/stored-json.ts'
import type { Tables } from '../db/tables.ts'
import { layoutOf, recordOf as layoutRecord, shownLayout } from './layouts.ts'
import {
  layoutPrefix,
  type Marker,
  markerKey,
  markerOf,
  nameOf,
  type RuleBase,
  readLegacyRows,
  rulesKey,
  storedMarker,
} from './rows.ts'
import { entriesOf, ruleData, recordOf as ruleRecord } from './rules.ts'

type Options = Map<string, string>

/** Kinds whose legacy rows were not imported, or not completely. */
function pending(options: Options): ('pricing_rules' | 'user_interfaces')[] {
  const marker = markerOf(options.get(markerKey))
  const hasLayouts =
    !marker.user_interfaces && [...options.keys()].some((key) => key.startsWith(layoutPrefix))
  const hasRepaired = marker.unread_layouts?.some((slug) => layoutOf(options.get(layoutPrefix + slug)))
  return [
    ...(options.has(rulesKey) && !marker.pricing_rules ? ['pricing_rules' as const] : []),
    ...(hasLayouts || hasRepaired ? ['user_interfaces' as const] : []),
  ]
}

/**
 * Safe to repeat, even from several processes at once. Names that exist in the table already are not imported again.
 * @returns what was done, or with `dryRun` would be done, as SQL comments
 */
export async function importLegacy(database: Database, dryRun = false): Promise<string[]> {
  const { db, t } = database
  const kinds = pending(await readLegacyRows(t, db))
  if (dryRun || kinds.length === 0) return kinds.map((kind) => `-- import legacy ${t[kind]}`)
  return database.transaction((trx) => alone(database, trx, 'import', () => importAll(database, trx)))
}

async function importAll(database: Database, trx: Kysely<Tables>): Promise<string[]> {
  const { t } = database
  await guard(database, trx, 'pricing_rules')
  await guard(database, trx, 'user_interfaces')
  const options = await readLegacyRows(t, trx)
  const marker = markerOf(options.get(markerKey))
  const open = pending(options)
  const done: string[] = []
  if (open.includes('pricing_rules')) {
    const imported = await importRules(database, trx, options)
    // An unreadable option stays pending, because it may be repaired.
    if (imported) {
      marker.pricing_rules = ruleRecord(options.get(rulesKey) ?? '', imported.generation)
      done.push(`-- imported legacy ${t.pricing_rules}: ${imported.count}`)
    }
  }
  if (open.includes('user_interfaces')) {
    const { slugs, unread } = await importLayouts(database, trx, options, marker.unread_layouts)
    marker.user_interfaces = { ...marker.user_interfaces, ...slugs }
    marker.layouts = { ...marker.layouts, ...layoutRecords(options, [...Object.keys(slugs), ...unread]) }
    marker.shown ??= shownLayout(options)
    if (unread.length > 0) marker.unread_layouts = unread
    else delete marker.unread_layouts
    done.push(`-- imported legacy ${t.user_interfaces}: ${Object.keys(slugs).length}`)
  }
  await writeMarker(database, trx, marker, options.has(markerKey))
  return done
}

async function importRules({ t, encoder }: Database, trx: Kysely<Tables>, options: Options) {
  const entries = entriesOf(options.get(rulesKey) ?? '')
  if (entries === undefined) return undefined
  const idByName = await idsByName(trx, t.pricing_rules)
  const generation: RuleBase[] = []
  let count = 0
  // One by one, so that the ids have the order of the list on every engine.
  for (const { name, tag, content } of entries) {
    const data = encoder.json('pricing_rules', 'data', 'data', ruleData(Reflect.get(content, 'data')))
    const id = idByName.get(name) ?? (await insertRule(name, data))
    if (!idByName.has(name)) count++
    generation.push([id, name, tag])
  }
  return { count, generation }

  async function insertRule(name: string, data: string): Promise<number> {
    const id = await insertedId(trx.insertInto(t.pricing_rules).values({ name, data }))
    noteChange({ resource: 'pricing_rule', action: 'created', id })
    return id
  }
}

/** The marker's records of these layouts. */
const layoutRecords = (options: Options, slugs: string[]) =>
  Object.fromEntries(slugs.map((slug) => [slug, layoutRecord(options.get(layoutPrefix + slug) ?? '', slug)]))

/** @param open slugs of the layouts to import; default all */
async function importLayouts(
  { t, encoder }: Database,
  trx: Kysely<Tables>,
  options: Options,
  open?: string[],
) {
  const idByName = await idsByName(trx, t.user_interfaces)
  const flags = await trx.selectFrom(t.user_interfaces).select('is_default').execute()
  const current = shownLayout(options)
  let hasDefault = flags.some((row) => readFlag(row.is_default))
  const slugs: Record<string, number> = {}
  const unread: string[] = []
  for (const [key, stored] of [...options].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const slug = key.slice(layoutPrefix.length)
    if (!key.startsWith(layoutPrefix) || (open && !open.includes(slug))) continue
    const layout = layoutOf(stored)
    if (!layout) {
      unread.push(slug)
      continue
    }
    const name = nameOf(Reflect.get(layout, 'name'), slug)
    const isDefault = !hasDefault && slug === current
    hasDefault ||= isDefault
    const data = encoder.json('user_interfaces', 'data', 'data', layout)
    slugs[slug] = idByName.get(name) ?? (await insertLayout(name, data, isDefault))
  }
  return { slugs, unread }

  async function insertLayout(name: string, data: string, isDefault: boolean): Promise<number> {
    const values = { name, data, is_default: Number(isDefault) }
    const id = await insertedId(trx.insertInto(t.user_interfaces).values(values))
    noteChange({ resource: 'user_interface', action: 'created', id })
    return id
  }
}

async function idsByName(
  trx: Kysely<Tables>,
  table: 'pricing_rules' | 'user_interfaces',
): Promise<Map<string, number>> {
  const rows = await trx.selectFrom(table).select(['ID', 'name']).execute()
  return new Map(rows.map((row) => [row.name ?? '', row.ID]))
}

async function writeMarker({ t, encoder }: Database, trx: Kysely<Tables>, marker: Marker, exists: boolean) {
  const option_value = storedMarker(encoder, marker)
  await (exists
    ? trx.updateTable(t.options).set({ option_value }).where('option_name', '=', markerKey)
    : trx.insertInto(t.options).values({ option_name: markerKey, option_value, autoload: 'no' })
  ).execute()
}
