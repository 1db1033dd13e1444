// /settings: the index of all settings, their values by key and by group, and writing them.
import { SvcError } from '../../src/errors.ts'
import { ifMatch, isKnown, tag } from '../../src/http/etag.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { wholeMeta, withUnreadable } from '../../src/http/pagination.ts'
import { ok, pick } from '../../src/http/response.ts'
import { answers, type Meta } from '../../src/http/schema.ts'
import type { SettingsGroup } from '../../src/settings/catalog.ts'
import { refusedFor } from '../../src/settings/keys.ts'
import type { Setting } from '../../src/settings/setting.ts'
import { type GroupValues, settingsRepository, type Values } from '../../src/stored-settings/repository.ts'
import {
  GroupParams,
  GroupQuery,
  IndexQuery,
  SettingGroup,
  SettingIndex,
  SettingItem,
  SettingsPatch,
  SettingValues,
  ValuesQuery,
} from './schema.ts'

const tags = ['settings']

function metaOf({ masked, unreadable }: Values): Meta | undefined {
  if (masked.length + unreadable.length === 0) return undefined
  return withUnreadable(
    masked.length > 0 ? { masked } : {},
    unreadable.map((key) => ({ id: key, column: 'option_value' })),
  )
}

const objectText = (texts: Iterable<[string, string]>) =>
  `{${Array.from(texts, ([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`

export default group('settings', 'settings', (app, context) => {
  const { catalog } = context
  const settings = settingsRepository(context)
  const known = new Set(Object.keys(SettingItem.properties))
  const items = new Map(catalog.all.map((setting) => [setting, JSON.stringify(pick(setting, known))]))
  const index = `[${[...items.values()].join(',')}]`

  app.get('/', {
    schema: {
      operationId: 'list_settings',
      tags,
      querystring: IndexQuery,
      response: answers(200, SettingIndex),
    },
    handler: async (request, reply) => {
      const { search, tab } = request.query
      const selection = selectedFields(request.query, SettingItem)
      if (!search && tab === undefined && selection.key === '') return ok(index, wholeMeta(reply, items.size))
      const list = catalog.search(search, tab)
      const texts = list.map((setting) =>
        selection.key === '' ? items.get(setting) : JSON.stringify(pick(setting, selection)),
      )
      return ok(`[${texts.join(',')}]`, wholeMeta(reply, list.length))
    },
  })

  app.get('/values', {
    schema: {
      operationId: 'get_settings',
      tags,
      querystring: ValuesQuery,
      response: answers(200, SettingValues),
    },
    handler: async (request) => {
      const keys = [...new Set(request.query['keys[]'])]
      // The members of this representation are the keys that were asked for.
      const selection = selectedFields(request.query, {
        properties: Object.fromEntries(keys.map((key) => [key, true])),
      })
      const values = await settings.values(keys)
      return ok(objectText([...values.texts].filter(([key]) => selection.has(key))), metaOf(values))
    },
  })

  const groupTexts = new WeakMap<GroupValues, string>()

  function groupText(group: SettingsGroup, values: GroupValues): string {
    const known = groupTexts.get(values)
    if (known !== undefined) return known
    const optionText = (setting: Setting) => {
      const route = refusedFor(setting.id)
      const item = items.get(setting)?.slice(0, -1)
      return `${item},"value":${values.texts.get(setting.id)}${route ? `,"route":${JSON.stringify(route)}` : ''}}`
    }
    const sections = group.sections.map(({ section, sectionLabel, settings }) => {
      const head = JSON.stringify({ section, sectionLabel }).slice(0, -1)
      return `${head},"options":[${settings.map(optionText).join(',')}]}`
    })
    const text = `[${sections.join(',')}]`
    groupTexts.set(values, text)
    return text
  }

  app.get('/groups/:tab', {
    schema: {
      operationId: 'get_settings_group',
      tags,
      params: GroupParams,
      querystring: GroupQuery,
      response: answers(200, SettingGroup),
    },
    handler: async (request, reply) => {
      const slug = request.params.tab
      const group = catalog.group(slug)
      if (!group) {
        throw new SvcError('svc_settings_group_not_found', {
          message: `There is no tab or section "${slug}" of settings; the tabs are ${catalog.tabs.join(', ')}.`,
        })
      }
      const selection = selectedFields(request.query, SettingGroup)
      const values = await settings.group(group)
      const etag = tag(reply, values.state, selection.key)
      if (isKnown(request, etag)) return reply.code(304).send()
      const texts: [string, string][] = [
        ['tab', JSON.stringify(group.tab)],
        ['sections', groupText(group, values)],
      ]
      return ok(objectText(texts.filter(([name]) => selection.has(name))), metaOf(values))
    },
  })

  app.patch('/', {
    schema: {
      operationId: 'update_settings',
      tags,
      body: SettingsPatch,
      response: answers(200, SettingValues),
    },
    handler: async (request) => {
      const values = await settings.save(request.body as Record<string, unknown>, ifMatch(request))
      return ok(objectText(values.texts), metaOf(values))
    },
  })
})
