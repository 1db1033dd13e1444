// settings.md: every setting of the catalog, by tab and section.
import { settingsCatalog } from '../../../src/settings/catalog.ts'
import type { Setting } from '../../../src/settings/setting.ts'
import { code, pageHead, prose, table } from './markdown.ts'

function shapeOf({ type, choices, minimum, maximum, format, secret, readOnly }: Setting): string {
  const parts: string[] = [type]
  if (choices) parts.push(choices.map(code).join(', '))
  if (minimum !== undefined) parts.push(`at least ${minimum}`)
  if (maximum !== undefined) parts.push(`at most ${maximum}`)
  if (format !== undefined) parts.push(format)
  if (secret || type === 'password') parts.push('secret')
  if (readOnly) parts.push('read-only')
  return parts.join('; ')
}

function defaultOf({ default: value }: Setting): string {
  const text = JSON.stringify(value)
  return text === '""' ? '' : code(text.length > 80 ? `${text.slice(0, 77)}…` : text)
}

const row = (setting: Setting) => [
  code(setting.id),
  shapeOf(setting),
  defaultOf(setting),
  `${prose(setting.label.replace(/[.:]+$/, ''))}. ${prose(setting.description)}`,
]

export function settingsPage(): string {
  const { all, tabs } = settingsCatalog()
  const sections = tabs.map((tab) => {
    const own = all.filter((setting) => setting.tab === tab)
    const parts = [...Map.groupBy(own, ({ section }) => section)].map(
      ([section, settings]) =>
        `### ${prose(settings[0]?.sectionLabel ?? '')} (${code(section)})\n\n${table(['Setting', 'Type', 'Default', 'Meaning'], settings.map(row))}`,
    )
    return `## ${tab}\n\n${parts.join('\n')}`
  })
  const text = `${all.length} settings in ${tabs.length} tabs, read and written by \`/settings\` and on the settings screen. Each is a row of the options table of
the CMS. A setting without a row has its default. Secrets can be set and are never shown; a host adds its own by the option
[settings](options.md#settings).`
  return `${pageHead('Settings', 'the catalog of settings', text)}\n${sections.join('\n')}`
}
