// Settings as fields of a form: the control of each, and its stored value as the text that a browser sends for it. sent-values.ts turns
// sent texts into values.
import { hash } from 'node:crypto'
import { fromJson, parseExact } from '../../src/json/parse.ts'
import { extentOf } from '../../src/json/text.ts'
import type { SettingsGroup } from '../../src/settings/catalog.ts'
import { rowWriter } from '../../src/settings/keys.ts'
import type { Setting } from '../../src/settings/setting.ts'
import type { Values } from '../../src/settings/stored-settings.ts'
import { tokenKey } from '../../src/settings/token.ts'
import { shapeOf } from '../../src/settings/value.ts'

/** The control of a field. */
export type FieldKind =
  | 'flag' // a check box
  | 'number'
  | 'line' // a text of one line
  | 'text' // a text that is long or has line breaks
  | 'select'
  | 'radio'
  | 'choices' // check boxes
  | 'lines' // a list, one item per line
  | 'json'
  | 'secret'
  | 'token' // the API token, which the tab shows in its own way
  | 'fixed' // cannot be edited here

/** A setting with its value, as a form shows it. */
export interface Field {
  setting: Setting
  kind: FieldKind
  /** The stored value as the string that a browser sends for the unchanged field, with CRLF between lines and items. */
  storedText: string
  /** Parsed value; undefined if it is secret or cannot be read. */
  value: unknown
  /** Whether a value is stored; only for secrets. */
  isSet: boolean
  /** Whether the value is another than the default. */
  isChanged: boolean
  /** The stored value cannot be read. */
  isUnreadable: boolean
  /** Why the field is `fixed`. */
  reason?: string
}

/** Maximum length of a text in a field, in characters. */
const maxLength = 64 * 1024
/** Maximum nesting of JSON that can be edited in a field. */
const maxDepth = 100
/** Number of values up to which JSON is indented over lines; more stand on one line. */
const maxLines = 2000

/** The fields of all sections, in the order of the catalog. */
export function fieldsOf(group: SettingsGroup, values: Values): Field[] {
  return group.sections.flatMap(({ settings }) => settings.map((setting) => fieldOf(setting, values)))
}

function fieldOf(setting: Setting, { json, masked, set, unreadable }: Values): Field {
  const { id } = setting
  const isUnreadable = unreadable.includes(id)
  const isSecret = masked.includes(id)
  const text = isSecret || isUnreadable ? undefined : json.get(id)
  const reason = reasonOf(setting, isSecret, text)
  const value: unknown = text === undefined || reason !== undefined ? undefined : parseExact(text)
  const kind = reason === undefined ? kindOf(setting, isSecret, value) : 'fixed'
  const storedText = value === undefined ? emptyText(kind) : textFor(kind, value)
  const isSet = set.includes(id)
  const isChanged = kind === 'secret' ? isSet : isUnreadable || differs(kind, storedText, setting)
  return { setting, kind, storedText, value, isSet, isChanged, isUnreadable, ...(reason && { reason }) }
}

/** Whether a browser would send another text for the default. */
function differs(kind: FieldKind, storedText: string, { default: standard }: Setting): boolean {
  if (kind === 'fixed' || kind === 'token') return false
  return storedText !== (standard === null ? emptyText(kind) : textFor(kind, standard))
}

/** Why the field cannot be edited; undefined if it can. */
function reasonOf(setting: Setting, isSecret: boolean, text: string | undefined): string | undefined {
  const route = rowWriter(setting.id)
  if (route?.startsWith('/')) return 'Edited on a page of its own.'
  if (setting.id === tokenKey) return undefined
  if (setting.readOnly || route) return 'Read-only.'
  if (isSecret && shapeOf(setting) !== 'string')
    return 'A secret that is not a string: set it through the API.'
  if (text === undefined) return undefined
  if (text.length > maxLength) return 'Too long for this page: edit it through the API.'
  if (extentOf(text).depth > maxDepth) return 'Nested too deep for this page: edit it through the API.'
  return isCarried(text) ? undefined : 'Has characters that a form would change: edit it through the API.'
}

/** Whether a form sends the text back unchanged. A browser replaces NUL and lone surrogates, and normalizes line breaks. */
function isCarried(json: string): boolean {
  const values: unknown[] = [fromJson(json)].flat()
  return values.every((value) => {
    if (typeof value !== 'string') return true
    const breaks = new Set(value.match(/\r\n|\r|\n/g))
    return value.isWellFormed() && !value.includes('\0') && !breaks.has('\r') && breaks.size < 2
  })
}

function kindOf(setting: Setting, isSecret: boolean, value: unknown): FieldKind {
  if (setting.id === tokenKey) return 'token'
  if (isSecret) return 'secret'
  const shape = shapeOf(setting)
  const items = [value ?? []].flat().map(scalarText)
  const arePlain = [...items, ...(setting.choices ?? [])].every((item) => /^\S(?:[^\r\n]*\S)?$/.test(item))
  switch (shape) {
    case 'flag':
      return 'flag'
    case 'list':
      if (!arePlain) return 'json'
      return setting.choices && setting.type === 'multiselect' ? 'choices' : 'lines'
    case 'number':
    case 'string':
      if (setting.choices) return setting.type === 'radio' ? 'radio' : 'select'
      if (shape === 'number') return 'number'
      return typeof value === 'string' && /[\r\n]|.{100}/.test(value) ? 'text' : 'line'
    default:
      return 'json'
  }
}

/** The text that a browser sends for a field without a value. */
const emptyText = (kind: FieldKind) => (kind === 'flag' ? 'no' : '')

/** The text that a browser sends for a value. */
function textFor(kind: FieldKind, value: unknown): string {
  switch (kind) {
    case 'flag':
      return value === true ? 'yes' : 'no'
    case 'choices':
      return setText([value].flat().map(scalarText))
    case 'lines':
      return [value].flat().map(scalarText).join('\r\n')
    case 'json': {
      const text = JSON.stringify(value)
      return withCrLf(extentOf(text).values > maxLines ? text : JSON.stringify(value, null, 2))
    }
    default:
      return value === null ? '' : withCrLf(scalarText(value))
  }
}

/** An item or scalar as text. `JSON.stringify` writes numbers that a double would change, which are raw JSON, as they are stored. */
export const scalarText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Ticked items as one text in a fixed order, so that it can be compared: browsers send them in the order of the page. */
export const setText = (items: readonly string[]) => [...new Set(items)].sort().join('\r\n')

/** Line breaks as browsers send them. */
export const withCrLf = (text: string) => text.replace(/\r\n|\r|\n/g, '\r\n')

/** A short digest, which differs if a text was changed. It need not withstand attacks: the sender knows the text. */
export const digestOf = (sent: string): string => hash('sha256', sent, 'base64url').slice(0, 8)
