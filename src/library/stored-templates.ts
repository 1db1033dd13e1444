// Reads and changes the list of text templates in its option, without losing unknown properties.
import { lengthOfStored, readStoredJson } from '../db/stored-json.ts'
import { parseExact } from '../json/parse.ts'
import { isObject } from '../json/values.ts'

/** The option with the list. */
export const templatesKey = 'svc_text_templates'

/** Values of `text_align`. */
export const textAligns = ['left', 'center', 'right'] as const

/** A template as the API returns it. */
export interface TextTemplate {
  text: string
  font_family: string
  font_size: number
  text_align: (typeof textAligns)[number]
}

/** A stored entry: an object, possibly with unknown properties, or any other value that other software stored. */
export type StoredTemplate = unknown

/** Characters of a text. */
export const maxTextLength = 65_535

/** Values of properties that are absent. */
export const templateDefaults = { font_family: '', font_size: 16, text_align: 'left' } as const

/** The entries in order; undefined if they cannot be read. */
export function readTemplates(stored: string | undefined): StoredTemplate[] | undefined {
  const text = readStoredJson(stored ?? null, '[]')
  const list = text === undefined ? undefined : parseExact(text)
  // PHP writes a list with gaps as an object.
  if (typeof list !== 'object' || list === null) return undefined
  return Object.values(list)
}

/** The number of templates in these options. An unreadable list counts as empty. */
export const templateCount = (options: ReadonlyMap<string, string>): number =>
  lengthOfStored(options.get(templatesKey) ?? null) ?? 0

/** The template of an entry, with defaults for values that are absent or have the wrong type. */
export function templateOf(entry: StoredTemplate): TextTemplate {
  const { text, properties } = partsOf(entry)
  const size = Number(properties.fontSize)
  return {
    text: textOf(text),
    font_family: textOf(properties.fontFamily),
    font_size: Number.isSafeInteger(size) && size > 0 ? size : templateDefaults.font_size,
    text_align: textAligns.find((align) => align === properties.textAlign) ?? templateDefaults.text_align,
  }
}

/** The entry with these properties changed; the other ones stay in their positions. */
export function changedEntry(entry: StoredTemplate, changes: Partial<TextTemplate>): StoredTemplate {
  const { text, font_family, font_size, text_align } = changes
  const parts = partsOf(entry)
  const properties = {
    ...parts.properties,
    ...(font_family === undefined ? {} : { fontFamily: font_family }),
    ...(font_size === undefined ? {} : { fontSize: font_size }),
    ...(text_align === undefined ? {} : { textAlign: text_align }),
  }
  return { ...parts, ...(text === undefined ? {} : { text }), properties }
}

function partsOf(entry: StoredTemplate) {
  const parts = isObject(entry) ? entry : {}
  return { ...parts, text: parts.text, properties: isObject(parts.properties) ? parts.properties : {} }
}

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
