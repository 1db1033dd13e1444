// Settings as typed values: read one by one or by group, written all or none.
import type { Kysely } from 'kysely'
import type { Database } from '../db/connect.ts'
import { stateTag } from '../db/state-tag.ts'
import type { Tables } from '../db/tables.ts'
import { invalidParams, missingParams, SvcError } from '../errors.ts'
import { numberOf, sameJson } from '../json.ts'
import type { LegacyMirror } from '../legacy/mirror.ts'
import { shownLayoutKey } from '../legacy/rows.ts'
import type { OptionsStore } from '../options/store.ts'
import { tokenKey } from '../options/token.ts'
import { markedRows } from '../repositories/marked-rows.ts'
import type { Catalog, SettingsGroup } from '../settings/catalog.ts'
import { isSettingKey, namesSecret, refusedFor, routeOf } from '../settings/keys.ts'
import type { Setting } from '../settings/setting.ts'
import { readSetting, shapeOf, shapeOfStored, writeSetting } from '../settings/value.ts'

/** More keys than any settings screen has. */
const mostKeys = 1000

/** Values by key as JSON texts, in the order asked for. */
export interface Values {
  texts: Map<string, string>
  /** Keys whose values are never given out. */
  masked: string[]
  /** Those of the masked keys under which something is stored. */
  set: string[]
  /** Keys whose stored values cannot be read. */
  unreadable: string[]
}

export interface GroupValues extends Values {
  state: string
}

type Rows = ReadonlyMap<string, string>
type Precondition = (...held: string[]) => void

interface Services {
  options: OptionsStore
  catalog: Catalog
  database: Database
  legacy: LegacyMirror
}

export function settingsRepository({ options, catalog, database, legacy }: Services) {
  const { columns } = database
  const layouts = markedRows(database, 'user_interfaces')

  /** Settings are read much more often than they change. */
  const lastRead = new WeakMap<SettingsGroup, GroupValues>()

  function isSecret(key: string, setting: Setting | undefined): boolean {
    return setting ? setting.secret === true || setting.type === 'password' : namesSecret(key)
  }

  function read(keys: readonly string[], rows: Rows): Values {
    const values: Values = { texts: new Map(), masked: [], set: [], unreadable: [] }
    for (const key of keys) {
      const setting = catalog.find(key)
      if (isSecret(key, setting)) {
        values.masked.push(key)
        if (rows.get(key)?.trim()) values.set.push(key)
      }
      const text = isSecret(key, setting) || refusedFor(key) ? 'null' : textOf(setting, rows.get(key))
      if (text === undefined) values.unreadable.push(key)
      values.texts.set(key, text ?? 'null')
    }
    return values
  }

  const keysOf = (group: SettingsGroup) =>
    group.sections.flatMap(({ settings }) => settings.map(({ id }) => id))

  /** Secrets count, too: their change is a change of the group. */
  const stateOf = (group: SettingsGroup, rows: Rows) =>
    stateTag(...keysOf(group).map((key) => (refusedFor(key) ? '' : rows.get(key))))

  /** The row of a key, or what is wrong with the key or value. */
  function write(key: string, value: unknown, rows: Rows): { stored: string } | { problem: string } {
    const refused = keyProblem(key)
    if (refused) return { problem: refused }
    if (key === tokenKey) return value === '' ? { stored: '' } : { problem: 'can only be cleared, with ""' }
    const setting = catalog.find(key)
    const stored = rows.get(key)
    if (!setting && stored === undefined) return { problem: 'is no known setting' }
    if (stored !== undefined && isAsRead(key, setting, stored, value)) return { stored }
    if (setting?.type === 'number' && value === null && setting.default === null) return { stored: '' }
    const shape = setting ? shapeOf(setting) : shapeOfStored(stored ?? '')
    const written = writeSetting(shape, value)
    if ('problem' in written) return written
    if (setting?.choices && ![value].flat().every((item) => isChoice(setting, item))) {
      return { problem: `must be one of ${setting.choices.join(', ')}` }
    }
    return fitting(key, () =>
      shape === 'lists' || shape === 'model'
        ? columns.json('options', 'option_value', key, value)
        : columns.text('options', 'option_value', key, written.stored),
    )
  }

  /** What was read can be sent back, also where others stored what we would not, or what cannot be read. */
  function isAsRead(key: string, setting: Setting | undefined, stored: string, value: unknown): boolean {
    if (isSecret(key, setting)) return false
    const text = textOf(setting, stored)
    return text === undefined ? value === null : sameJson(value, text)
  }

  /** The layout with this slug becomes the default. A slug that none has changes nothing, as where no legacy layouts are. */
  async function showLayout(trx: Kysely<Tables>, slug: unknown): Promise<void> {
    await layouts.enter(trx)
    const rows = await legacy.layouts.enter(trx)
    const id = rows && legacy.layouts.ownerOf(rows, String(slug))
    if (id !== undefined && (await layouts.read(id, trx))) await layouts.setMark(trx, id)
  }

  return {
    /** @throws SvcError 400 for keys that are none, or that have a route of their own */
    async values(keys: readonly string[]): Promise<Values> {
      const problems = keys.map(
        (key) => [key, isSettingKey(key) ? routeProblem(key) : keyProblem(key)] as const,
      )
      refuse(problems)
      return read(keys, await options.getMany(keys))
    },

    /** The same object as long as nothing has changed. */
    async group(group: SettingsGroup): Promise<GroupValues> {
      const keys = keysOf(group)
      const rows = await options.getMany(keys)
      const state = stateOf(group, rows)
      const last = lastRead.get(group)
      if (last?.state === state) return last
      const values = { ...read(keys, rows), state }
      lastRead.set(group, values)
      return values
    },

    /**
     * @param precondition must hold for the tab or the section of each key
     * @throws SvcError 400 for no setting or too many, and naming every bad key; what `precondition` throws
     */
    async save(body: Record<string, unknown>, precondition?: Precondition): Promise<Values> {
      const keys = Object.keys(body)
      assertCount(keys.length)
      const places = precondition ? placesOf(keys) : []
      const readable = [...keys.filter(isSettingKey), ...places.flat().flatMap(keysOf)]
      let values: Values | undefined
      await options.change(
        [...new Set(readable)],
        (rows) => {
          for (const groups of places) precondition?.(...groups.map((group) => stateOf(group, rows)))
          const written = keys.map((key) => [key, write(key, body[key], rows)] as const)
          refuse(written.map(([key, result]) => [key, 'problem' in result ? result.problem : undefined]))
          const texts = Object.fromEntries(
            written.map(([key, result]) => [key, 'stored' in result ? result.stored : '']),
          )
          values = read(keys, new Map(Object.entries(texts)))
          return texts
        },
        {
          alone: precondition !== undefined,
          first: keys.includes(shownLayoutKey) ? (trx) => showLayout(trx, body[shownLayoutKey]) : undefined,
        },
      )
      return values ?? { texts: new Map(), masked: [], set: [], unreadable: [] }
    },
  }

  /** Tab and section of the keys, each pair once: a client may hold the tag of either. */
  function placesOf(keys: readonly string[]): SettingsGroup[][] {
    const places = new Map<string, SettingsGroup[]>()
    for (const setting of keys.map((key) => catalog.find(key))) {
      if (!setting) continue
      const { tab, section } = setting
      const groups = [tab, section].flatMap((slug) => catalog.group(slug) ?? [])
      // The slug of a section may stand for something in another tab.
      places.set(
        `${tab}/${section}`,
        groups.filter((group) => group.tab === tab),
      )
    }
    return [...places.values()]
  }
}

