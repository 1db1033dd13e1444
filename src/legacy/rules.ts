// Syncs pricing rules with the option of legacy installations: merges changes by PHP into the table, mirrors the table to it.
import type { Kysely, Selectable } from 'kysely'
import { membersOf } from '../core/foreign.ts'
import type { Database } from '../db/connect.ts'
import { insertedId } from '../db/repository.ts'
import { stateTag } from '../db/state-tag.ts'
import type { Tables } from '../db/tables.ts'
import {
  encodeImportRecord,
  fingerprint,
  type MirroredRule,
  type RulesRecord,
  readImportRecord,
} from './import-record.ts'
import {
  importRecordKey,
  type OptionRows,
  type OptionValues,
  parseOption,
  rulesKey,
  validName,
  type Warn,
} from './rows.ts'
import { changesFromPhp, changesSince, type RuleEntry } from './rule-changes.ts'

type Row = Selectable<Tables['pricing_rules']>

/**
 * How many of the last lists are recorded: an administrator may have opened any of them in the shop, and saves it after this API
 * has written the others.
 */
const maxLists = 50
/** Rules in all recorded lists together, so that fewer of long lists are recorded. */
const maxEntries = 4000

const conflictMessage = 'PHP and the API changed the same pricing rule; the version of PHP is kept.'

/** The data of a rule; PHP writes an empty object as an empty list. */
export const ruleData = (data: unknown) => (Array.isArray(data) && data.length === 0 ? {} : (data ?? {}))

/** The rules in the value of the option; undefined if it cannot be read. */
export function rulesIn(stored: string): RuleEntry[] | undefined {
  const list = parseOption(stored, '[]')
  if (list === undefined) return undefined
  return Object.values(membersOf(list)).flatMap((content, i) => {
    if (typeof content !== 'object' || content === null) return []
    const name = validName(membersOf(content).name, `Rule ${i + 1}`)
    return [{ name, tag: fingerprint(ruleData(membersOf(content).data)), content }]
  })
}

/**
 * What the import record stores about the option.
 * @param stored the value of the option
 * @param list its rules
 * @param earlierLists those that are recorded, newest first
 */
export function rulesRecord(
  stored: string,
  list: MirroredRule[],
  earlierLists: MirroredRule[][] = [],
): RulesRecord {
  const isNew = JSON.stringify(list) !== JSON.stringify(earlierLists[0])
  const lists = isNew ? [list, ...earlierLists] : earlierLists
  const maxLength = Math.max(2, Math.min(maxLists, Math.floor(maxEntries / (list.length + 1))))
  return { row: stateTag(stored), lists: lists.slice(0, maxLength) }
}

/** Whether PHP has written the option since the last check. */
export function rulesChanged(rows: OptionValues): boolean {
  const stored = rows.get(rulesKey)
  const record = readImportRecord(rows.get(importRecordKey)).pricing_rules
  return stored !== undefined && record !== undefined && (record === true || record.row !== stateTag(stored))
}

