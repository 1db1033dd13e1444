// Syncs layouts with the options of legacy installations: merges changes by PHP into the table, mirrors the table to them.
import type { Kysely } from 'kysely'
import type { Database } from '../db/connect.ts'
import { insertedId } from '../db/repository.ts'
import { stateTag } from '../db/state-tag.ts'
import { readFlag } from '../db/stored-json.ts'
import type { Tables } from '../db/tables.ts'
import {
  fingerprint,
  layoutPrefix,
  type Marker,
  markerKey,
  markerOf,
  nameOf,
  type OptionRows,
  parsed,
  readLegacyRows,
  shownLayoutKey,
  storedMarker,
  type Warn,
} from './rows.ts'

export interface NamedData {
  name: string
  /** As stored in the column. */
  data: string | null
}

type Rows = Map<string, string>

const both = 'PHP and the API changed the same layout; the version of PHP is kept.'

/** The stored layout; undefined if there is none or it cannot be read. */
export function layoutOf(stored: string | undefined): object | undefined {
  const layout = stored === undefined ? undefined : parsed(stored, '{}')
  return typeof layout === 'object' && layout !== null ? layout : undefined
}

export const shownLayout = (rows: Rows) => rows.get(shownLayoutKey) || 'default'

const slugsOf = (rows: Rows) =>
  [...rows.keys()].filter((key) => key.startsWith(layoutPrefix)).map((key) => key.slice(layoutPrefix.length))

const named = (layout: unknown, name: string) => fingerprint({ ...Object(layout), name })

/** The marker's record of a layout. */
export const recordOf = (stored: string, slug: string) => {
  const layout = layoutOf(stored)
  return {
    row: stateTag(stored),
    data: layout ? named(layout, nameOf(Reflect.get(layout, 'name'), slug)) : '',
  }
}

/** Whether PHP has changed layouts, or which one is shown, since the last check. */
export function layoutsChanged(rows: Rows): boolean {
  const marker = markerOf(rows.get(markerKey))
  const slugs = slugsOf(rows)
  if (!marker.user_interfaces || slugs.length === 0) return false
  if (!marker.layouts || marker.shown !== shownLayout(rows)) return true
  const { layouts } = marker
  const known = Object.keys(layouts)
  return (
    slugs.some((slug) => layouts[slug]?.row !== stateTag(rows.get(layoutPrefix + slug))) ||
    known.some((slug) => !slugs.includes(slug))
  )
}

