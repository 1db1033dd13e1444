// The option rows in which legacy installations store pricing rules and layouts.
import { type Kysely, type SqlBool, sql } from 'kysely'
import type { ReadOptions } from '../db/repository.ts'
import { readStoredJson } from '../db/stored-json.ts'
import type { PhysicalNames, Tables } from '../db/tables.ts'
import { parseExact } from '../json/parse.ts'

/** Option with all pricing rules, a list of `{name, data}`. */
export const rulesKey = 'svc_pr_groups'
/** Prefix of the options with one layout each; the rest of the key is its slug. */
export const layoutPrefix = 'svc_ui_layout_'
/** Option with the slug of the layout that the storefront shows. */
export const shownLayoutKey = 'svc_product_designer_ui_layout'
/** Option of this API with what was imported: see import-record.ts. */
export const importRecordKey = 'svc_imported'

/** Values of options by key. */
export type OptionValues = Map<string, string>

/** Reads and writes option rows in a transaction of the caller, who announces the keys after its commit. */
export interface OptionRows {
  /** `lock` locks the rows until the transaction ends, if the engine has row locks. */
  getMany(
    keys: readonly string[],
    executor?: Kysely<Tables>,
    options?: ReadOptions,
  ): Promise<Map<string, string>>
  /** Writes rows by key; undefined removes a row. */
  put(trx: Kysely<Tables>, values: Record<string, string | undefined>): Promise<void>
  /** Reports the changed keys, after commit. */
  announce(keys: string[]): unknown
}

/** Logs a warning: that PHP and the API changed the same entry, or that the rows of PHP could not be read. */
export type Warn = (details: object, message: string) => void

/** A name from PHP or an early version, trimmed and cut to the 255 characters of our columns; `fallback` if it is empty. */
export function validName(name: unknown, fallback: string): string {
  const text = typeof name === 'string' ? name.trim() : ''
  return text === '' ? fallback : [...text].slice(0, 255).join('')
}

/** The value of an option in any of its encodings, `empty` for an empty one; undefined if it cannot be read. */
export function parseOption(stored: string | undefined, empty: '{}' | '[]'): unknown {
  const text = readStoredJson(stored ?? null, empty)
  return text === undefined ? undefined : parseExact(text)
}

/** Reads the legacy rows and the import record; `lock` locks them until the transaction ends. */
export async function readLegacyRows(
  t: PhysicalNames,
  executor: Kysely<Tables>,
  { lock = false }: ReadOptions = {},
): Promise<OptionValues> {
  const rows = await executor
    .selectFrom(t.options)
    .select(['option_name', 'option_value'])
    .$if(lock, (query) => query.forUpdate())
    .where((eb) =>
      eb.or([
        eb('option_name', 'in', [rulesKey, shownLayoutKey, importRecordKey]),
        sql<SqlBool>`${sql.ref('option_name')} like ${`${layoutPrefix.replaceAll('_', '!_')}%`} escape '!'`,
      ]),
    )
    .execute()
  return new Map(rows.map((row) => [row.option_name, String(row.option_value ?? '')]))
}
