// Schemas of settings in requests and responses: the index (what settings there are), values by key, and groups (both, by tab or section).
import { Type } from '@sinclair/typebox'
import { Enum, fieldsQuery, searchQuery } from '../../src/http/schema.ts'
import { StoredText } from '../../src/http/serialize.ts'
import { settingTypes } from '../../src/settings/setting.ts'

const Value = (description: string) => Type.Unknown({ description })

const Slug = (noun: string) => Type.String({ description: `Slug of the ${noun}.` })
const SectionLabel = Type.String({ description: 'Label of the section.' })

/** What a setting is: the properties that the index and groups share. */
const indexFields = {
  id: Type.String({ description: 'Option key; starts with svc_.' }),
  label: Type.String({ description: 'Label for people.' }),
  description: Type.String({ description: 'What the setting does; may be empty.' }),
  type: Enum(settingTypes, {
    description:
      'checkbox: boolean; number: number; multiselect, select-sortable: array; color-lists: object; all others: string.',
  }),
  default: Value('Value when nothing is stored.'),
  tab: Slug('tab'),
  section: Slug('section'),
  sectionLabel: SectionLabel,
}

/** A setting of the index, without its value. Groups have `GroupItem`, with the value. */
export const SettingItem = Type.Object(indexFields)

/** The data of the index, which handlers return as JSON text, because most of it never changes. */
export const SettingIndex = Type.Array(SettingItem, { [StoredText]: true })

/** The data of the values: a JSON object, which handlers return as text. */
export const SettingValues = Type.Unsafe<string>({
  type: 'object',
  additionalProperties: true,
  description: 'Typed values by key; null for secrets and for keys that are neither known nor stored.',
  [StoredText]: true,
})

/** A setting of a group, with its value. */
const GroupItem = Type.Object({
  ...indexFields,
  value: Value('Typed value; null for secrets and for settings with a route of their own.'),
  route: Type.Optional(Type.String({ description: 'The route to use instead.' })),
})

/** A section of a tab with its settings. */
const Section = Type.Object({
  section: Slug('section'),
  sectionLabel: SectionLabel,
  options: Type.Array(GroupItem, { description: 'Its settings.' }),
})

/** The data of a tab or section: its settings with their values, which handlers return as JSON text. */
export const SettingGroup = Type.Object(
  { tab: Slug('tab'), sections: Type.Array(Section, { description: 'Sections of the tab.' }) },
  { [StoredText]: true },
)

/** The query of the index. */
export const IndexQuery = Type.Object({
  ...fieldsQuery,
  ...searchQuery,
  tab: Type.Optional(Type.String({ description: 'Slug of a tab or section.' })),
})

/** The query of the values. */
export const ValuesQuery = Type.Object({
  ...fieldsQuery,
  'keys[]': Type.Array(Type.String(), { minItems: 1, maxItems: 100, description: 'Keys of the settings.' }),
})

/** The path of a tab or section. */
export const GroupParams = Type.Object({
  tab: Type.String({ description: 'Slug of a tab or section.' }),
})

/** The body of PATCH. */
export const SettingsPatch = Type.Object(
  {},
  { additionalProperties: true, description: 'Values by key. All are written, or none.' },
)
