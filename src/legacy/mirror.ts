// Writes what changes in our tables into the options of legacy installations, too, so that a legacy storefront sees it.
import type { Kysely } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'
import {
  layoutPrefix,
  markerKey,
  markerOf,
  type OptionRows,
  parsed,
  readLegacyRows,
  rulesKey,
  shownLayoutKey,
} from './rows.ts'

export interface NamedData {
  name: string
  /** As the column holds it. */
  data: string | null
}

export interface NamedRow extends NamedData {
  id: number
}

const longestSlug = 100

/** The legacy entry of each rule: those of one name belong to its rules in their order. */
function entriesOf(list: string | undefined, rules: NamedRow[]): Map<number, object> {
  const entries = Object.values(Object(parsed(list, '[]'))).map(Object)
  const byName = Map.groupBy(entries, (entry) => String(entry.name).trim())
  return new Map(rules.map(({ id, name }) => [id, byName.get(name)?.shift() ?? {}]))
}

/**
 * All work inside the caller's transaction, under the guard of the table, and return the keys that they wrote.
 * Nothing is written where no legacy rows were imported, or where they are gone.
 */
export function legacyMirror({ t, columns }: Database, options: OptionRows) {
  const stored = (value: unknown) => columns.json('options', 'option_value', 'data', value)

  async function put(trx: Kysely<Tables>, values: Record<string, string | undefined>): Promise<string[]> {
    await options.put(trx, values)
    return Object.keys(values)
  }

  return {
    /**
     * Writes the whole list as it is after a change; undefined where nothing is mirrored. Members of an entry that only
     * legacy installations know stay with its rule, whatever name that has now.
     */
    async rulesMirror(
      trx: Kysely<Tables>,
    ): Promise<((before: NamedRow[], after: NamedRow[]) => Promise<string[]>) | undefined> {
      const rows = await options.getMany([rulesKey, markerKey], trx)
      if (!rows.has(rulesKey) || !markerOf(rows.get(markerKey)).pricing_rules) return undefined
      // What cannot be read may hold more than we know.
      if (parsed(rows.get(rulesKey), '[]') === undefined) return undefined
      return (before, after) => {
        const entries = entriesOf(rows.get(rulesKey), before)
        const list = after.map(({ id, name, data }) => {
          const value = parsed(data ?? '', '{}')
          return { ...entries.get(id), name, ...(value === undefined ? {} : { data: value }) }
        })
        return put(trx, { [rulesKey]: stored(list) })
      }
    },

    /** The row that was made of the legacy layout with this slug. */
    async layoutOf(trx: Kysely<Tables>, slug: string): Promise<number | undefined> {
      const { user_interfaces: slugs } = markerOf((await options.getMany([markerKey], trx)).get(markerKey))
      return slugs && Object.hasOwn(slugs, slug) ? slugs[slug] : undefined
    },

    /** One layout after its change, or undefined after its end, and which one is shown. */
    async writeLayout(
      trx: Kysely<Tables>,
      id: number,
      layout: NamedData | undefined,
      isDefault: boolean,
    ): Promise<string[]> {
      const rows = await readLegacyRows(t, trx, false)
      const layoutKeys = [...rows.keys()].filter((key) => key.startsWith(layoutPrefix))
      const marker = markerOf((await options.getMany([markerKey], trx)).get(markerKey))
      if (layoutKeys.length === 0 || !marker.user_interfaces) return []
      const slugs = new Map(Object.entries(marker.user_interfaces))
      const known = [...slugs].find(([, owner]) => owner === id)?.[0]
      if (!layout && known === undefined) return []
      const taken = new Set([...slugs.keys(), ...layoutKeys.map((key) => key.slice(layoutPrefix.length))])
      const slug = known ?? freeSlug(layout?.name ?? '', taken)
      if (layout) slugs.set(slug, id)
      else slugs.delete(slug)
      const values: Record<string, string | undefined> = {
        [markerKey]: JSON.stringify({ ...marker, user_interfaces: Object.fromEntries(slugs) }),
      }
      const key = layoutPrefix + slug
      const legacy = (await options.getMany([key], trx)).get(key)
      const data = layout && parsed(layout.data ?? '', '{}')
      if (!layout) values[key] = undefined
      // What cannot be read, here or there, is left as it is.
      else if (data !== undefined && parsed(legacy, '{}') !== undefined)
        values[key] = stored({ ...Object(data), name: layout.name })
      if (isDefault) values[shownLayoutKey] = slug
      return put(trx, values)
    },
  }
}

/** A slug made of the name as the CMS makes them, with a number behind it where it is taken. */
function freeSlug(name: string, taken: Set<string>): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
  const slug =
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, longestSlug)
      .replace(/^-|-$/g, '') || 'layout'
  if (!taken.has(slug)) return slug
  for (let number = 2; ; number++) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`
}
