// Where legacy installations keep pricing rules and layouts, and the marker of what was imported from there.
import { type Kysely, type SqlBool, sql } from 'kysely'
import { PhpFormatError, phpFromJson, writePhp } from '../db/php-value.ts'
import { stateTag } from '../db/state-tag.ts'
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
  /** With `lock` nobody else writes the rows until the transaction ends, where the engine has such locks. */
  getMany(keys: readonly string[], executor?: Kysely<Tables>, lock?: boolean): Promise<Map<string, string>>
  /** Undefined removes a row. */
  put(trx: Kysely<Tables>, values: Record<string, string | undefined>): Promise<void>
  /** Tells which rows changed, after commit. */
  announce(keys: string[]): unknown
}

/** Tells the operator that PHP and the API changed the same thing. */
export type Warn = (details: object, message: string) => void

/** An entry of the rules as one mirror left it: id of its row, name, and `fingerprint` of its data. */
export type RuleBase = [id: number, name: string, data: string]

/** What was imported, and what the legacy rows looked like when we last wrote or read them. */
export interface Marker {
  /** Absent where no rules were imported; true where an earlier version did, which kept no record. */
  pricing_rules?: true | { row: string; generations: RuleBase[][] }
  /** Slug of each layout to the id of its row; absent where no layouts were imported. */
  user_interfaces?: Record<string, number>
  /** Slugs of layouts that could not be read; they are imported once somebody has repaired them. */
  unread_layouts?: string[]
  /** By slug: a tag of the row's text, and `fingerprint` of what it held. */
  layouts?: Record<string, { row: string; data: string }>
  /** The slug in `shownLayoutKey`. */
  shown?: string
}

/** A tag that two values share when PHP could not tell them apart: it does not know an empty object from an empty list. */
export function fingerprint(value: unknown): string {
  const json = JSON.stringify(value ?? null)
  try {
    return stateTag(writePhp(phpFromJson(JSON.parse(json))))
  } catch (error) {
    if (error instanceof PhpFormatError) return stateTag(json)
    throw error
  }
}

/** Whatever PHP or an early version left as a name, as one that our tables hold. */
export function nameOf(name: unknown, otherwise: string): string {
  const text = typeof name === 'string' ? name.trim() : ''
  return text === '' ? otherwise : [...text].slice(0, 255).join('')
}

/** The value of an option in any of its encodings; undefined where it cannot be read. */
export function parsed(stored: string | undefined, empty: '{}' | '[]'): unknown {
  const text = readStoredJson(stored ?? null, empty)
  return text === undefined ? undefined : parseExact(text)
}

export const markerOf = (stored: string | undefined): Marker => Object(parsed(stored, '{}'))

/** All of these options by key; absent rows are absent. */
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
