// Imports pricing rules and layouts from the options of legacy installations, once; the legacy rows stay where they are.
import type { Kysely } from 'kysely'
import { noteChange } from '../core/change.ts'
import { membersOf } from '../core/foreign.ts'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import { exclusively } from '../db/named-lock.ts'
import { insertedId } from '../db/repository.ts'
import { readFlag } from '../db/stored-json.ts'
import type { Tables } from '../db/tables.ts'
import type { WriteTransaction } from '../db/transaction.ts'
import {
  encodeImportRecord,
  type ImportRecord,
  type MirroredRule,
  readImportRecord,
} from './import-record.ts'
import { layoutRecord, parseLayout, shownSlug } from './layout-options.ts'
import {
  importRecordKey,
  layoutPrefix,
  type OptionValues,
  readLegacyRows,
  rulesKey,
  validName,
} from './rows.ts'
import { ruleData, rulesIn, rulesRecord } from './rules.ts'

/** Kinds whose legacy rows were not imported, or not completely. */
function pendingKinds(options: OptionValues): ('pricing_rules' | 'user_interfaces')[] {
  const importRecord = readImportRecord(options.get(importRecordKey))
  const hasLayouts =
    !importRecord.user_interfaces && [...options.keys()].some((key) => key.startsWith(layoutPrefix))
  const hasRepaired = importRecord.unread_layouts?.some((slug) =>
    parseLayout(options.get(layoutPrefix + slug)),
  )
  return [
    ...(options.has(rulesKey) && !importRecord.pricing_rules ? ['pricing_rules' as const] : []),
    ...(hasLayouts || hasRepaired ? ['user_interfaces' as const] : []),
  ]
}

/**
 * Imports what was not imported before. Runs at the start of a server and in `svc-api migrate`; safe to repeat, even from several
 * processes at once. Names that exist in the table already are not imported again.
 * @returns what was done, or with `dryRun` would be done, as SQL comments
 */
export async function importLegacy(database: Database, { dryRun = false } = {}): Promise<string[]> {
  const { db, t } = database
  const kinds = pendingKinds(await readLegacyRows(t, db))
  if (dryRun || kinds.length === 0) return kinds.map((kind) => `-- import legacy ${t[kind]}`)
  return database.transaction((trx) => exclusively(database, trx, 'import', () => importAll(database, trx)))
}

/** Imports the pending kinds and writes the record. The caller holds the lock `import`. @returns as `importLegacy` */
async function importAll(database: Database, trx: WriteTransaction): Promise<string[]> {
  const { t } = database
  await guard(database, trx, 'pricing_rules')
  await guard(database, trx, 'user_interfaces')
  const options = await readLegacyRows(t, trx)
  const importRecord = readImportRecord(options.get(importRecordKey))
  const kinds = pendingKinds(options)
  const done: string[] = []
  if (kinds.includes('pricing_rules')) {
    const imported = await importRules(database, trx, options)
    // An unreadable option stays pending, because it may be repaired.
    if (imported) {
      importRecord.pricing_rules = rulesRecord(options.get(rulesKey) ?? '', imported.list)
      done.push(`-- imported legacy ${t.pricing_rules}: ${imported.count}`)
    }
  }
  if (kinds.includes('user_interfaces')) {
    const { idBySlug, unreadableSlugs } = await importLayouts(
      database,
      trx,
      options,
      importRecord.unread_layouts,
    )
    const slugs = Object.keys(idBySlug)
    importRecord.user_interfaces = { ...importRecord.user_interfaces, ...idBySlug }
    importRecord.layouts = {
      ...importRecord.layouts,
      ...layoutRecords(options, [...slugs, ...unreadableSlugs]),
    }
    importRecord.shown ??= shownSlug(options)
    if (unreadableSlugs.length > 0) importRecord.unread_layouts = unreadableSlugs
    else delete importRecord.unread_layouts
    done.push(`-- imported legacy ${t.user_interfaces}: ${slugs.length}`)
  }
  await writeImportRecord(database, trx, importRecord, options.has(importRecordKey))
  return done
}

