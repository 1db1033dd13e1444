// Syncs pricing rules with the option of legacy installations: merges changes by PHP into the table, mirrors the table to it.
import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../db/connect.ts'
import { insertedId } from '../db/repository.ts'
import { stateTag } from '../db/state-tag.ts'
import type { Tables } from '../db/tables.ts'
import {
  fingerprint,
  type Marker,
  markerKey,
  markerOf,
  nameOf,
  type OptionRows,
  parsed,
  type RuleBase,
  rulesKey,
  storedMarker,
  type Warn,
} from './rows.ts'
import { changesByPhp, changesSince, type Entry } from './rule-changes.ts'

type Row = Selectable<Tables['pricing_rules']>
type Marked = Extract<NonNullable<Marker['pricing_rules']>, object>

/** How many of our last mirrors are remembered, because PHP may have read any of them; fewer of long lists. */
const maxGenerations = 8
const maxEntries = 4000

const both = 'PHP and the API changed the same pricing rule; the version of PHP is kept.'

/** PHP writes an empty object as an empty list. */
export const ruleData = (data: unknown) => (Array.isArray(data) && data.length === 0 ? {} : (data ?? {}))

/** The entries of the option; undefined if it cannot be read. */
export function entriesOf(stored: string): Entry[] | undefined {
  const list = parsed(stored, '[]')
  if (list === undefined) return undefined
  return Object.values(Object(list)).flatMap((content, i) => {
    if (typeof content !== 'object' || content === null) return []
    const name = nameOf(Reflect.get(content, 'name'), `Rule ${i + 1}`)
    return [{ name, tag: fingerprint(ruleData(Reflect.get(content, 'data'))), content }]
  })
}

/** The marker's record of a list and of the rows of its entries. */
export function recordOf(stored: string, generation: RuleBase[], before: RuleBase[][] = []): Marked {
  const isNew = JSON.stringify(generation) !== JSON.stringify(before[0])
  const generations = isNew ? [generation, ...before] : before
  const maxLength = Math.max(2, Math.min(maxGenerations, Math.floor(maxEntries / (generation.length + 1))))
  return { row: stateTag(stored), generations: generations.slice(0, maxLength) }
}

/** Whether PHP has written the option since the last check. */
export function rulesChanged(rows: Map<string, string>): boolean {
  const stored = rows.get(rulesKey)
  const record = markerOf(rows.get(markerKey)).pricing_rules
  return stored !== undefined && record !== undefined && (record === true || record.row !== stateTag(stored))
}

