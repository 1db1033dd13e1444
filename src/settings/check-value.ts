// What a setting can mean beyond its type: the range of a number, and the form of a text.
import { problemInTemplate } from '../core/print-name.ts'
import { numberOf } from '../json/exact.ts'
import { isObject } from '../json/values.ts'
import type { Setting, TextFormat } from './setting.ts'

const isHex = (text: string) => /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text.trim())

/** The parts of a list as the CMS splits it, without empty ones. */
const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** The key and the value of `key:value`; undefined without a colon. */
function pairOf(part: string): [key: string, value: string] | undefined {
  const at = part.indexOf(':')
  return at < 0 ? undefined : [part.slice(0, at), part.slice(at + 1).trim()]
}

const isPositive = (text: string) => /^\d+(?:\.\d+)?$|^\.\d+$/.test(text)

interface Form {
  /** Whether one part of the list has this form. */
  fits(part: string, lists: ReadonlySet<string>): boolean
  must: string
  /** Whether the text is a single value. */
  isSingle?: true
}

const isAddress = (text: string) => {
  if (/[\s\x00-\x1f<>"]/.test(text)) return false
  return /^https?:/i.test(text) ? URL.canParse(text) : /^\/(?!\/)/.test(text)
}

const forms: Record<TextFormat, Form> = {
  'color-names': {
    fits: (part) => isHex(pairOf(part)?.[0] ?? ''),
    must: 'must be pairs such as ff0000:Red, separated by commas',
  },
  'color-prices': {
    fits(part) {
      const [hex = '', price = ''] = pairOf(part) ?? []
      return isHex(hex) && (price === '' || isPositive(price))
    },
    must: 'must be pairs such as ff0000:2.5, separated by commas, with prices of at least 0',
  },
  swatches: { fits: isHex, must: 'must be colors such as #ff0000, separated by commas' },
  colors: {
    fits: (part, lists) => isHex(part) || lists.has(part),
    must: 'must be colors such as #ff0000 or names of color lists, separated by commas',
  },
  sizes: {
    fits: (part) => pairOf(part)?.every((side) => isPositive(side.trim()) && Number(side) > 0) ?? false,
    must: 'must be pairs such as 210:297, separated by commas',
  },
  'mail-addresses': {
    fits: (part) => /^[^\s@]+@[^\s@]+$/.test(part),
    must: 'must be e-mail addresses, separated by commas',
  },
  'order-states': {
    fits: (part) => /^[a-z0-9_-]{1,40}$/i.test(part),
    must: 'must be states of orders such as processing, separated by commas',
  },
  color: { fits: isHex, must: 'must be a color such as #ff0000', isSingle: true },
  address: {
    fits: isAddress,
    must: 'must be a URL that starts with https:// or http://, or a path that starts with /',
    isSingle: true,
  },
  'css-length': {
    fits: (text) =>
      /^(?:auto|0|(?:\d+(?:\.\d+)?|\.\d+)(?:px|%|vh|vw|em|rem|cm|mm|in|pt)|calc\(.+\))$/i.test(text.trim()),
    must: 'must be "auto" or a CSS length such as 500px',
    isSingle: true,
  },
  amount: {
    fits: (text) => /^(?:\d+(?:[.,]\d+)?|[.,]\d+) ?%?$/.test(text.trim()),
    must: 'must be an amount such as 12.5, or a percentage such as 20%',
    isSingle: true,
  },
  locale: {
    fits: (text) => /^[A-Za-z0-9]{1,20}(?:[_-][A-Za-z0-9]{1,20})*$/.test(text),
    must: 'must be locales such as en_US',
    isSingle: true,
  },
  price: {
    fits: (text) => /^-?(?:\d+(?:[.,]\d+)?|[.,]\d+)$/.test(text.trim()),
    must: 'must be a price such as 2.5',
    isSingle: true,
  },
  word: {
    fits: (text) => /^[\w-]{1,100}$/.test(text.trim()),
    must: 'must be a word of letters, digits, hyphens and underscores',
    isSingle: true,
  },
  'file-name': {
    fits: (text) => problemInTemplate(text) === undefined,
    must: 'must be a template of tags such as {number}-{item}-{sku}, without slashes',
    isSingle: true,
  },
}

/** Slugs of the color lists in a value of `svc_color_lists`. */
export const listSlugs = (lists: unknown): ReadonlySet<string> =>
  new Set(isObject(lists) ? Object.keys(lists) : [])

/**
 * What a value of the right type must be, if it cannot be meant.
 * @param lists slugs of the color lists
 */
export function meaninglessBecause(
  setting: Setting,
  value: unknown,
  lists: ReadonlySet<string>,
): string | undefined {
  if (setting.type === 'color-lists') return listsProblem(value)
  const number = numberOf(value)
  if (setting.type === 'number' && number !== undefined) return rangeProblem(setting, number)
  const form = setting.format && forms[setting.format]
  if (!form) return undefined
  const texts = [value].flat().filter((text) => typeof text === 'string')
  const parts = form.isSingle ? texts.filter((text) => text.trim() !== '') : texts.flatMap(partsOf)
  return parts.every((part) => form.fits(part, lists)) ? undefined : form.must
}

function rangeProblem({ minimum, maximum }: Setting, number: number): string | undefined {
  const isLow = minimum !== undefined && number < minimum
  const isHigh = maximum !== undefined && number > maximum
  if (!isLow && !isHigh) return undefined
  if (minimum === undefined) return `must be at most ${maximum}`
  return maximum === undefined ? `must be at least ${minimum}` : `must be between ${minimum} and ${maximum}`
}

/** Further properties are kept. */
function listsProblem(lists: unknown): string | undefined {
  const areColors = (colors: unknown) =>
    colors === undefined ||
    (typeof colors === 'string' && partsOf(colors).every(isHex)) ||
    (Array.isArray(colors) && colors.every((color) => typeof color === 'string' && isHex(color)))
  const isList = (list: unknown) =>
    isObject(list) && (list.name === undefined || typeof list.name === 'string') && areColors(list.colors)
  if (!isObject(lists) || Object.values(lists).every(isList)) return undefined
  return 'must have lists such as {"name": "Warm", "colors": "#ff0000,#ffa500"}'
}