/** Inserts the rules whose names no row has. @returns all rules of the option, and how many were inserted; undefined if it cannot be read */
async function importRules({ t, encoder }: Database, trx: WriteTransaction, options: OptionValues) {
  const entries = rulesIn(options.get(rulesKey) ?? '')
  if (entries === undefined) return undefined
  const idByName = await idsByName(trx, t.pricing_rules)
  const list: MirroredRule[] = []
  let count = 0
  // One by one, so that the ids have the order of the list on every engine.
  for (const { name, tag, content } of entries) {
    const data = encoder.json('pricing_rules', 'data', 'data', ruleData(membersOf(content).data))
    const id = idByName.get(name) ?? (await insertRule(name, data))
    if (!idByName.has(name)) count++
    list.push({ id, name, tag })
  }
  return { count, list }

  async function insertRule(name: string, data: string): Promise<number> {
    const id = await insertedId(trx.insertInto(t.pricing_rules).values({ name, data }))
    noteChange(trx, { resource: 'pricing_rule', action: 'created', id })
    return id
  }
}

/** What the import record stores about these layouts. */
const layoutRecords = (options: OptionValues, slugs: string[]) =>
  Object.fromEntries(slugs.map((slug) => [slug, layoutRecord(options.get(layoutPrefix + slug) ?? '', slug)]))

/**
 * Inserts the layouts whose names no row has.
 * @returns the id of each layout by slug, and the slugs of those that cannot be read
 * @param wantedSlugs the layouts to import; default all
 */
async function importLayouts(
  { t, encoder }: Database,
  trx: WriteTransaction,
  options: OptionValues,
  wantedSlugs?: string[],
) {
  const idByName = await idsByName(trx, t.user_interfaces)
  const flags = await trx.selectFrom(t.user_interfaces).select('is_default').execute()
  const shown = shownSlug(options)
  let hasDefault = flags.some((row) => readFlag(row.is_default))
  const idBySlug: Record<string, number> = {}
  const unreadableSlugs: string[] = []
  for (const [key, stored] of [...options].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const slug = key.slice(layoutPrefix.length)
    if (!key.startsWith(layoutPrefix) || (wantedSlugs && !wantedSlugs.includes(slug))) continue
    const layout = parseLayout(stored)
    if (!layout) {
      unreadableSlugs.push(slug)
      continue
    }
    const name = validName(membersOf(layout).name, slug)
    const isDefault = !hasDefault && slug === shown
    hasDefault ||= isDefault
    const data = encoder.json('user_interfaces', 'data', 'data', layout)
    idBySlug[slug] = idByName.get(name) ?? (await insertLayout(name, data, isDefault))
  }
  return { idBySlug, unreadableSlugs }

  async function insertLayout(name: string, data: string, isDefault: boolean): Promise<number> {
    const values = { name, data, is_default: Number(isDefault) }
    const id = await insertedId(trx.insertInto(t.user_interfaces).values(values))
    noteChange(trx, { resource: 'user_interface', action: 'created', id })
    return id
  }
}

/** Ids of the rows by name; of several rows with a name, any. */
async function idsByName(
  trx: Kysely<Tables>,
  table: 'pricing_rules' | 'user_interfaces',
): Promise<Map<string, number>> {
  const rows = await trx.selectFrom(table).select(['ID', 'name']).execute()
  return new Map(rows.map((row) => [row.name ?? '', row.ID]))
}

async function writeImportRecord(
  { t, encoder }: Database,
  trx: Kysely<Tables>,
  importRecord: ImportRecord,
  isStored: boolean,
) {
  const option_value = encodeImportRecord(encoder, importRecord)
  await (isStored
    ? trx.updateTable(t.options).set({ option_value }).where('option_name', '=', importRecordKey)
    : trx.insertInto(t.options).values({ option_name: importRecordKey, option_value, autoload: 'no' })
  ).execute()
}
