// The option rows in which legacy installations keep pricing rules and layouts, and the marker of what was imported.
import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Encoder } from '../db/encoder.ts'
import { PhpFormatError, phpFromJson, writePhp } from '../db/php-value.ts'
import type { ReadOptions } from '../db/repository.ts'
import { stateTag } from '../db/state-tag.ts'
import { readStoredJson } from '../db/stored-json.ts'
import type { PhysicalNames, Tables } from '../db/tables.ts'
import { parseExact } from '../json/exact.ts'
import { fromJson } from '../json/parse.ts'

/** Option with all pricing rules, a list of `{name, data}`. */
export const rulesKey = 'svc_pr_groups'
/** Prefix of the options with one layout each; the rest of the key is its slug. */
export const layoutPrefix = 'svc_ui_layout_'
/** Option with the slug of the layout that the storefront shows. */
export const shownLayoutKey = 'svc_product_designer_ui_layout'
export const markerKey = 'svc_imported'

/** Reads and writes option rows in a transaction of the caller, who announces the keys after its commit. */
export interface OptionRows {
  /** `lock` locks the rows until the transaction ends, if the engine has row locks. */
  getMany(
    keys: readonly string[],
    executor?: Kysely<Tables>,
    options?: ReadOptions,
  ): Promise<Map<string, string>>
  /** Undefined removes a row. */
  put(trx: Kysely<Tables>, values: Record<string, string | undefined>): Promise<void>
  /** Reports the changed keys, after commit. */
  announce(keys: string[]): unknown
}

/** Logs that PHP and the API changed the same entry. */
export type Warn = (details: object, message: string) => void

/** A rule as a mirror wrote it: id of its row, name, and `fingerprint` of its data. */
export type RuleBase = [id: number, name: string, data: string]

/** What was imported, and the state of the legacy rows when we last wrote or read them. */
export interface Marker {
  /** Absent if no rules were imported; true if an earlier version imported them, which kept no record. */
  pricing_rules?: true | { row: string; generations: RuleBase[][] }
  /** Id of the row by slug of the layout; absent if no layouts were imported. */
  user_interfaces?: Record<string, number>
  /** Slugs of unreadable layouts, which are imported as soon as they have been repaired. */
  unread_layouts?: string[]
  /** By slug: the tag of the row, and `fingerprint` of its layout. */
  layouts?: Record<string, { row: string; data: string }>
  /** The slug in `shownLayoutKey`. */
  shown?: string
}

/** A tag of a value. Values that PHP cannot distinguish, such as an empty object and an empty list, have the same. */
export function fingerprint(value: unknown): string {
  const json = JSON.stringify(value ?? null)
  try {
    return stateTag(writePhp(phpFromJson(fromJson(json))))
  } catch (error) {
    if (error instanceof PhpFormatError) return stateTag(json)
    throw error
  }
}

/** A name from PHP or an early version, made valid for our tables. */
export function nameOf(name: unknown, otherwise: string): string {
  const text = typeof name === 'string' ? name.trim() : ''
  return text === '' ? otherwise : [...text].slice(0, 255).join('')
}

/** The value of an option in any of its encodings; undefined if it cannot be read. */
export function parsed(stored: string | undefined, empty: '{}' | '[]'): unknown {
  const text = readStoredJson(stored ?? null, empty)
  return text === undefined ? undefined : parseExact(text)
}

/** Its names must survive in any charset: a changed one would look as if PHP had changed a rule. */
export const storedMarker = (encoder: Encoder, marker: Marker): string =>
  encoder.json('options', 'option_value', markerKey, marker)

export const markerOf = (stored: string | undefined): Marker => Object(parsed(stored, '{}'))

/** The existing rows by key. */
export async function readLegacyRows(
  t: PhysicalNames,
  executor: Kysely<Tables>,
  lock = false,
): Promise<Map<string, string>> {
  const rows = await executor
    .selectFrom(t.options)
    .select(['option_name', 'option_value'])
    .$if(lock, (query) => query.forUpdate())
    .where((eb) =>
      eb.or([
        eb('option_name', 'in', [rulesKey, shownLayoutKey, markerKey]),
        sql<SqlBool>`${sql.ref('option_name')} like ${`${layoutPrefix.replaceAll('_', '!_')}%`} escape '!'`,
      ]),
    )
    .execute()
  return new Map(rows.map((row) => [row.option_name, String(row.option_value ?? '')]))
}
