// What a setting is: the shape of the catalog's entries, and of those that a host adds.

export const settingTypes = [
  'checkbox',
  'number',
  'text',
  'password',
  'upload',
  'select',
  'radio',
  'multiselect',
  'select-sortable',
  'multi-color-input',
  'values-group',
  'color-lists',
  'text-templates',
  'color-library',
] as const

/** How a value is typed over the wire: checkbox boolean, number number, the two selects of many arrays, color-lists object, else text. */
export type SettingType = (typeof settingTypes)[number]

interface SettingFacts {
  /** Option key; starts with `svc_`. */
  id: string
  type: SettingType
  label: string
  /** One sentence. */
  description: string
  /** Value while the option row is absent. A number whose default is null may be set to null, which empties it. */
  default: boolean | number | string | null | readonly (string | number)[] | Readonly<Record<string, unknown>>
  /** The only values that are accepted, beside the default. */
  choices?: readonly string[]
  /** Never given out, only set. Passwords are secret anyway. */
  secret?: boolean
  /** Belongs to another route, or can only be cleared. */
  readOnly?: boolean
}

/** A setting with its place on the settings screen. */
export interface Setting extends SettingFacts {
  tab: string
  section: string
  sectionLabel: string
}

/** Our own settings, as the files beside this one list them. */
export interface SettingsTab {
  tab: string
  sections: { section: string; sectionLabel: string; settings: SettingFacts[] }[]
}
