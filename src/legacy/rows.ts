// Where legacy installations keep pricing rules and layouts, and the marker of what was imported from there.
import { type Kysely, type SqlBool, sql } from 'kysely'
import { readStoredJson } from '../db/stored-json.ts'
import type { PhysicalNames, Tables } from '../db/tables.ts'
import { parseExact } from '../json.ts'

/** Option with all pricing rules, a list of `{name, data}`. */
export const rulesKey = 'svc_pr_groups'
/** Options with one layout each; the rest of the key is the layout's slug. */
export const layoutPrefix = 'svc_ui_layout_'
/** Option with the slug of the layout that the storefront shows. */
export const shownLayoutKey = 'svc_product_designer_ui_layout'
export const markerKey = 'svc_imported'

/** Reads and writes option rows inside a transaction of the caller's, which announces the keys after its commit. */
export interface OptionRows {
  getMany(keys: readonly string[], executor?: Kysely<Tables>): Promise<Map<string, string>>
  /** Undefined removes a row. */
  put(trx: Kysely<Tables>, values: Record<string, string | undefined>): Promise<void>
}

/** What was taken over; a kind that is absent never was. */
export interface Marker {
  pricing_rules?: true
  /** Slug of each layout to the id of its row. */
  user_interfaces?: Record<string, number>
  /** Slugs of layouts that could not be read; they are taken over once somebody has repaired them. */
  unread_layouts?: string[]
}

/** The value of an option in any of its encodings; undefined where it cannot be read. */
export function parsed(stored: string | undefined, empty: '{}' | '[]'): unknown {
  const text = readStoredJson(stored ?? null, empty)
  return text === undefined ? undefined : parseExact(text)
}

export const markerOf = (stored: string | undefined): Marker => Object(parsed(stored, '{}'))

/** All of these options by key, or with `withValues` false their names alone; absent rows are absent. */
export async function readLegacyRows(
  t: PhysicalNames,
  executor: Kysely<Tables>,
  withValues = true,
): Promise<Map<string, string>> {
  const rows = await executor
    .selectFrom(t.options)
    .select('option_name')
    .$if(withValues, (query) => query.select('option_value'))
    .where((eb) =>
      eb.or([
        eb('option_name', 'in', [rulesKey, shownLayoutKey, markerKey]),
        sql<SqlBool>`${sql.ref('option_name')} like ${`${layoutPrefix.replaceAll('_', '!_')}%`} escape '!'`,
      ]),
    )
    .execute()
  return new Map(rows.map((row) => [row.option_name, String(row.option_value ?? '')]))
}
