// Checks the value of a setting beyond its type: the range of a number, the format of a text, the form of color lists.
import { problemInTemplate } from '../core/print-name.ts'
import { numberOf } from '../json/parse.ts'
import { isObject } from '../json/values.ts'
import type { Setting, TextFormat } from './setting.ts'

const isHex = (text: string) => /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text.trim())

/** The items of a list such as `a, b`, as the CMS splits it, without empty ones. */
const itemsOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** The key and the value of `key:value`; undefined without a colon. */
function pairOf(item: string): [key: string, value: string] | undefined {
  const at = item.indexOf(':')
  return at < 0 ? undefined : [item.slice(0, at), item.slice(at + 1).trim()]
}

/** Whether the text is a decimal number of at least 0. */
const isDecimal = (text: string) => /^\d+(?:\.\d+)?$|^\.\d+$/.test(text)

/** How texts of a format are checked. */
interface FormatCheck {
  /** Whether one item of the list, or the single value, has the format. @param lists slugs of the color lists */
  fits(item: string, lists: ReadonlySet<string>): boolean
  /** The message for a text that does not fit, such as `must be a color such as #ff0000`. */
  must: string
  /** Set if the text is a single value, and not a list that is separated by commas. */
  isSingle?: true
}

/** Whether the text is an absolute http URL, or a path from the root of the site. */
const isAddress = (text: string) => {
  if (/[\s\x00-\x1f<>"]/.test(text)) return false
  return /^https?:/i.test(text) ? URL.canParse(text) : /^\/(?!\/)/.test(text)
}

const formatChecks: Record<TextFormat, FormatCheck> = {
  'color-names': {
    fits: (item) => isHex(pairOf(item)?.[0] ?? ''),
    must: 'must be pairs such as ff0000:Red, separated by commas',
  },
  'color-prices': {
    fits(item) {
      const [hex = '', price = ''] = pairOf(item) ?? []
      return isHex(hex) && (price === '' || isDecimal(price))
    },
    must: 'must be pairs such as ff0000:2.5, separated by commas, with prices of at least 0',
  },
  swatches: { fits: isHex, must: 'must be colors such as #ff0000, separated by commas' },
  colors: {
    fits: (item, lists) => isHex(item) || lists.has(item),
    must: 'must be colors such as #ff0000 or names of color lists, separated by commas',
  },
  sizes: {
    fits: (item) => pairOf(item)?.every((side) => isDecimal(side.trim()) && Number(side) > 0) ?? false,
    must: 'must be pairs such as 210:297, separated by commas',
  },
  'mail-addresses': {
    fits: (item) => /^[^\s@]+@[^\s@]+$/.test(item),
    must: 'must be e-mail addresses, separated by commas',
  },
  'order-states': {
    fits: (item) => /^[a-z0-9_-]{1,40}$/i.test(item),
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
 * What is wrong with a value that has the right type, as the end of a sentence that begins with "must"; undefined if nothing is. Empty
 * texts are valid.
 * @param lists slugs of the color lists, which values may name in place of colors
 */
export function valueProblem(
  setting: Setting,
  value: unknown,
  lists: ReadonlySet<string>,
): string | undefined {
  if (setting.type === 'color-lists') return listsProblem(value)
  const number = numberOf(value)
  if (setting.type === 'number' && number !== undefined) return rangeProblem(setting, number)
  const check = setting.format && formatChecks[setting.format]
  if (!check) return undefined
  const texts = [value].flat().filter((text) => typeof text === 'string')
  const items = check.isSingle ? texts.filter((text) => text.trim() !== '') : texts.flatMap(itemsOf)
  return items.every((item) => check.fits(item, lists)) ? undefined : check.must
}

/** The message for a number out of the range of the setting; undefined if it is within. */
function rangeProblem({ minimum, maximum }: Setting, number: number): string | undefined {
  const isLow = minimum !== undefined && number < minimum
  const isHigh = maximum !== undefined && number > maximum
  if (!isLow && !isHigh) return undefined
  if (minimum === undefined) return `must be at most ${maximum}`
  return maximum === undefined ? `must be at least ${minimum}` : `must be between ${minimum} and ${maximum}`
}

/** What is wrong with the value of `svc_color_lists`; undefined if nothing is. Lists may have further properties. */
function listsProblem(lists: unknown): string | undefined {
  const areColors = (colors: unknown) =>
    colors === undefined ||
    (typeof colors === 'string' && itemsOf(colors).every(isHex)) ||
    (Array.isArray(colors) && colors.every((color) => typeof color === 'string' && isHex(color)))
  const isList = (list: unknown) =>
    isObject(list) && (list.name === undefined || typeof list.name === 'string') && areColors(list.colors)
  if (!isObject(lists) || Object.values(lists).every(isList)) return undefined
  return 'must have lists such as {"name": "Warm", "colors": "#ff0000,#ffa500"}'
}
