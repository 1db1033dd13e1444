// The list of text templates in its option: how entries are read, and how they are changed without losing what we do not know.
import { readStoredJson } from '../db/stored-json.ts'
import { parseExact } from '../json.ts'

export const templatesKey = 'svc_text_templates'

export const textAligns = ['left', 'center', 'right'] as const

export interface TextTemplate {
  text: string
  font_family: string
  font_size: number
  text_align: (typeof textAligns)[number]
}

/** An entry as it is stored, with whatever else others put there. */
export type StoredTemplate = Record<string, unknown>

export const templateDefaults = { font_family: '', font_size: 16, text_align: 'left' } as const

/** The entries in order; undefined when the stored text cannot be read. */
export function readTemplates(stored: string | undefined): StoredTemplate[] | undefined {
  const text = readStoredJson(stored ?? null, '[]')
  const list = text === undefined ? undefined : parseExact(text)
  // PHP writes a list with gaps as an object.
  if (typeof list !== 'object' || list === null) return undefined
  return Object.values(list).map((entry) => (isObject(entry) ? entry : {}))
}

export function templateOf(entry: StoredTemplate): TextTemplate {
  const properties = isObject(entry.properties) ? entry.properties : {}
  const size = Number(properties.fontSize)
  return {
    text: textOf(entry.text),
    font_family: textOf(properties.fontFamily),
    font_size: Number.isSafeInteger(size) && size > 0 ? size : templateDefaults.font_size,
    text_align: textAligns.find((align) => align === properties.textAlign) ?? templateDefaults.text_align,
  }
}

/** The entry with these members changed; all others stay, in their places. */
export function changedEntry(entry: StoredTemplate, changes: Partial<TextTemplate>): StoredTemplate {
  const { text, font_family, font_size, text_align } = changes
  const properties = {
    ...(isObject(entry.properties) ? entry.properties : {}),
    ...(font_family === undefined ? {} : { fontFamily: font_family }),
    ...(font_size === undefined ? {} : { fontSize: font_size }),
    ...(text_align === undefined ? {} : { textAlign: text_align }),
  }
  return { ...entry, ...(text === undefined ? {} : { text }), properties }
}

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
