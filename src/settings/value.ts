// How values of settings stand in their option rows: read in every form that PHP leaves there, written as PHP reads them.
import { PhpFormatError, phpFromJson, readPhp, writePhp } from '../db/php-value.ts'
import { readFlag, readStoredJson } from '../db/stored-json.ts'
import { extentOf, isObject, isWellFormed, numberOf, parseExact } from '../json.ts'
import type { Setting } from './setting.ts'

/** What a value is over the wire; `tree` and `model` are arrays or objects that PHP serializes or keeps as JSON. */
export type Shape = 'flag' | 'number' | 'text' | 'list' | 'lists' | 'tree' | 'model'

/** Shape of a catalogued setting. */
export function shapeOf({ type }: Pick<Setting, 'type'>): Shape {
  switch (type) {
    case 'checkbox':
      return 'flag'
    case 'number':
      return 'number'
    case 'multiselect':
    case 'select-sortable':
      return 'list'
    case 'color-lists':
      return 'lists'
    case 'text-templates':
    case 'color-library':
      return 'model'
    default:
      return 'text'
  }
}

/** Shape of a row that no catalog knows, by what is stored in it. */
export function shapeOfStored(stored: string): Shape {
  if (stored === 'yes' || stored === 'no') return 'flag'
  if (/^a:\d+:\{/.test(stored)) return 'tree'
  const json = /^\s*[[{]/.test(stored) ? readStoredJson(stored, '{}') : undefined
  return json === undefined ? 'text' : 'model'
}

/**
 * The JSON text of the stored value; undefined when it cannot be read.
 * @param fallback JSON text for an empty number
 */
export function readSetting(shape: Shape, stored: string, fallback = 'null'): string | undefined {
  switch (shape) {
    case 'flag':
      return String(readFlag(scalarOf(stored)))
    case 'number':
      return readNumber(scalarOf(stored)?.trim(), fallback)
    case 'text': {
      const text = scalarOf(stored)
      return text === undefined ? undefined : JSON.stringify(text)
    }
    case 'list':
    case 'lists': {
      const json = readStoredJson(stored, shape === 'list' ? '[]' : '{}')
      return json === undefined ? undefined : inForm(shape, json)
    }
    default:
      return readStoredJson(stored, '[]')
  }
}

function readNumber(text: string | undefined, fallback: string): string | undefined {
  if (text === '') return fallback
  const number = Number(text)
  return text !== undefined && /^[+-]?[\d.]/.test(text) && Number.isFinite(number)
    ? String(number)
    : undefined
}

/** Arrays and objects within each other. */
const deepest = 512

/** PHP's arrays do not tell a list from an object: gaps make an object of a list, nothing makes a list of an object. */
function inForm(shape: 'list' | 'lists', json: string): string | undefined {
  const opening = json.trimStart()[0]
  if (opening !== '[' && opening !== '{') return undefined
  if ((opening === '[') === (shape === 'list')) return json
  // What is nested deeper than any body may be cannot be written anew either.
  if (extentOf(json).depth > deepest) return undefined
  const value = Object(parseExact(json))
  return JSON.stringify(shape === 'list' ? Object.values(value) : { ...value })
}

/** A text as PHP's get_option gives it: a serialized scalar is unwrapped. Undefined for arrays and objects. */
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

export type Written = { stored: string } | { problem: string }

/** The text to store for a value of a request, or what the value must be. */
export function writeSetting(shape: Shape, value: unknown): Written {
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
    case 'text':
      return typeof value === 'string' ? { stored: phpText(value) } : { problem: 'must be a text' }
    case 'list':
      return Array.isArray(value) &&
        value.every((item) => typeof item === 'string' || numberOf(item) !== undefined)
        ? phpArray(value)
        : { problem: 'must be an array of texts or numbers' }
    case 'lists':
      return isObject(value) ? jsonModel(value) : { problem: 'must be an object' }
    default: {
      if (!isStructure(value)) return { problem: 'must be an array or an object, as it is stored' }
      return shape === 'tree' ? phpArray(value) : jsonModel(value)
    }
  }
}

/** What looks serialized is serialized once more, as the CMS does it, so that it is read as the text it is. */
function phpText(text: string): string {
  return /^\s*(?:N;|[sbidaOCE]:)/.test(text) && text.isWellFormed() ? writePhp(text) : text
}

function phpArray(value: unknown): Written {
  try {
    return { stored: writePhp(phpFromJson(value)) }
  } catch (error) {
    if (error instanceof PhpFormatError) return { problem: 'cannot be stored as a PHP array' }
    throw error
  }
}

function jsonModel(value: unknown): Written {
  if (!isWellFormed(value)) return { problem: 'must not contain half of a surrogate pair' }
  return { stored: JSON.stringify(value) }
}

const isStructure = (value: unknown): value is object => isObject(value) || Array.isArray(value)