/** Synchronizes the rules of one database. Call its functions in a transaction under the guard of the table. */
export function legacyRules({ t, dialect, encoder }: Database, options: OptionRows, warn: Warn) {
  /** `fingerprint` of the data of a row; a hash of the stored text if the data cannot be read. */
  const tagOf = ({ data }: Row) => {
    const value = parseOption(data ?? '', '{}')
    return value === undefined ? stateTag(data) : fingerprint(ruleData(value))
  }
  /** The data of an entry as the column stores it. */
  const storedData = ({ content }: RuleEntry) =>
    encoder.json('pricing_rules', 'data', 'data', ruleData(membersOf(content).data))

  /** All rows of the table by id. */
  async function tableRows(trx: Kysely<Tables>): Promise<Map<number, Row>> {
    const rows = await trx.selectFrom(t.pricing_rules).select(['ID', 'name', 'data']).orderBy('ID').execute()
    return new Map(rows.map((row) => [row.ID, row]))
  }

  /** Rows that an earlier version imported without recording them: entry and row are paired by name and data. */
  async function unrecordedRules(trx: Kysely<Tables>, entries: RuleEntry[]): Promise<MirroredRule[]> {
    const rows = [...(await tableRows(trx)).values()].map((row) => ({
      id: row.ID,
      name: row.name ?? '',
      tag: tagOf(row),
    }))
    const { matched } = changesSince(rows, entries)
    return matched.map(({ mirrored: { id }, entry: { name, tag } }) => ({ id, name, tag }))
  }

  function insertRule(trx: Kysely<Tables>, entry: RuleEntry): Promise<number> {
    const values = { name: entry.name, data: storedData(entry) }
    return insertedId(trx.insertInto(t.pricing_rules).values(values))
  }

  /** Sets `name`, and `data` if it is a stored value. */
  async function updateRule(trx: Kysely<Tables>, id: number, name: string, data?: string): Promise<void> {
    const set = data === undefined ? { name } : { name, data }
    await trx.updateTable(t.pricing_rules).set(set).where('ID', '=', id).execute()
  }

  /** Writes what PHP changed in a rule of the table; a rule that the API deleted is inserted again. @returns its id */
  async function applyMatched(
    trx: Kysely<Tables>,
    row: Row | undefined,
    { id, name, tag }: MirroredRule,
    entry: RuleEntry,
  ): Promise<number> {
    if (name === entry.name && tag === entry.tag) return id
    if (!row || (tagOf(row) !== tag && tagOf(row) !== entry.tag))
      warn({ rule: id, name: entry.name }, conflictMessage)
    if (!row) return insertRule(trx, entry)
    await updateRule(trx, id, entry.name, tag === entry.tag ? undefined : storedData(entry))
    return id
  }

  /** Writes a rule that PHP added; `row` is one that the API added with the same name. @returns its id */
  async function applyAdded(trx: Kysely<Tables>, row: Row | undefined, entry: RuleEntry): Promise<number> {
    if (!row) return insertRule(trx, entry)
    if (tagOf(row) !== entry.tag) {
      warn({ rule: row.ID, name: entry.name }, conflictMessage)
      await updateRule(trx, row.ID, entry.name, storedData(entry))
    }
    return row.ID
  }

  /** Deletes a rule that PHP deleted. */
  async function applyRemoved(
    trx: Kysely<Tables>,
    row: Row | undefined,
    { id, name, tag }: MirroredRule,
  ): Promise<void> {
    if (!row) return
    if (tagOf(row) !== tag) warn({ rule: id, name }, conflictMessage)
    await trx.deleteFrom(t.pricing_rules).where('ID', '=', id).execute()
  }

  /** Merges the changes by PHP into the table; returns the rules of the option with the ids of their rows. */
  async function merge(trx: Kysely<Tables>, entries: RuleEntry[], earlierLists: MirroredRule[][]) {
    const rows = await tableRows(trx)
    const { base, changes, isStale } = changesFromPhp(earlierLists, entries)
    const ids = new Map<RuleEntry, number>()
    for (const { mirrored, entry } of changes.matched)
      ids.set(entry, await applyMatched(trx, rows.get(mirrored.id), mirrored, entry))
    const baseIds = new Set(base.map(({ id }) => id))
    const unlistedRows = [...rows.values()].filter(({ ID }) => !baseIds.has(ID))
    for (const entry of changes.added) {
      const index = unlistedRows.findIndex(({ name }) => name === entry.name)
      const [row] = index < 0 ? [] : unlistedRows.splice(index, 1)
      ids.set(entry, await applyAdded(trx, row, entry))
    }
    for (const rule of changes.removed) await applyRemoved(trx, rows.get(rule.id), rule)
    if (isStale)
      warn({ option: rulesKey }, 'PHP wrote the pricing rules from an outdated copy; both versions are kept.')
    const list = entries.flatMap((entry): MirroredRule[] => {
      const id = ids.get(entry)
      return id === undefined ? [] : [{ id, name: entry.name, tag: entry.tag }]
    })
    return { list, isStale }
  }

  /** Writes the record about the option; `rows` are the values that this transaction has read or written. */
  async function putRecord(trx: Kysely<Tables>, rows: OptionValues, record: RulesRecord): Promise<void> {
    const importRecord = { ...readImportRecord(rows.get(importRecordKey)), pricing_rules: record }
    const text = encodeImportRecord(encoder, importRecord)
    rows.set(importRecordKey, text)
    await options.put(trx, { [importRecordKey]: text })
  }

  /** Writes the table to the option: rules keep their order, new ones follow. @returns the written keys */
  async function mirror(trx: Kysely<Tables>, rows: OptionValues): Promise<string[]> {
    const stored = rows.get(rulesKey) ?? ''
    const record = readImportRecord(rows.get(importRecordKey)).pricing_rules
    const earlierLists = typeof record === 'object' ? record.lists : []
    const [lastList = []] = earlierLists
    const contentById = new Map<number, object>()
    for (const { mirrored, entry } of changesSince(lastList, rulesIn(stored) ?? []).matched)
      contentById.set(mirrored.id, entry.content)
    const table = await tableRows(trx)
    const order = lastList.map(({ id }) => id).filter((id) => table.has(id))
    const orderedRows = [...new Set([...order, ...table.keys()])].flatMap((id) => table.get(id) ?? [])
    const contents = orderedRows.map(({ ID, name, data }) => {
      const value = parseOption(data ?? '', '{}')
      return { ...contentById.get(ID), name: name ?? '', ...(value === undefined ? {} : { data: value }) }
    })
    const text = encoder.json('options', 'option_value', 'data', contents)
    if (text === stored) return []
    await options.put(trx, { [rulesKey]: text })
    rows.set(rulesKey, text)
    // Parsed as PHP will read it, because writing may change names.
    const entries = rulesIn(text) ?? []
    const list = orderedRows.flatMap(({ ID }, i): MirroredRule[] => {
      const entry = entries[i]
      return entry ? [{ id: ID, name: entry.name, tag: entry.tag }] : []
    })
    await putRecord(trx, rows, rulesRecord(text, list, earlierLists))
    return [rulesKey]
  }

  /** Merges an option that PHP wrote, and records it. @returns `isStale` */
  async function mergeOption(
    trx: Kysely<Tables>,
    rows: OptionValues,
    { lists }: RulesRecord,
    stored: string,
    entries: RuleEntry[] | undefined,
  ): Promise<boolean> {
    // PHP writes an empty string if it cannot encode the list, which does not delete all rules.
    if (!entries || stored.trim() === '') {
      await putRecord(trx, rows, { row: stateTag(stored), lists })
      return false
    }
    const { list, isStale } = await merge(trx, entries, lists)
    await putRecord(trx, rows, rulesRecord(stored, list, lists))
    return isStale
  }

  return {
    /**
     * Merges what PHP changed since the last check.
     * @returns undefined if nothing was imported, the option is gone, or it cannot be read and must not be overwritten.
     *   `mirror` writes the table to the option and returns the written keys; `isStale`: the option lacks our changes and
     *   should be written at once
     */
    async mergeChanges(trx: Kysely<Tables>) {
      const keys = [rulesKey, importRecordKey]
      // A locking read that finds no rows would lock the gap, and other processes could not insert them.
      if (!isMirrored(await options.getMany(keys, trx))) return undefined
      const rows = await options.getMany(keys, trx, { lock: dialect.locksRows })
      const record = readImportRecord(rows.get(importRecordKey)).pricing_rules
      const stored = rows.get(rulesKey)
      if (stored === undefined || !record) return undefined
      const entries = rulesIn(stored)
      let isStale = false
      if (record === true) {
        if (entries) await putRecord(trx, rows, rulesRecord(stored, await unrecordedRules(trx, entries)))
      } else if (record.row !== stateTag(stored))
        isStale = await mergeOption(trx, rows, record, stored, entries)
      return entries && { mirror: () => mirror(trx, rows), isStale }
    },
  }
}

const isMirrored = (rows: OptionValues) =>
  rows.has(rulesKey) && readImportRecord(rows.get(importRecordKey)).pricing_rules !== undefined
