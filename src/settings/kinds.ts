// The kinds of settings, as the tabs list them: what a setting is, then the sentence that describes it.
import type { SettingFacts, SettingType } from './setting.ts'

type Value = SettingFacts['default']
type More = Omit<SettingFacts, 'id' | 'type' | 'label' | 'default' | 'description'>

/** A setting of a rare kind. */
export function setting(type: SettingType, id: string, label: string, value: Value, more: More = {}) {
  return {
    says: (description: string): SettingFacts => ({ id, type, label, default: value, ...more, description }),
  }
}

const kind =
  <V extends Value>(type: SettingType, unset: V) =>
  (id: string, label: string, value: V = unset, more?: More) =>
    setting(type, id, label, value, more)

/** Off where no value is named. */
export const checkbox = kind<boolean>('checkbox', false)
export const text = kind<string>('text', '')
export const select = kind<string>('select', '')
export const radio = kind<string>('radio', '')
export const multiselect = kind<readonly string[]>('multiselect', [])
export const password = (id: string, label: string) => setting('password', id, label, '', { secret: true })

/** Null is a number that is not set. */
export const number = (id: string, label: string, value: number | null, [minimum, maximum]: Range) =>
  setting('number', id, label, value, { minimum, maximum })

type Range = readonly [minimum: number, maximum: number]

/** Prices, counts, and sizes in pixels. */
export const amount: Range = [0, 1_000_000]
/** Sizes on a screen in pixels. */
export const onScreen: Range = [0, 100_000]

export const section = (section: string, sectionLabel: string, settings: SettingFacts[]) => ({
  section,
  sectionLabel,
  settings,
})

/** A tab of our own settings, as the files in `tabs/` list them. */
export const tab = (tab: string, sections: ReturnType<typeof section>[]) => ({ tab, sections })

export type SettingsTab = ReturnType<typeof tab>
