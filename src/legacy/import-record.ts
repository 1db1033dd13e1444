// The import record: an option in which this API keeps which legacy rows it has imported, and what they contained when it last
// read or wrote them. PHP changed whatever differs from it.
import type { Encoder } from '../db/encoder.ts'
import { phpFromJson } from '../db/php-json.ts'
import { PhpFormatError, writePhp } from '../db/php-value.ts'
import { stateTag } from '../db/state-tag.ts'
import { fromJson } from '../json/parse.ts'
import { importRecordKey, parseOption } from './rows.ts'

/** A rule in a list that we wrote or read: id of its row, name, and `fingerprint` of its data. */
export type MirroredRule = [id: number, name: string, data: string]

/** The stored form of the record. */
export interface ImportRecord {
  /**
   * Absent if no rules were imported; true if an earlier version imported them, which kept no record. `row` is the state tag of
   * the option, `generations` are the lists that it had last, newest first.
   */
  pricing_rules?: true | { row: string; generations: MirroredRule[][] }
  /** Id of the row by slug of the layout; absent if no layouts were imported. */
  user_interfaces?: Record<string, number>
  /** Slugs of unreadable layouts, which are imported as soon as they have been repaired. */
  unread_layouts?: string[]
  /** By slug: the state tag of the option, and `fingerprint` of its layout. */
  layouts?: Record<string, { row: string; data: string }>
  /** The slug in `shownLayoutKey`. */
  shown?: string
}

/** A hash of a value. Values that PHP cannot distinguish, such as an empty object and an empty list, have the same. */
export function fingerprint(value: unknown): string {
  const json = JSON.stringify(value ?? null)
  try {
    return stateTag(writePhp(phpFromJson(fromJson(json))))
  } catch (error) {
    if (error instanceof PhpFormatError) return stateTag(json)
    throw error
  }
}

/**
 * The record as the value of its option. The encoder keeps its names in any charset: a changed one would look as if PHP had
 * changed a rule.
 */
export const encodeImportRecord = (encoder: Encoder, record: ImportRecord): string =>
  encoder.json('options', 'option_value', importRecordKey, record)

/** The record in the value of its option; an empty one if there is none or it cannot be read. Only we write it. */
export const readImportRecord = (stored: string | undefined): ImportRecord =>
  Object(parseOption(stored, '{}'))
