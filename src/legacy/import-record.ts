// The import record: an option in which this API stores which legacy rows it has imported, and what they contained when it last
// read or wrote them. PHP has changed the rows that differ from it.
import { membersOf } from '../core/foreign.ts'
import type { Encoder } from '../db/encoder.ts'
import { phpFromJson } from '../db/php-json.ts'
import { PhpFormatError, writePhp } from '../db/php-value.ts'
import { stateTag } from '../db/state-tag.ts'
import { fromJson } from '../json/parse.ts'
import { importRecordKey, parseOption } from './rows.ts'

/** A rule in a list that this API wrote to the option or read from it. */
export interface MirroredRule {
  /** Id of its row. */
  id: number
  name: string
  /** `fingerprint` of its data. */
  tag: string
}

/** What is recorded about the option with the rules. */
export interface RulesRecord {
  /** State tag of the option. */
  row: string
  /** The lists that the option had last, newest first. */
  lists: MirroredRule[][]
}

/**
 * The record. Each layout is an option, whose key ends with the slug, and a row of `svc_user_interfaces`. Two maps by slug lead from
 * the option to the row, and say what the option contained.
 */
export interface ImportRecord {
  /** Absent if no rules were imported; true if an earlier version imported them, which recorded nothing about them. */
  pricing_rules?: true | RulesRecord
  /** Ids of the rows by slug; absent if no layouts were imported. */
  user_interfaces?: Record<string, number>
  /** Slugs of unreadable layouts, which are imported as soon as they have been repaired. */
  unread_layouts?: string[]
  /** By slug: the state tag of the option, and `fingerprint` of its layout. Absent if an earlier version imported the layouts. */
  layouts?: Record<string, { row: string; data: string }>
  /** The slug in `shownLayoutKey`. */
  shown?: string
}

/** The record as its option stores it: the lists are `generations`, and their rules are tuples. */
type StoredRecord = Omit<ImportRecord, 'pricing_rules'> & {
  pricing_rules?: true | { row: string; generations: [id: number, name: string, tag: string][][] }
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
 * The record as the value of its option. The encoder preserves its names in any charset: a changed one would look as if PHP had
 * changed a rule.
 */
export function encodeImportRecord(encoder: Encoder, { pricing_rules, ...record }: ImportRecord): string {
  const rules = typeof pricing_rules === 'object' && {
    row: pricing_rules.row,
    generations: pricing_rules.lists.map((list) => list.map(({ id, name, tag }) => [id, name, tag])),
  }
  const stored = { ...record, ...(pricing_rules && { pricing_rules: rules || true }) }
  return encoder.json('options', 'option_value', importRecordKey, stored)
}

/** The record in the value of its option; an empty one if there is none or it cannot be read. Only this API writes it. */
export function readImportRecord(stored: string | undefined): ImportRecord {
  const { pricing_rules, ...record } = membersOf(parseOption(stored, '{}')) as StoredRecord
  if (typeof pricing_rules !== 'object') return { ...record, ...(pricing_rules && { pricing_rules }) }
  const lists = pricing_rules.generations.map((list) => list.map(([id, name, tag]) => ({ id, name, tag })))
  return { ...record, pricing_rules: { row: pricing_rules.row, lists } }
}
