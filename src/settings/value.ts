// The encoding of settings in their option rows: reads every form that PHP stores, writes what PHP reads.

import { membersOf } from '../core/foreign.ts'
import { phpFromJson } from '../db/php-json.ts'
import { PhpFormatError, readPhp, writePhp } from '../db/php-value.ts'
import { readFlag, readStoredJson } from '../db/stored-json.ts'
import { numberOf, parseExact } from '../json/parse.ts'
import { isObject, isWellFormed } from '../json/values.ts'
import type { Setting } from './setting.ts'

/**
 * Type of a value in JSON: `list` an array of strings or numbers, `lists` an object of lists, and for other arrays or objects `tree`, if
 * PHP has serialized it, or `model`, if it is stored as JSON.
 */
export type Shape = 'flag' | 'number' | 'string' | 'list' | 'lists' | 'tree' | 'model'

/** Shapes by the type of the setting; `string` for any other type. */
const shapes: Partial<Record<Setting['type'], Shape>> = {
  checkbox: 'flag',
  number: 'number',
  multiselect: 'list',
  'select-sortable': 'list',
  'color-lists': 'lists',
  'text-templates': 'model',
  'color-library': 'model',
}

/** Shape of a setting in the catalog. */
export const shapeOf = ({ type }: Pick<Setting, 'type'>): Shape => shapes[type] ?? 'string'

/** Shape of a row that is not in the catalog, derived from its value. */
export function shapeOfStored(stored: string): Shape {
  if (stored === 'yes' || stored === 'no') return 'flag'
  if (/^a:\d+:\{/.test(stored)) return 'tree'
  const json = /^\s*[[{]/.test(stored) ? readStoredJson(stored, '{}') : undefined
  return json === undefined ? 'string' : 'model'
}

/**
 * The stored value as JSON text; undefined if it cannot be read.
 * @param fallback JSON text for an empty number
 */
export function readSetting(shape: Shape, stored: string, fallback = 'null'): string | undefined {
  switch (shape) {
    case 'flag':
      return String(readFlag(scalarOf(stored)))
    case 'number':
      return readNumber(scalarOf(stored)?.trim(), fallback)
    case 'string': {
      const text = scalarOf(stored)
      return text === undefined ? undefined : JSON.stringify(text)
    }
    case 'list':
    case 'lists': {
      const json = readStoredJson(stored, '[]')
      return json === undefined ? undefined : inForm(shape, json)
    }
    default:
      return readStoredJson(stored, '[]')
  }
}

/** JSON of a stored number; the fallback for an empty text, undefined unless it is a number. */
function readNumber(text: string | undefined, fallback: string): string | undefined {
  if (text === '') return fallback
  const number = Number(text)
  return /^[+-]?[\d.]/.test(text ?? '') && Number.isFinite(number) ? String(number) : undefined
}

/**
 * JSON text of the array or object that the shape wants. PHP arrays do not distinguish lists from objects: a list with gaps reads
 * as an object, an empty object as a list. Undefined if the text is neither.
 */
function inForm(shape: 'list' | 'lists', json: string): string | undefined {
  const opening = json.trimStart()[0]
  if (opening !== '[' && opening !== '{') return undefined
  if ((opening === '[') === (shape === 'list')) return json
  const value = membersOf(parseExact(json))
  return JSON.stringify(shape === 'list' ? Object.values(value) : { ...value })
}

/** A string as PHP's get_option returns it: serialized scalars are decoded. Undefined for arrays and objects. */
function scalarOf(stored: string): string | undefined {
  if (!/^\s*(?:N;|[sbidaOCE]:\d)/.test(stored)) return stored
  try {
    const value = readPhp(stored.trim())
    if (typeof value === 'string') return value
    if (typeof value === 'boolean') return value ? '1' : ''
    if (value === null) return ''
    if (typeof value === 'bigint') return String(value)
    return 'float' in value ? value.float : undefined
  } catch (error) {
    if (!(error instanceof PhpFormatError)) throw error
    return /^\s*[aOCE]:\d+:["{]/.test(stored) ? undefined : stored
  }
}

/** What to store; or why the value is refused, as the end of a sentence about it. */
export type EncodedSetting = { stored: string } | { problem: string }

/** The string to store for a value of a request, or what the value must be. */
export function writeSetting(shape: Shape, value: unknown): EncodedSetting {
  switch (shape) {
    case 'flag':
      if (value === 'yes' || value === 'no') return { stored: value }
      return typeof value === 'boolean'
        ? { stored: value ? 'yes' : 'no' }
        : { problem: 'must be true or false' }
    case 'number':
      return numberOf(value) === undefined
        ? { problem: 'must be a number' }
        : { stored: JSON.stringify(value) }
    case 'string':
      return typeof value === 'string' ? { stored: phpString(value) } : { problem: 'must be a string' }
    case 'list':
      return Array.isArray(value) &&
        value.every((item) => typeof item === 'string' || numberOf(item) !== undefined)
        ? phpArray(value)
        : { problem: 'must be an array of strings or numbers' }
    case 'lists':
      // PHP writes an empty object as [].
      if (Array.isArray(value) && value.length === 0) return { stored: '{}' }
      return isObject(value) ? jsonModel(value) : { problem: 'must be an object' }
    default:
      if (!isStructure(value)) return { problem: 'must be an array or an object, as it is stored' }
      return shape === 'tree' ? phpArray(value) : jsonModel(value)
  }
}

/** Serializes a string that looks serialized once more, as the CMS does, so that it is read as the same string. */
function phpString(text: string): string {
  return /^\s*(?:N;|[sbidaOCE]:)/.test(text) && text.isWellFormed() ? writePhp(text) : text
}

/** An array or object as `serialize` of PHP writes it. */
function phpArray(value: unknown): EncodedSetting {
  try {
    return { stored: writePhp(phpFromJson(value)) }
  } catch (error) {
    if (error instanceof PhpFormatError) return { problem: 'cannot be stored as a PHP array' }
    throw error
  }
}

/** A value as JSON, which the readers in PHP decode. */
function jsonModel(value: unknown): EncodedSetting {
  if (!isWellFormed(value)) return { problem: 'must not contain a lone surrogate' }
  return { stored: JSON.stringify(value) }
}

const isStructure = (value: unknown): value is object => isObject(value) || Array.isArray(value)
