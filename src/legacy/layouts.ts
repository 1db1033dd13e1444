// Syncs layouts with the options of legacy installations: merges changes by PHP into the table, mirrors the table to them. The import
// record connects the option of a slug with the row of its layout (see import-record.ts).
import type { Kysely } from 'kysely'
import { membersOf } from '../core/foreign.ts'
import type { Database } from '../db/connect.ts'
import { insertedId } from '../db/repository.ts'
import { stateTag } from '../db/state-tag.ts'
import { readFlag } from '../db/stored-json.ts'
import type { Tables } from '../db/tables.ts'
import { encodeImportRecord, fingerprint, type ImportRecord, readImportRecord } from './import-record.ts'
import {
  importRecordKey,
  layoutPrefix,
  type OptionRows,
  type OptionValues,
  parseOption,
  readLegacyRows,
  shownLayoutKey,
  validName,
  type Warn,
} from './rows.ts'

/** A layout of the table. */
export interface NamedData {
  name: string
  /** As stored in the column. */
  data: string | null
}

const conflictMessage = 'PHP and the API changed the same layout; the version of PHP is kept.'

/** The stored layout; undefined if there is none or it cannot be read. */
export function parseLayout(stored: string | undefined): object | undefined {
  const layout = stored === undefined ? undefined : parseOption(stored, '{}')
  return typeof layout === 'object' && layout !== null ? layout : undefined
}

/** The slug of the layout that the storefront shows. */
export const shownSlug = (rows: OptionValues) => rows.get(shownLayoutKey) || 'default'

const layoutSlugs = (rows: OptionValues) =>
  [...rows.keys()].filter((key) => key.startsWith(layoutPrefix)).map((key) => key.slice(layoutPrefix.length))

/** The fingerprint of a layout with the name of its row, because PHP stores the name within the layout. */
const layoutFingerprint = (layout: unknown, name: string) => fingerprint({ ...Object(layout), name })

/** What the import record stores about the option with this layout. */
export const layoutRecord = (stored: string, slug: string) => {
  const layout = parseLayout(stored)
  return {
    row: stateTag(stored),
    data: layout ? layoutFingerprint(layout, validName(membersOf(layout).name, slug)) : '',
  }
}

/** Whether PHP has changed layouts, or which one is shown, since the last check. */
export function layoutsChanged(rows: OptionValues): boolean {
  const { layouts, user_interfaces: idBySlug, shown } = readImportRecord(rows.get(importRecordKey))
  const slugs = layoutSlugs(rows)
  if (!idBySlug || slugs.length === 0) return false
  if (!layouts || shown !== shownSlug(rows)) return true
  return (
    slugs.some((slug) => layouts[slug]?.row !== stateTag(rows.get(layoutPrefix + slug))) ||
    Object.keys(layouts).some((slug) => !slugs.includes(slug))
  )
}