/** Use it in a transaction under the guard of the table. */
export function legacyLayouts({ t, dialect, encoder }: Database, options: OptionRows, warn: Warn) {
  const table = t.user_interfaces
  const isMirrored = (rows: Rows) =>
    slugsOf(rows).length > 0 && markerOf(rows.get(markerKey)).user_interfaces !== undefined

  const findRow = (trx: Kysely<Tables>, column: 'ID' | 'name', value: number | string) =>
    trx.selectFrom(table).select(['ID', 'name', 'data', 'is_default']).where(column, '=', value).execute()

  /** Writes a layout from PHP to its row or to a new one; returns the id. */
  async function take(
    trx: Kysely<Tables>,
    slug: string,
    layout: object,
    id: number | undefined,
    base: string | undefined,
  ): Promise<number> {
    const name = nameOf(Reflect.get(layout, 'name'), slug)
    const rows = await (id === undefined ? findRow(trx, 'name', name) : findRow(trx, 'ID', id))
    const row = rows.find((row) => id !== undefined || row.name === name)
    const data = encoder.json('user_interfaces', 'data', 'data', layout)
    if (!row) {
      if (id !== undefined) warn({ layout: slug }, both)
      return insertedId(trx.insertInto(table).values({ name, data, is_default: 0 }))
    }
    const now = named(parsed(row.data ?? '', '{}'), row.name ?? '')
    if (now === named(layout, name)) return row.ID
    if (now !== base) warn({ layout: slug, id: row.ID }, both)
    await trx.updateTable(table).set({ name, data }).where('ID', '=', row.ID).execute()
    return row.ID
  }

  /** Deletes the row of a layout whose option PHP deleted. */
  async function drop(trx: Kysely<Tables>, slug: string, id: number, base: string): Promise<void> {
    const [row] = await findRow(trx, 'ID', id)
    if (!row) return
    if (named(parsed(row.data ?? '', '{}'), row.name ?? '') !== base) warn({ layout: slug, id }, both)
    await trx.deleteFrom(table).where('ID', '=', id).execute()
  }

  async function merge(trx: Kysely<Tables>, rows: Rows, marker: Marker): Promise<Marker> {
    const slugs = slugsOf(rows)
    const owners = new Map(Object.entries(marker.user_interfaces ?? {}))
    const records = new Map(Object.entries(marker.layouts ?? {}))
    for (const slug of slugs.sort()) {
      const stored = rows.get(layoutPrefix + slug) ?? ''
      const before = records.get(slug)
      const isAdopted = !marker.layouts && owners.has(slug)
      const layout = layoutOf(stored)
      const record = recordOf(stored, slug)
      // An unreadable layout keeps its record, with which it is compared after its repair.
      if (!layout && before) record.data = before.data
      records.set(slug, record)
      if (!layout || isAdopted || before?.data === record.data) continue
      owners.set(slug, await take(trx, slug, layout, owners.get(slug), before?.data))
    }
    for (const [slug, { data }] of [...records].filter(([slug]) => !slugs.includes(slug))) {
      const id = owners.get(slug)
      if (id !== undefined) await drop(trx, slug, id, data)
      owners.delete(slug)
      records.delete(slug)
    }
    const current = shownLayout(rows)
    const id = owners.get(current)
    const flags = await trx.selectFrom(table).select(['ID', 'is_default']).execute()
    const isUnmarked = !flags.some(({ is_default }) => readFlag(is_default))
    const moved = marker.shown !== undefined && marker.shown !== current
    if ((moved || isUnmarked) && flags.some(({ ID }) => ID === id) && id !== undefined) {
      await trx.updateTable(table).set({ is_default: 0 }).where('ID', '<>', id).execute()
      await trx.updateTable(table).set({ is_default: 1 }).where('ID', '=', id).execute()
    }
    const unread = (marker.unread_layouts ?? []).filter((slug) => !owners.has(slug))
    return {
      ...marker,
      user_interfaces: Object.fromEntries(owners),
      layouts: Object.fromEntries(records),
      shown: current,
      ...(marker.unread_layouts ? { unread_layouts: unread } : {}),
    }
  }

  return {
    /**
     * Merges what PHP changed since the last check.
     * @returns the rows for `write`; undefined if nothing was imported or the legacy rows are gone
     */
    async enter(trx: Kysely<Tables>): Promise<Rows | undefined> {
      // Without rows a locking read would prevent others from adding some.
      if (!isMirrored(await readLegacyRows(t, trx))) return undefined
      const rows = await readLegacyRows(t, trx, dialect.locksRows)
      if (!isMirrored(rows)) return undefined
      if (layoutsChanged(rows)) {
        const text = storedMarker(encoder, await merge(trx, rows, markerOf(rows.get(markerKey))))
        await options.put(trx, { [markerKey]: text })
        rows.set(markerKey, text)
      }
      return rows
    },

    /** Id of the row imported from the legacy layout with this slug. */
    ownerOf(rows: Rows, slug: string): number | undefined {
      const { user_interfaces: slugs } = markerOf(rows.get(markerKey))
      return slugs && Object.hasOwn(slugs, slug) ? slugs[slug] : undefined
    },

    /** Mirrors a changed layout, or undefined for a deleted one, and whether it is the default; returns the written keys. */
    async write(
      trx: Kysely<Tables>,
      rows: Rows,
      id: number,
      layout: NamedData | undefined,
      isDefault: boolean,
    ): Promise<string[]> {
      const marker = markerOf(rows.get(markerKey))
      const owners = new Map(Object.entries(marker.user_interfaces ?? {}))
      const records = new Map(Object.entries(marker.layouts ?? {}))
      const known = [...owners].find(([, owner]) => owner === id)?.[0]
      if (!layout && known === undefined) return []
      const slug = known ?? freeSlug(layout?.name ?? '', new Set([...owners.keys(), ...slugsOf(rows)]))
      const key = layoutPrefix + slug
      const values: Record<string, string | undefined> = {}
      if (layout) owners.set(slug, id)
      else {
        owners.delete(slug)
        records.delete(slug)
        values[key] = undefined
      }
      const data = layout && parsed(layout.data ?? '', '{}')
      // Unreadable data, here or there, is left as it is.
      if (layout && data !== undefined && parsed(rows.get(key), '{}') !== undefined) {
        const text = encoder.json('options', 'option_value', 'data', { ...Object(data), name: layout.name })
        values[key] = text
        records.set(slug, recordOf(text, slug))
      }
      if (isDefault) values[shownLayoutKey] = slug
      const next: Marker = {
        ...marker,
        user_interfaces: Object.fromEntries(owners),
        layouts: Object.fromEntries(records),
        ...(isDefault ? { shown: slug } : {}),
      }
      values[markerKey] = storedMarker(encoder, next)
      await options.put(trx, values)
      for (const [name, value] of Object.entries(values)) {
        if (value === undefined) rows.delete(name)
        else rows.set(name, value)
      }
      return Object.keys(values)
    },
  }
}

const maxSlug = 100

/** A slug from a name as the CMS makes it, with a number appended if it is taken. */
function freeSlug(name: string, taken: Set<string>): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
  const slug =
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, maxSlug)
      .replace(/^-|-$/g, '') || 'layout'
  if (!taken.has(slug)) return slug
  for (let number = 2; ; number++) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`
}
