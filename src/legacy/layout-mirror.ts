// Mirrors layouts of the table into the options of legacy installations, for PHP.
import type { Kysely } from 'kysely'
import type { Encoder } from '../db/encoder.ts'
import type { Tables } from '../db/tables.ts'
import { encodeImportRecord, readImportRecord } from './import-record.ts'
import { layoutRecord, layoutSlugs } from './layout-options.ts'
import {
  importRecordKey,
  layoutPrefix,
  type OptionRows,
  type OptionValues,
  parseOption,
  shownLayoutKey,
} from './rows.ts'

/** A layout of the table. */
type NamedData = {
  name: string
  /** As stored in the column. */
  data: string | null
}

/** Returns the function that mirrors a layout. */
export function layoutMirror(encoder: Encoder, options: OptionRows) {
  /** The option's JSON text; undefined if the data of the row or of the option cannot be read: then the option stays as it is. */
  function optionText(stored: string | undefined, { name, data }: NamedData): string | undefined {
    const layout = parseOption(data ?? '', '{}')
    // A new layout has no option yet.
    const isOptionReadable = stored === undefined || parseOption(stored, '{}') !== undefined
    if (layout === undefined || !isOptionReadable) return undefined
    return encoder.json('options', 'option_value', 'data', { ...Object(layout), name })
  }

  /**
   * Mirrors a changed or deleted layout into its option, in the transaction of the change.
   * @param rows those from `mergeChanges` of layouts.ts, which are updated
   * @param id of its row
   * @param layout undefined if it was deleted
   * @returns the written keys, which the caller announces
   */
  return async (
    trx: Kysely<Tables>,
    rows: OptionValues,
    id: number,
    layout: NamedData | undefined,
    { isDefault }: { isDefault: boolean },
  ): Promise<string[]> => {
    const importRecord = readImportRecord(rows.get(importRecordKey))
    const idBySlug = new Map(Object.entries(importRecord.user_interfaces ?? {}))
    const records = new Map(Object.entries(importRecord.layouts ?? {}))
    const importedSlug = [...idBySlug].find(([, imported]) => imported === id)?.[0]
    if (!layout && importedSlug === undefined) return []
    const slug =
      importedSlug ?? freeSlug(layout?.name ?? '', new Set([...idBySlug.keys(), ...layoutSlugs(rows)]))
    const key = layoutPrefix + slug
    const text = layout && optionText(rows.get(key), layout)
    if (layout) idBySlug.set(slug, id)
    else {
      idBySlug.delete(slug)
      records.delete(slug)
    }
    if (text !== undefined) records.set(slug, layoutRecord(text, slug))
    const newRecord = {
      ...importRecord,
      user_interfaces: Object.fromEntries(idBySlug),
      layouts: Object.fromEntries(records),
      ...(isDefault && { shown: slug }),
    }
    /** What to write by key; undefined removes the option. */
    const values: Record<string, string | undefined> = {
      ...((text !== undefined || !layout) && { [key]: text }),
      ...(isDefault && { [shownLayoutKey]: slug }),
      [importRecordKey]: encodeImportRecord(encoder, newRecord),
    }
    await options.put(trx, values)
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) rows.delete(name)
      else rows.set(name, value)
    }
    return Object.keys(values)
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
