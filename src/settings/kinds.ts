// The kinds of settings, as the tabs list them: what a setting is, then the sentence that describes it.
import type { SettingFacts, SettingType } from './setting.ts'

type Value = SettingFacts['default']
type More = Omit<SettingFacts, 'id' | 'type' | 'label' | 'default' | 'description'>

/**
 * A setting of a kind that has no function of its own below. `says` adds the sentence that describes it.
 * @param value the default
 * @param more choices, range, form, and whether it is secret or read-only
 */
export function setting(type: SettingType, id: string, label: string, value: Value, more: More = {}) {
  return {
    says: (description: string): SettingFacts => ({ id, type, label, default: value, ...more, description }),
  }
}

/** Makes the function of a kind of setting. @param unset the default where a setting names none */
const kind =
  <V extends Value>(type: SettingType, unset: V) =>
  (id: string, label: string, value: V = unset, more?: More) =>
    setting(type, id, label, value, more)

/** A switch, which is off where no value is named. */
export const checkbox = kind<boolean>('checkbox', false)
/** A line of text; empty where no value is named. */
export const text = kind<string>('text', '')
/** One of `choices`, chosen from a menu. */
export const select = kind<string>('select', '')
/** One of `choices`, all of them visible. */
export const radio = kind<string>('radio', '')
/** Several of `choices`; none where no value is named. */
export const multiselect = kind<readonly string[]>('multiselect', [])
/** A secret, which can be set but is never shown. */
export const password = (id: string, label: string) => setting('password', id, label, '', { secret: true })

/** A number within a range; a default of null means that the number is not set. */
export const number = (id: string, label: string, value: number | null, [minimum, maximum]: Range) =>
  setting('number', id, label, value, { minimum, maximum })

type Range = readonly [minimum: number, maximum: number]

/** The range of prices, of counts and of sizes in pixels. */
export const amount: Range = [0, 1_000_000]
/** The range of sizes on a screen in pixels. */
export const onScreen: Range = [0, 100_000]

/** A section of a tab: its slug, its label and its settings. */
export const section = (section: string, sectionLabel: string, settings: SettingFacts[]) => ({
  section,
  sectionLabel,
  settings,
})

/** A tab of the settings that this package brings, by its slug; the files in `tabs/` list them. */
export const tab = (tab: string, sections: ReturnType<typeof section>[]) => ({ tab, sections })

export type SettingsTab = ReturnType<typeof tab>
