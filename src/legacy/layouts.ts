// Syncs layouts with the options of legacy installations: merges changes by PHP into the table; layout-mirror.ts mirrors the table to the
// options. The import record connects the option of a slug with the row of its layout (see import-record.ts).
import type { Kysely } from 'kysely'
import { membersOf } from '../core/foreign.ts'
import type { Database } from '../db/connect.ts'
import { insertedId } from '../db/repository.ts'
import { readFlag } from '../db/stored-json.ts'
import type { Tables } from '../db/tables.ts'
import { encodeImportRecord, type ImportRecord, readImportRecord } from './import-record.ts'
import { layoutMirror } from './layout-mirror.ts'
import {
  layoutFingerprint,
  layoutRecord,
  layoutSlugs,
  layoutsChanged,
  parseLayout,
  shownSlug,
} from './layout-options.ts'
import {
  importRecordKey,
  layoutPrefix,
  type OptionRows,
  type OptionValues,
  parseOption,
  readLegacyRows,
  validName,
  type Warn,
} from './rows.ts'

const conflictMessage = 'PHP and the API changed the same layout; the version of PHP is kept.'

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
   * @param recordedFingerprint fingerprint of the layout at the last check: a row with another one was changed by the API
   */
  async function applyLayout(
    trx: Kysely<Tables>,
    slug: string,
    layout: object,
    id: number | undefined,
    recordedFingerprint: string | undefined,
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
    if (current !== recordedFingerprint) warn({ layout: slug, id: row.ID }, conflictMessage)
    await trx.updateTable(table).set({ name, data }).where('ID', '=', row.ID).execute()
    return row.ID
  }

  /** Deletes the row of a layout whose option PHP deleted. */
  async function removeLayout(
    trx: Kysely<Tables>,
    slug: string,
    id: number,
    recordedFingerprint: string,
  ): Promise<void> {
    const [row] = await findRows(trx, 'ID', id)
    if (!row) return
    const current = layoutFingerprint(parseOption(row.data ?? '', '{}'), row.name ?? '')
    if (current !== recordedFingerprint) warn({ layout: slug, id }, conflictMessage)
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
      const earlierRecord = records.get(slug)
      // Imported by an earlier version, which recorded ids alone: the row counts as unchanged.
      const isUnrecorded = !importRecord.layouts && idBySlug.has(slug)
      const layout = parseLayout(stored)
      const record = layoutRecord(stored, slug)
      // An unreadable layout keeps its record, with which it is compared after its repair.
      if (!layout && earlierRecord) record.data = earlierRecord.data
      records.set(slug, record)
      if (!layout || isUnrecorded || earlierRecord?.data === record.data) continue
      idBySlug.set(slug, await applyLayout(trx, slug, layout, idBySlug.get(slug), earlierRecord?.data))
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

    mirror: layoutMirror(encoder, options),
  }
}
