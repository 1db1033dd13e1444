// /settings: the index of all settings, and their values by key and by group.
import { SvcError } from '../../src/core/errors.ts'
import { ifMatch, matchesEtag, setEtag } from '../../src/http/etag.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { totalMeta, withUnreadable } from '../../src/http/pagination.ts'
import { principalOf } from '../../src/http/principal.ts'
import { ok, pick } from '../../src/http/response.ts'
import { FieldsQuery, type Meta, responses } from '../../src/http/schema.ts'
import type { SettingsGroup } from '../../src/settings/catalog.ts'
import { dedicatedRoute } from '../../src/settings/keys.ts'
import { MB, uploadSizeKey } from '../../src/settings/master-profile.ts'
import type { Setting } from '../../src/settings/setting.ts'
import { type GroupValues, settingsRepository, type Values } from '../../src/settings/stored-settings.ts'
import {
  GroupParams,
  IndexQuery,
  SettingGroup,
  SettingIndex,
  SettingItem,
  SettingsPatch,
  SettingValues,
  ValuesQuery,
} from './schema.ts'

/** `meta` of a response with values; undefined if all of them are shown. */
function metaOf({ masked, unreadable }: Values): Meta | undefined {
  if (masked.length + unreadable.length === 0) return undefined
  return withUnreadable(
    masked.length > 0 ? { masked } : {},
    unreadable.map((key) => ({ id: key, column: 'option_value' })),
  )
}

/** A JSON object from keys and the JSON of their values. */
const objectJson = (entries: Iterable<[string, string]>) =>
  `{${Array.from(entries, ([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`

/** The routes of settings. An update writes all values or none. */
export default group('settings', (app, context) => {
  const { catalog } = context
  const settings = settingsRepository(context)
  const catalogFields = new Set(Object.keys(SettingItem.properties))
  /** The JSON of each setting without its value, which never changes. */
  const settingJson = new Map(
    catalog.all.map((setting) => [setting, JSON.stringify(pick(setting, catalogFields))]),
  )
  const indexJson = `[${[...settingJson.values()].join(',')}]`

  app.get('/', {
    schema: {
      operationId: 'list_settings',
      summary: 'List the settings catalog',
      description: 'What each setting is, without values.',
      querystring: IndexQuery,
      response: responses(200, SettingIndex),
    },
    handler: async (request, reply) => {
      const { search, tab } = request.query
      const selection = selectedFields(request.query, SettingItem)
      if (!search && tab === undefined && selection.key === '')
        return ok(indexJson, totalMeta(reply, settingJson.size))
      const list = catalog.search(search, tab)
      const listed = list.map((setting) =>
        selection.key === '' ? settingJson.get(setting) : JSON.stringify(pick(setting, selection)),
      )
      return ok(`[${listed.join(',')}]`, totalMeta(reply, list.length))
    },
  })

  app.get('/values', {
    config: { takes: [] },
    schema: {
      operationId: 'get_settings',
      summary: 'Get the values of settings',
      description: 'Up to 100 keys at once. Secrets are null and listed in `meta.masked`.',
      querystring: ValuesQuery,
      response: responses(200, SettingValues),
    },
    handler: async (request) => {
      const keys = [...new Set(request.query['keys[]'])]
      const { fields, _fields } = request.query
      const isWhole = fields === undefined && _fields === undefined
      // The fields of this representation are the requested keys.
      const properties = isWhole ? {} : Object.fromEntries(keys.map((key) => [key, true]))
      const selection = selectedFields(request.query, { properties })
      const values = await settings.values(keys)
      const entries = isWhole ? values.json : [...values.json].filter(([key]) => selection.has(key))
      return ok(objectJson(entries), metaOf(values))
    },
  })

  /** The last result of `sectionsJson` for each group: `settings.group` returns the same values as long as nothing changes. */
  const lastSections = new Map<SettingsGroup, { values: GroupValues; json: string }>()

  /** The JSON of the sections of a group, with the values of their settings. */
  function sectionsJson(group: SettingsGroup, values: GroupValues): string {
    const cached = lastSections.get(group)
    if (cached?.values === values) return cached.json
    const optionJson = (setting: Setting) => {
      const route = dedicatedRoute(setting.id)
      const itemStart = settingJson.get(setting)?.slice(0, -1)
      return `${itemStart},"value":${values.json.get(setting.id)}${route ? `,"route":${JSON.stringify(route)}` : ''}}`
    }
    const sections = group.sections.map(({ section, sectionLabel, settings }) => {
      const sectionStart = JSON.stringify({ section, sectionLabel }).slice(0, -1)
      return `${sectionStart},"options":[${settings.map(optionJson).join(',')}]}`
    })
    const json = `[${sections.join(',')}]`
    lastSections.set(group, { values, json })
    return json
  }

  app.get('/groups/:tab', {
    schema: {
      operationId: 'get_settings_group',
      summary: 'Get a group of settings with values',
      params: GroupParams,
      querystring: FieldsQuery,
      response: responses(200, SettingGroup),
    },
    handler: async (request, reply) => {
      const slug = request.params.tab
      const group = catalog.group(slug)
      if (!group) {
        throw new SvcError('svc_settings_group_not_found', {
          message: `No settings tab or section "${slug}"; the tabs are ${catalog.tabs.join(', ')}.`,
        })
      }
      const selection = selectedFields(request.query, SettingGroup)
      const values = await settings.group(group)
      const etag = setEtag(reply, values.state, selection.key)
      if (matchesEtag(request, etag)) return reply.code(304).send()
      const fields: [string, string][] = [
        ['tab', JSON.stringify(group.tab)],
        ['sections', sectionsJson(group, values)],
      ]
      return ok(objectJson(fields.filter(([name]) => selection.has(name))), metaOf(values))
    },
  })

  app.patch('/', {
    schema: {
      operationId: 'update_settings',
      summary: 'Update settings',
      description:
        'A flat map of keys and values, all or nothing. Secrets and the API token can only be set or cleared, never read. They and where files go can be changed with all rights only.',
      body: SettingsPatch,
      response: responses(200, SettingValues),
    },
    handler: async (request) => {
      const values = await settings.save(request.body as Record<string, unknown>, {
        precondition: ifMatch(request),
        mayChangeGuarded: principalOf(request).scopes === 'all',
      })
      const warnings = await uploadWarnings(values)
      const meta = metaOf(values)
      return ok(objectJson(values.json), warnings.length > 0 ? { ...meta, warnings } : meta)
    },
  })

  /** A warning if the limit of uploads was written, but the master print profile sets another one, which wins. */
  async function uploadWarnings({ json }: Values): Promise<string[]> {
    const writtenLimit = Number(json.get(uploadSizeKey))
    if (!json.has(uploadSizeKey) || !(writtenLimit > 0)) return []
    const { bytes } = await context.uploadLimits()
    if (bytes === Math.floor(writtenLimit * MB)) return []
    const limit = Number((bytes / MB).toFixed(2))
    return [
      `${uploadSizeKey} has no effect: customImageParameters.maxSize of the master print profile limits uploads to ${limit} MB.`,
    ]
  }
})