function assertCount(count: number): void {
  if (count === 0) {
    const error = missingParams(['svc_…'])
    error.message = 'At least one setting is required.'
    throw error
  }
  if (count > mostKeys) throw invalidParams({ body: `must have at most ${mostKeys} settings` })
}

/** Some defaults are none of the choices, and can be sent back all the same. */
const isChoice = (setting: Setting, item: unknown) =>
  item === setting.default || setting.choices?.includes(String(numberOf(item) ?? item))

/** The text to store, or why the column cannot hold it. */
function fitting(key: string, text: () => string): { stored: string } | { problem: string } {
  try {
    return { stored: text() }
  } catch (error) {
    const params = error instanceof SvcError ? error.data.params : undefined
    if (params === undefined) throw error
    return { problem: String(Reflect.get(Object(params), key)) }
  }
}

/** JSON text of a value; undefined when it cannot be read. */
function textOf(setting: Setting | undefined, stored: string | undefined): string | undefined {
  if (stored === undefined) return JSON.stringify(setting?.default ?? null)
  if (!setting) return readSetting(shapeOfStored(stored), stored)
  return readSetting(shapeOf(setting), stored, JSON.stringify(setting.default))
}

function keyProblem(key: string): string | undefined {
  if (!key.startsWith('svc_')) return 'does not start with svc_'
  if (!isSettingKey(key)) return 'is no setting key: letters, digits, "_", "-", "." and ":" may follow svc_'
  const route = routeOf(key)
  if (!route) return undefined
  return route.startsWith('/') ? `is not written here; use ${route}` : 'belongs to this API itself'
}

function routeProblem(key: string): string | undefined {
  const route = refusedFor(key)
  return route && `is not read here; use ${route}`
}

/** All problems in one answer. */
function refuse(problems: (readonly [key: string, problem: string | undefined])[]): void {
  const bad = problems.filter((entry): entry is readonly [string, string] => entry[1] !== undefined)
  if (bad.length > 0) throw invalidParams(Object.fromEntries(bad))
}