/** Use it in a transaction under the guard of the table. */
export function legacyRules({ t, dialect, encoder }: Database, options: OptionRows, warn: Warn) {
  const tagOf = ({ data }: Row) => {
    const value = parsed(data ?? '', '{}')
    return value === undefined ? stateTag(data) : fingerprint(ruleData(value))
  }
  const json = (value: unknown) => encoder.json('pricing_rules', 'data', 'data', value)

  async function tableRows(trx: Kysely<Tables>): Promise<Map<number, Row>> {
    const rows = await trx.selectFrom(t.pricing_rules).select(['ID', 'name', 'data']).orderBy('ID').execute()
    return new Map(rows.map((row) => [row.ID, row]))
  }

  /** Rows that an earlier version imported without recording them: entry and row are paired by name and data. */
  async function adopted(trx: Kysely<Tables>, entries: Entry[]): Promise<RuleBase[]> {
    const all = [...(await tableRows(trx)).values()].map(
      (row): RuleBase => [row.ID, row.name ?? '', tagOf(row)],
    )
    return changesSince(all, entries).kept.map(([[id], { name, tag }]) => [id, name, tag])
  }

  /** Merges the changes by PHP into the table; returns the generation of the list. */
  async function merge(trx: Kysely<Tables>, entries: Entry[], generations: RuleBase[][]) {
    const rows = await tableRows(trx)
    const { base, changes, isStale } = changesByPhp(generations, entries)
    const ids = new Map<Entry, number>()

    function insert({ name, content }: Entry): Promise<number> {
      const values = { name, data: json(ruleData(Reflect.get(content, 'data'))) }
      return insertedId(trx.insertInto(t.pricing_rules).values(values))
    }
    async function update(id: number, { name, content }: Entry, withData: boolean): Promise<void> {
      const set = withData ? { name, data: json(ruleData(Reflect.get(content, 'data'))) } : { name }
      await trx.updateTable(t.pricing_rules).set(set).where('ID', '=', id).execute()
    }

    for (const [[id, name, tag], entry] of changes.kept) {
      ids.set(entry, id)
      if (name === entry.name && tag === entry.tag) continue
      const row = rows.get(id)
      if (!row || (tagOf(row) !== tag && tagOf(row) !== entry.tag)) warn({ rule: id, name: entry.name }, both)
      if (row) await update(id, entry, tag !== entry.tag)
      else ids.set(entry, await insert(entry))
    }
    const baseIds = new Set(base.map(([id]) => id))
    const others = [...rows.values()].filter(({ ID }) => !baseIds.has(ID))
    for (const entry of changes.added) {
      const index = others.findIndex(({ name }) => name === entry.name)
      const [match] = index < 0 ? [] : others.splice(index, 1)
      if (match && tagOf(match) !== entry.tag) {
        warn({ rule: match.ID, name: entry.name }, both)
        await update(match.ID, entry, true)
      }
      ids.set(entry, match ? match.ID : await insert(entry))
    }
    for (const [id, name, tag] of changes.removed) {
      const row = rows.get(id)
      if (row && tagOf(row) !== tag) warn({ rule: id, name }, both)
      if (row) await trx.deleteFrom(t.pricing_rules).where('ID', '=', id).execute()
    }
    if (isStale)
      warn({ option: rulesKey }, 'PHP wrote the pricing rules from an outdated copy; both versions are kept.')
    const generation = entries.flatMap((entry): RuleBase[] => {
      const id = ids.get(entry)
      return id === undefined ? [] : [[id, entry.name, entry.tag]]
    })
    return { generation, isStale }
  }

  async function putMarker(trx: Kysely<Tables>, rows: Map<string, string>, record: Marked): Promise<void> {
    const marker = { ...markerOf(rows.get(markerKey)), pricing_rules: record }
    const text = storedMarker(encoder, marker)
    rows.set(markerKey, text)
    await options.put(trx, { [markerKey]: text })
  }

  /** Writes the table to the option: entries keep their order, new ones follow. */
  async function mirror(trx: Kysely<Tables>, rows: Map<string, string>): Promise<string[]> {
    const stored = rows.get(rulesKey) ?? ''
    const record = markerOf(rows.get(markerKey)).pricing_rules
    const generations = typeof record === 'object' ? record.generations : []
    const entries = entriesOf(stored) ?? []
    const wholes = new Map<number, object>()
    for (const [[id], { content }] of changesSince(generations[0] ?? [], entries).kept)
      wholes.set(id, content)
    const table = await tableRows(trx)
    const order = (generations[0] ?? []).map(([id]) => id).filter((id) => table.has(id))
    const all = [...new Set([...order, ...table.keys()])].flatMap((id) => table.get(id) ?? [])
    const list = all.map(({ ID, name, data }) => {
      const value = parsed(data ?? '', '{}')
      return { ...wholes.get(ID), name: name ?? '', ...(value === undefined ? {} : { data: value }) }
    })
    const text = encoder.json('options', 'option_value', 'data', list)
    if (text === stored) return []
    await options.put(trx, { [rulesKey]: text })
    rows.set(rulesKey, text)
    // Read back as PHP will read it, because writing may change names.
    const tags = entriesOf(text) ?? []
    const generation = all.flatMap(({ ID }, i): RuleBase[] => {
      const entry = tags[i]
      return entry ? [[ID, entry.name, entry.tag]] : []
    })
    await putMarker(trx, rows, recordOf(text, generation, generations))
    return [rulesKey]
  }

  return {
    /**
     * Merges what PHP changed since the last check.
     * @returns undefined if nothing was imported, the option is gone, or it cannot be read and must not be overwritten.
     *   `mirror` writes the table to the option and returns the written keys; `isStale`: the option lacks our changes and
     *   should be written at once
     */
    async enter(trx: Kysely<Tables>) {
      const keys = [rulesKey, markerKey]
      // Without rows a locking read would prevent others from adding some.
      if (!isMirrored(await options.getMany(keys, trx))) return undefined
      const rows = await options.getMany(keys, trx, { lock: dialect.locksRows })
      const record = markerOf(rows.get(markerKey)).pricing_rules
      const stored = rows.get(rulesKey)
      if (stored === undefined || !record) return undefined
      const entries = entriesOf(stored)
      let isStale = false
      if (record === true) {
        if (entries) await putMarker(trx, rows, recordOf(stored, await adopted(trx, entries)))
      } else if (record.row !== stateTag(stored)) isStale = await check(trx, rows, record, stored, entries)
      return entries && { mirror: () => mirror(trx, rows), isStale }
    },
  }

  async function check(
    trx: Kysely<Tables>,
    rows: Map<string, string>,
    { generations }: Marked,
    stored: string,
    entries: Entry[] | undefined,
  ): Promise<boolean> {
    // PHP writes an empty string if it cannot encode the list, which does not delete all rules.
    if (!entries || stored.trim() === '') {
      await putMarker(trx, rows, { row: stateTag(stored), generations })
      return false
    }
    const { generation, isStale } = await merge(trx, entries, generations)
    await putMarker(trx, rows, recordOf(stored, generation, generations))
    return isStale
  }
}

const isMirrored = (rows: Map<string, string>) =>
  rows.has(rulesKey) && markerOf(rows.get(markerKey)).pricing_rules !== undefined
