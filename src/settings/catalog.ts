// The catalog of settings, those of this package and those of the host, by key, tab and section.
import { contains } from '../db/fold.ts'
import { valueProblem } from './check-value.ts'
import { isSettingKey, rowWriter } from './keys.ts'
import type { SettingsTab } from './kinds.ts'
import { type Setting, settingTypes, textFormats } from './setting.ts'
import { addons } from './tabs/addons.ts'
import { advanced } from './tabs/advanced.ts'
import { api } from './tabs/api.ts'
import { autoPrintSettings } from './tabs/auto-print.ts'
import { elementProperties } from './tabs/element-properties.ts'
import { exportSettings } from './tabs/export.ts'
import { general } from './tabs/general.ts'
import { colors, fonts, textTemplates } from './tabs/library.ts'
import { woocommerce } from './tabs/woocommerce.ts'
import { shapeOf, writeSetting } from './value.ts'

const packageTabs: SettingsTab[] = [
  general,
  elementProperties,
  fonts,
  colors,
  woocommerce,
  exportSettings,
  autoPrintSettings,
  textTemplates,
  addons,
  advanced,
  api,
]

const settingsOf = ({ tab, sections }: SettingsTab): Setting[] =>
  sections.flatMap(({ section, sectionLabel, settings }) =>
    settings.map((facts) => ({ ...facts, tab, section, sectionLabel })),
  )

/** Further names of groups that clients use: each means sections of one tab. Tabs and sections of the same name take precedence. */
const groupAliases: Readonly<Record<string, { tab: string; sections: readonly string[] }>> = {
  uploads: { tab: 'element-properties', sections: ['custom-images'] },
  products: {
    tab: 'woocommerce',
    sections: ['product-page', 'catalog-listing', 'global-product-designer'],
  },
}

/** A tab, or some of its sections. */
export interface SettingsGroup {
  tab: string
  sections: { section: string; sectionLabel: string; settings: Setting[] }[]
}

export type Catalog = ReturnType<typeof settingsCatalog>

/**
 * The catalog of all settings. A server makes it once, when it starts; the plugins about settings share it.
 * @param added settings of the host
 * @throws Error with one sentence if a key exists already or does not start with `svc_`, or an entry is incomplete
 */
export function settingsCatalog(added: readonly Setting[] = []) {
  const packageSettings = packageTabs.flatMap(settingsOf)
  const all = [...packageSettings, ...added]
  const byKey = new Map(packageSettings.map((setting) => [setting.id, setting]))
  for (const setting of added) {
    assertSound(setting, byKey)
    byKey.set(setting.id, setting)
  }
  const groups = new Map<string, SettingsGroup>()
  for (const [slug, { tab, sections }] of Object.entries(groupAliases))
    groups.set(
      slug,
      groupOf(all.filter((setting) => setting.tab === tab && sections.includes(setting.section))),
    )
  const tabs = Map.groupBy(all, ({ tab }) => tab)
  // Tabs come last, because a slug that names both means the tab.
  for (const [slug, settings] of [...Map.groupBy(all, ({ section }) => section), ...tabs])
    groups.set(slug, groupOf(settings))
  return {
    /** In the order of the settings screen. */
    all,
    /** Slugs of the tabs in the same order. */
    tabs: [...tabs.keys()],
    /** The setting with this key; undefined for keys that are not in the catalog. */
    find: (key: string) => byKey.get(key),
    /** By the slug of a tab, else of a section or of several; undefined if there is none. */
    group: (slug: string) => groups.get(slug),
    /** All groups that contain the setting. */
    groupsWith: (setting: Setting): SettingsGroup[] =>
      [...groups.values()].filter(({ sections }) =>
        sections.some(({ settings }) => settings.includes(setting)),
      ),
    /** The settings whose key, label or description contains the text, whatever its case, in all tabs or in one tab or section. */
    search(text: string | undefined, slug?: string): Setting[] {
      const sections = slug === undefined ? undefined : (groups.get(slug)?.sections ?? [])
      const listed = sections?.flatMap(({ settings }) => settings) ?? all
      if (!text) return listed
      return listed.filter(({ id, label, description }) =>
        [id, label, description].some((part) => contains(part, text)),
      )
    },
  }
}

/** Checks a setting of the host. @param byId the settings that are in the catalog already */
function assertSound(setting: Setting, byId: Map<string, Setting>): void {
  const { id, type } = setting
  if (!isSettingKey(id)) throw new Error(`settings: "${id}" must be a key that starts with "svc_".`)
  if (byId.has(id)) throw new Error(`settings: the key "${id}" exists already.`)
  if (rowWriter(id)) throw new Error(`settings: the key "${id}" belongs to this API itself.`)
  if (!settingTypes.includes(type) || type === 'text-templates' || type === 'color-library') {
    throw new Error(`settings: "${id}" has the type "${type}", which a host's setting cannot have.`)
  }
  for (const property of ['label', 'description', 'tab', 'section', 'sectionLabel'] as const) {
    if (!setting[property]) throw new Error(`settings: "${id}" needs a ${property}.`)
  }
  if (setting.format !== undefined && !textFormats.includes(setting.format))
    throw new Error(`settings: "${id}" has an unknown format.`)
  const fits =
    setting.default === null
      ? type === 'number'
      : (type !== 'checkbox' || typeof setting.default === 'boolean') &&
        'stored' in writeSetting(shapeOf(setting), setting.default)
  if (!fits) throw new Error(`settings: "${id}" needs a default that fits the type "${type}".`)
  const problem = valueProblem(setting, setting.default, new Set())
  if (problem) throw new Error(`settings: the default of "${id}" ${problem}.`)
}

/**
 * The sections of the settings. The same section in two tabs is two sections; its slug alone means that of the first tab.
 * @param settings of one tab or section, in the order of the settings screen
 */
function groupOf(settings: readonly Setting[]): SettingsGroup {
  const tab = settings[0]?.tab ?? ''
  const tabSettings = settings.filter((setting) => setting.tab === tab)
  const sections = [...Map.groupBy(tabSettings, ({ section }) => section)]
  const labelOf = ([first]: readonly Setting[]) => first?.sectionLabel ?? ''
  return {
    tab,
    sections: sections.map(([section, all]) => ({ section, sectionLabel: labelOf(all), settings: all })),
  }
}
