// The shape of a setting, in the catalog and where a host adds its own.

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

/**
 * Determines the JSON type of a value: checkbox boolean, number number, multiselect and select-sortable array, color-lists object, else
 * string. The values of text-templates and color-library are read and written by routes of their own.
 */
export type SettingType = (typeof settingTypes)[number]

/** The forms of texts. Check-value.ts has the rule of each. */
export const textFormats = [
  // Several values in one text, separated by commas.
  'color-names', // hex:name
  'color-prices', // hex:price
  'swatches', // hex colors
  'colors', // hex colors or slugs of color lists
  'sizes', // width:height
  'mail-addresses',
  'order-states',
  // A single value, or each item of a list.
  'color', // a hex color
  'address', // a URL, or a path of the site
  'css-length', // or `auto`
  'amount', // or a percentage
  'locale',
  'file-name', // a template of file names
  'price',
  'word', // such as the name of a place
] as const
export type TextFormat = (typeof textFormats)[number]

/** A setting without its position. */
export interface SettingFacts {
  /** Option key; starts with `svc_`. */
  id: string
  type: SettingType
  label: string
  /** One sentence. */
  description: string
  /** Value without an option row. A number whose default is null may be set to null, which clears it. */
  default: boolean | number | string | null | readonly (string | number)[] | Readonly<Record<string, unknown>>
  /** The only accepted values, in addition to the default. */
  choices?: readonly string[]
  /** Range of a number. */
  minimum?: number
  maximum?: number
  /** Form of a text, or of each item of a list. */
  format?: TextFormat
  /** Can be set but is never shown. Passwords are always secret. */
  secret?: boolean
  /** Is written by another route, or can only be cleared. */
  readOnly?: boolean
}

/**
 * A setting with its position on the settings screen.
 * @example
 * ```ts
 * const note: Setting = {
 *   id: 'svc_shop_note',
 *   type: 'text',
 *   label: 'Note',
 *   description: 'Shown in the cart.',
 *   default: '',
 *   tab: 'general',
 *   section: 'shop',
 *   sectionLabel: 'Shop',
 * }
 * ```
 */
export interface Setting extends SettingFacts {
  tab: string
  section: string
  sectionLabel: string
}
