// Settings as typed values: read by key or by group, written all or none.
import type { Kysely } from 'kysely'
import { insufficientScope, invalidParams, missingParams, SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { flaggedRows } from '../db/flagged-rows.ts'
import type { Tables } from '../db/tables.ts'
import { numberOf, parseExact } from '../json/parse.ts'
import { sameJson } from '../json/values.ts'
import type { LegacyMirror } from '../legacy/mirror.ts'
import { shownLayoutKey } from '../legacy/rows.ts'
import type { Catalog, SettingsGroup } from './catalog.ts'
import { listSlugs, valueProblem } from './check-value.ts'
import { creatingStateKey, groupState, stateKey } from './group-state.ts'
import {
  assertNoProblems,
  assertReadable,
  dedicatedRoute,
  isDestination,
  isSecret,
  isSettingKey,
  isUnsetDefault,
  keyProblem,
} from './keys.ts'
import type { Setting } from './setting.ts'
import { missingReferences, type ReferenceSources } from './setting-references.ts'
import { tokenKey } from './token.ts'
import { readSetting, shapeOf, shapeOfStored, writeSetting } from './value.ts'

/** The color lists, whose slugs other settings may name. */
const listsKey = 'svc_color_lists'

/** Most settings of one request: more than any settings screen has. */
const maxKeys = 1000

/** Values by key, in the requested order. */
export interface Values {
  /** JSON of each value. */
  json: Map<string, string>
  /** Keys of secrets, whose values are never returned. */
  masked: string[]
  /** The masked keys under which a value is stored. */
  set: string[]
  /** Keys whose stored values cannot be read. */
  unreadable: string[]
}

/** Values of a group with its state, from which its ETag is made. */
export interface GroupValues extends Values {
  /** Changes when a value of the group does. */
  state: string
}

/** Stored values by key. */
type Rows = ReadonlyMap<string, string>
/** Compares the states of the groups that contain a setting with If-Match. @throws SvcError 412 unless one of them is expected */
type Precondition = (...states: string[]) => void

/** Options of `save`. */
export interface SaveOptions {
  /** Called for each section with a written setting, with the states of all groups that contain it, before anything is written. */
  precondition?: Precondition | undefined
  /** Whether secrets, the token and destinations of files and mails may be changed. Default true. */
  mayChangeGuarded?: boolean
}

/** What decides, beside the setting itself, whether a sent value is valid. */
interface WriteRules {
  /** The stored values. */
  rows: Rows
  /** Slugs of the color lists, those of the same request included. */
  lists: ReadonlySet<string>
  /** Problems by key, for values that name a layout or fonts that do not exist. */
  missing: ReadonlyMap<string, string>
}

interface Services extends ReferenceSources {
  catalog: Catalog
  legacy: LegacyMirror
}

/** Reads and writes the settings of one installation. Settings of the catalog have a type; other `svc_` rows are texts or JSON. */
export function settingsRepository({ options, catalog, database, legacy, fontFiles }: Services) {
  const { encoder } = database
  const layouts = flaggedRows(database, 'user_interfaces')

  /** The values of each group when it was last read; used again as long as its state is the same. */
  const lastRead = new Map<SettingsGroup, GroupValues>()

  /** The values as responses show them. */
  function valuesOf(keys: readonly string[], rows: Rows): Values {
    const values: Values = { json: new Map(), masked: [], set: [], unreadable: [] }
    for (const key of keys) {
      const setting = catalog.find(key)
      const isMasked = isSecret(key, setting)
      if (isMasked) {
        values.masked.push(key)
        if (rows.get(key)?.trim()) values.set.push(key)
      }
      const json = isMasked || dedicatedRoute(key) ? 'null' : jsonOf(setting, rows.get(key))
      if (json === undefined) values.unreadable.push(key)
      values.json.set(key, json ?? 'null')
    }
    return values
  }

  const keysOf = (group: SettingsGroup) =>
    group.sections.flatMap(({ settings }) => settings.map(({ id }) => id))

  /** The state of a group, from which its ETag is made. Secrets count too: when one changes, the group changes. */
  const stateOf = (group: SettingsGroup, rows: Rows) =>
    groupState(
      keysOf(group).filter((key) => !dedicatedRoute(key)),
      (key) => isSecret(key, catalog.find(key)),
      rows,
    )

  /** The value to store, undefined for no row; or the problem with the key or value. */
  function encodedValue(
    key: string,
    value: unknown,
    { rows, lists, missing }: WriteRules,
  ): { stored: string | undefined } | { problem: string } {
    const problemWithKey = keyProblem(key)
    if (problemWithKey) return { problem: problemWithKey }
    if (key === tokenKey) return value === '' ? { stored: '' } : { problem: 'can only be cleared, with ""' }
    const setting = catalog.find(key)
    const stored = rows.get(key)
    if (!setting && stored === undefined) return { problem: 'is not a known setting' }
    if (stored === undefined && isUnsetDefault(key, value)) return { stored }
    if (stored !== undefined && isAsRead(key, setting, stored, value)) return { stored }
    if (setting?.type === 'number' && value === null && setting.default === null) return { stored: '' }
    const shape = setting ? shapeOf(setting) : shapeOfStored(stored ?? '')
    const written = writeSetting(shape, value)
    if ('problem' in written) return written
    if (setting?.choices && ![value].flat().every((item) => isChoice(setting, item))) {
      return { problem: `must be one of ${setting.choices.join(', ')}` }
    }
    const problem = setting && (valueProblem(setting, value, lists) ?? missing.get(key))
    if (problem) return { problem }
    return unlessRefused(key, () =>
      shape === 'lists' || shape === 'model'
        ? encoder.json('options', 'option_value', key, value)
        : encoder.text('options', 'option_value', key, written.stored),
    )
  }

  /** Whether the value is the one that was read: that can be sent back, even if it is unreadable or another writer stored it against the rules. */
  function isAsRead(key: string, setting: Setting | undefined, stored: string, value: unknown): boolean {
    if (isSecret(key, setting)) return false
    const json = jsonOf(setting, stored)
    return json === undefined ? value === null : sameJson(value, json)
  }

  /** @throws SvcError 403 for what a sender without all rights may not write: secrets, the token, and another destination of files and mails */
  function assertUnguarded(body: Record<string, unknown>, rows: Rows): void {
    const guarded = Object.keys(body).filter((key) => {
      const setting = catalog.find(key)
      if (isSecret(key, setting)) return true
      return isDestination(key) && !sameJson(body[key], jsonOf(setting, rows.get(key)) ?? 'null')
    })
    if (guarded.length > 0)
      throw insufficientScope(
        'all',
        `${guarded.slice(0, 20).join(', ')}: secrets, the token and where files and mails go can be changed with all rights only.`,
      )
  }

  /** Makes the legacy layout with this slug the default. Without such a layout, nothing changes. */
  async function makeDefaultLayout(trx: Kysely<Tables>, slug: unknown): Promise<void> {
    await layouts.lockTable(trx)
    const rows = await legacy.layouts.mergeChanges(trx)
    const id = rows && legacy.layouts.importedId(rows, String(slug))
    if (id !== undefined && (await layouts.read(id, trx))) await layouts.setFlag(trx, id)
  }

  return {
    /** The values of these keys. @throws SvcError 400 for invalid keys, and for keys with a route of their own */
    async values(keys: readonly string[]): Promise<Values> {
      assertReadable(keys)
      return valuesOf(keys, await options.getMany(keys))
    },

    /**
     * The values of a tab or section. Returns the same object as long as nothing changes, so that callers can cache by it. The first read
     * of an installation stores the key that the states of all groups depend on.
     */
    async group(group: SettingsGroup): Promise<GroupValues> {
      const keys = keysOf(group)
      const rows = await creatingStateKey(options, await options.getMany([...keys, stateKey]))
      const state = stateOf(group, rows)
      const last = lastRead.get(group)
      if (last?.state === state) return last
      const values = { ...valuesOf(keys, rows), state }
      lastRead.set(group, values)
      return values
    },

    /**
     * Writes all values or none.
     * @param body values by key
     * @returns the written values
     * @throws SvcError 400 for no setting or too many, and naming every invalid key; 403 for guarded settings; whatever
     *   `precondition` throws
     */
    async save(
      body: Record<string, unknown>,
      { precondition, mayChangeGuarded = true }: SaveOptions = {},
    ): Promise<Values> {
      const keys = Object.keys(body)
      assertCount(keys.length)
      const groupSets = precondition ? groupsOf(keys) : []
      const readable = [...keys.filter(isSettingKey), ...groupSets.flat().flatMap(keysOf), stateKey, listsKey]
      const missing = await missingReferences({ options, database, fontFiles }, body)
      // `change` calls all functions below in one transaction, and again after a deadlock: they must have no other effects.
      const stored = await options.change(
        [...new Set(readable)],
        (rows) => {
          if (!mayChangeGuarded) assertUnguarded(body, rows)
          for (const groups of groupSets) precondition?.(...groups.map((group) => stateOf(group, rows)))
          const lists = listSlugs(
            body[listsKey] ?? parseExact(jsonOf(catalog.find(listsKey), rows.get(listsKey)) ?? '{}'),
          )
          const written = keys.map(
            (key) => [key, encodedValue(key, body[key], { rows, lists, missing })] as const,
          )
          assertNoProblems(
            written.map(([key, result]) => [key, 'problem' in result ? result.problem : undefined]),
          )
          return Object.fromEntries(
            written.flatMap(([key, result]) =>
              'stored' in result && result.stored !== undefined ? [[key, result.stored]] : [],
            ),
          )
        },
        {
          isExclusive: precondition !== undefined,
          noted: (changed) => changed.map((id) => ({ resource: 'setting', action: 'updated', id })),
          prepare: keys.includes(shownLayoutKey)
            ? (trx) => makeDefaultLayout(trx, body[shownLayoutKey])
            : undefined,
        },
      )
      return valuesOf(keys, new Map(Object.entries(stored)))
    },
  }

  /** For each section with one of the keys: all groups that contain it. A client may have read any of them, and send the ETag of that. */
  function groupsOf(keys: readonly string[]): SettingsGroup[][] {
    const groupSets = new Map<string, SettingsGroup[]>()
    for (const setting of keys.map((key) => catalog.find(key))) {
      if (setting) groupSets.set(`${setting.tab}/${setting.section}`, catalog.groupsWith(setting))
    }
    return [...groupSets.values()]
  }
}

function assertCount(count: number): void {
  if (count === 0) {
    const error = missingParams(['svc_…'])
    error.message = 'At least one setting is required.'
    throw error
  }
  if (count > maxKeys) throw invalidParams({ body: `must have at most ${maxKeys} settings` })
}

/** A default that is not one of the choices can still be sent back. */
const isChoice = (setting: Setting, item: unknown) =>
  item === setting.default || setting.choices?.includes(String(numberOf(item) ?? item))

/** The value that `encode` returns, or why it refuses it: the column cannot store it. */
function unlessRefused(key: string, encode: () => string): { stored: string } | { problem: string } {
  try {
    return { stored: encode() }
  } catch (error) {
    const params = error instanceof SvcError ? error.data.params : undefined
    if (params === undefined) throw error
    return { problem: String(membersOf(params)[key]) }
  }
}

/** JSON of a stored value, or of the default; undefined when it cannot be read. */
function jsonOf(setting: Setting | undefined, stored: string | undefined): string | undefined {
  if (!setting) return stored === undefined ? 'null' : readSetting(shapeOfStored(stored), stored)
  return stored === undefined
    ? defaultJson(setting)
    : readSetting(shapeOf(setting), stored, defaultJson(setting))
}

const defaultJson = (setting: Setting): string => JSON.stringify(setting.default ?? null)