/** Synchronizes the layouts of one database. Call its functions in a transaction under the guard of the table. */
export function legacyLayouts({ t, dialect, encoder }: Database, options: OptionRows, warn: Warn) {
  const table = t.user_interfaces
  const isMirrored = (rows: OptionValues) =>
    layoutSlugs(rows).length > 0 && readImportRecord(rows.get(importRecordKey)).user_interfaces !== undefined

  const findRows = (trx: Kysely<Tables>, column: 'ID' | 'name', value: number | string) =>
    trx.selectFrom(table).select(['ID', 'name', 'data', 'is_default']).where(column, '=', value).execute()

  /**
   * Writes a layout from PHP to its row or to a new one; returns the id.
   * @param id the row that was imported from this slug, if there is one
   * @param recorded fingerprint of the layout at the last check: a row with another one was changed by the API
   */
  async function applyLayout(
    trx: Kysely<Tables>,
    slug: string,
    layout: object,
    id: number | undefined,
    recorded: string | undefined,
  ): Promise<number> {
    const name = validName(membersOf(layout).name, slug)
    const rows = await (id === undefined ? findRows(trx, 'name', name) : findRows(trx, 'ID', id))
    const row = rows.find((row) => id !== undefined || row.name === name)
    const data = encoder.json('user_interfaces', 'data', 'data', layout)
    if (!row) {
      if (id !== undefined) warn({ layout: slug }, conflictMessage)
      return insertedId(trx.insertInto(table).values({ name, data, is_default: 0 }))
    }
    const current = layoutFingerprint(parseOption(row.data ?? '', '{}'), row.name ?? '')
    if (current === layoutFingerprint(layout, name)) return row.ID
    if (current !== recorded) warn({ layout: slug, id: row.ID }, conflictMessage)
    await trx.updateTable(table).set({ name, data }).where('ID', '=', row.ID).execute()
    return row.ID
  }

  /** Deletes the row of a layout whose option PHP deleted. */
  async function removeLayout(
    trx: Kysely<Tables>,
    slug: string,
    id: number,
    recorded: string,
  ): Promise<void> {
    const [row] = await findRows(trx, 'ID', id)
    if (!row) return
    const current = layoutFingerprint(parseOption(row.data ?? '', '{}'), row.name ?? '')
    if (current !== recorded) warn({ layout: slug, id }, conflictMessage)
    await trx.deleteFrom(table).where('ID', '=', id).execute()
  }

  /** Flags this row, of the layout that PHP shows, as the default, if `isChosen` (PHP has chosen another one) or no row is flagged. */
  async function setDefault(
    trx: Kysely<Tables>,
    id: number | undefined,
    { isChosen }: { isChosen: boolean },
  ): Promise<void> {
    const rows = await trx.selectFrom(table).select(['ID', 'is_default']).execute()
    const hasDefault = rows.some(({ is_default }) => readFlag(is_default))
    if ((hasDefault && !isChosen) || id === undefined || !rows.some(({ ID }) => ID === id)) return
    await trx.updateTable(table).set({ is_default: 0 }).where('ID', '<>', id).execute()
    await trx.updateTable(table).set({ is_default: 1 }).where('ID', '=', id).execute()
  }

  /** Merges what PHP changed into the table; returns the new record. */
  async function merge(
    trx: Kysely<Tables>,
    rows: OptionValues,
    importRecord: ImportRecord,
  ): Promise<ImportRecord> {
    const slugs = layoutSlugs(rows)
    const idBySlug = new Map(Object.entries(importRecord.user_interfaces ?? {}))
    const records = new Map(Object.entries(importRecord.layouts ?? {}))
    for (const slug of slugs.sort()) {
      const stored = rows.get(layoutPrefix + slug) ?? ''
      const before = records.get(slug)
      // Imported by an earlier version, which recorded ids alone: the row counts as unchanged.
      const isUnrecorded = !importRecord.layouts && idBySlug.has(slug)
      const layout = parseLayout(stored)
      const record = layoutRecord(stored, slug)
      // An unreadable layout keeps its record, with which it is compared after its repair.
      if (!layout && before) record.data = before.data
      records.set(slug, record)
      if (!layout || isUnrecorded || before?.data === record.data) continue
      idBySlug.set(slug, await applyLayout(trx, slug, layout, idBySlug.get(slug), before?.data))
    }
    for (const [slug, { data }] of [...records].filter(([slug]) => !slugs.includes(slug))) {
      const id = idBySlug.get(slug)
      if (id !== undefined) await removeLayout(trx, slug, id, data)
      idBySlug.delete(slug)
      records.delete(slug)
    }
    const shown = shownSlug(rows)
    const isChosen = importRecord.shown !== undefined && importRecord.shown !== shown
    await setDefault(trx, idBySlug.get(shown), { isChosen })
    const stillUnread = (importRecord.unread_layouts ?? []).filter((slug) => !idBySlug.has(slug))
    return {
      ...importRecord,
      user_interfaces: Object.fromEntries(idBySlug),
      layouts: Object.fromEntries(records),
      shown,
      ...(importRecord.unread_layouts ? { unread_layouts: stillUnread } : {}),
    }
  }

  return {
    /**
     * Merges what PHP changed since the last check.
     * @returns the option values that `mirror` needs; undefined if nothing was imported or the legacy rows are gone
     */
    async mergeChanges(trx: Kysely<Tables>): Promise<OptionValues | undefined> {
      // A locking read that finds no rows would lock the gap, and other processes could not insert them.
      if (!isMirrored(await readLegacyRows(t, trx))) return undefined
      const rows = await readLegacyRows(t, trx, { lock: dialect.locksRows })
      if (!isMirrored(rows)) return undefined
      if (layoutsChanged(rows)) {
        const text = encodeImportRecord(
          encoder,
          await merge(trx, rows, readImportRecord(rows.get(importRecordKey))),
        )
        await options.put(trx, { [importRecordKey]: text })
        rows.set(importRecordKey, text)
      }
      return rows
    },

    /** Id of the row of the layout with this slug, for the settings that name layouts by slugs; undefined if it was not imported. */
    importedId(rows: OptionValues, slug: string): number | undefined {
      const { user_interfaces: slugs } = readImportRecord(rows.get(importRecordKey))
      return slugs && Object.hasOwn(slugs, slug) ? slugs[slug] : undefined
    },

    /**
     * Mirrors a changed or deleted layout into its option.
     * @param rows those from `mergeChanges`, which are updated
     * @param layout undefined if it was deleted
     * @returns the written keys
     */
    async mirror(
      trx: Kysely<Tables>,
      rows: OptionValues,
      id: number,
      layout: NamedData | undefined,
      { isDefault }: { isDefault: boolean },
    ): Promise<string[]> {
      const importRecord = readImportRecord(rows.get(importRecordKey))
      const idBySlug = new Map(Object.entries(importRecord.user_interfaces ?? {}))
      const records = new Map(Object.entries(importRecord.layouts ?? {}))
      const importedSlug = [...idBySlug].find(([, imported]) => imported === id)?.[0]
      if (!layout && importedSlug === undefined) return []
      const slug =
        importedSlug ?? freeSlug(layout?.name ?? '', new Set([...idBySlug.keys(), ...layoutSlugs(rows)]))
      const key = layoutPrefix + slug
      /** What to write by key; undefined removes the option. */
      const values: Record<string, string | undefined> = {}
      if (layout) idBySlug.set(slug, id)
      else {
        idBySlug.delete(slug)
        records.delete(slug)
        values[key] = undefined
      }
      const data = layout && parseOption(layout.data ?? '', '{}')
      // If the data of the row or of the option cannot be read, the option stays as it is. A new layout has no option yet.
      const isOptionReadable = !rows.has(key) || parseOption(rows.get(key), '{}') !== undefined
      if (layout && data !== undefined && isOptionReadable) {
        const text = encoder.json('options', 'option_value', 'data', { ...Object(data), name: layout.name })
        values[key] = text
        records.set(slug, layoutRecord(text, slug))
      }
      if (isDefault) values[shownLayoutKey] = slug
      const next: ImportRecord = {
        ...importRecord,
        user_interfaces: Object.fromEntries(idBySlug),
        layouts: Object.fromEntries(records),
        ...(isDefault ? { shown: slug } : {}),
      }
      values[importRecordKey] = encodeImportRecord(encoder, next)
      await options.put(trx, values)
      for (const [name, value] of Object.entries(values)) {
        if (value === undefined) rows.delete(name)
        else rows.set(name, value)
      }
      return Object.keys(values)
    },
  }
}

/** Characters of a slug, without the number. */
const maxSlug = 100

/** A slug from a name as the CMS makes it, with a number appended if it is taken. */
function freeSlug(name: string, taken: Set<string>): string {
  const withoutAccents = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
  const slug =
    withoutAccents
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, maxSlug)
      .replace(/^-|-$/g, '') || 'layout'
  if (!taken.has(slug)) return slug
  for (let number = 2; ; number++) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`
}
