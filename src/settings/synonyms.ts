// The search of the settings screen: finds settings by what people call them, whatever words their labels have.
import { contains } from '../db/fold.ts'
import type { Setting } from './setting.ts'

/** Groups of words that people use for the same thing. */
const groups: readonly (readonly string[])[] = [
  ['file', 'image', 'picture', 'photo', 'upload'],
  ['maximum', 'max', 'limit', 'largest', 'biggest'],
  ['minimum', 'min', 'smallest', 'least'],
  ['currency', 'price', 'money', 'cost', 'amount', 'surcharge'],
  ['discount', 'pricing'],
  ['font', 'typeface', 'lettering'],
  ['color', 'colour', 'ink', 'swatch'],
  ['login', 'account', 'logged in', 'sign in', 'guest', 'registration'],
  ['language', 'translation', 'locale', 'multi-languages', 'translate'],
  ['resolution', 'dpi', 'quality', 'sharpness'],
  ['password', 'secret', 'token', 'key', 'credentials'],
  ['cart', 'basket', 'checkout'],
  [
    'unit',
    'measurement',
    'inch',
    'inches',
    'mm',
    'millimeter',
    'millimetre',
    'millimetres',
    'centimeter',
    'centimetre',
  ],
  ['email', 'e-mail', 'mail', 'recipient', 'notification'],
  ['cloud', 'storage', 's3', 'dropbox', 'bucket'],
  ['folder', 'directory', 'path'],
  ['size', 'width', 'height', 'dimension'],
  ['print', 'export', 'pdf'],
  ['crop', 'trim', 'cut'],
  ['category', 'categories'],
  ['state', 'status', 'paid'],
  ['snap', 'grid', 'guides'],
  ['logo', 'watermark'],
  ['roster', 'team', 'names & numbers', 'names and numbers'],
  ['terms', 'conditions', 'legal', 'agreement', 'rights', 'privacy', 'gdpr', 'consent'],
  ['removal', 'remove', 'hide', 'disable'],
  ['fullscreen', 'fullwidth', 'full width'],
  ['phone', 'smartphone', 'mobile'],
  ['share', 'sharing', 'social'],
  ['help', 'hint', 'tooltip', 'info'],
]

/** Words of a search that say nothing about a setting. */
const fillers = new Set(['a', 'an', 'and', 'for', 'in', 'my', 'number', 'of', 'on', 'or', 'the', 'to'])

/** Words of a search beyond these are ignored. */
const maxWords = 8

/** The word, its singular, and their synonyms. */
function synonymsOf(word: string): readonly string[] {
  const forms = /^\p{L}{3,}s$/u.test(word) ? [word, word.slice(0, -1)] : [word]
  return [...forms, ...groups.filter((group) => forms.some((form) => group.includes(form))).flat()]
}

/** Characters up to which a word is only found at the beginning of a word: "vat" is no part of "private". */
const maxShort = 3

/** The text with its words between spaces, those of `camelCase` as well. */
export const spaced = (text: string) =>
  ` ${text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}`

/** Whether one of the words is in the text. */
const hasOne = (text: string, list: readonly string[]) =>
  list.some((word) => contains(text, word.length > maxShort ? word : ` ${word}`))

/**
 * The settings that the text means: those that contain it, then those whose labels contain for each word it or a synonym, then
 * those that contain all words, then those that contain for each word it or a synonym.
 */
export function findSettings(settings: readonly Setting[], text: string): Setting[] {
  const all = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, maxWords)
  const terms = all.length > 1 ? all.filter((term) => !fillers.has(term)) : all
  if (terms.length === 0) return []
  const synonyms = terms.map(synonymsOf)
  /** 0 for the best settings; undefined for those that the text does not mean. */
  const rankOf = ({
    id,
    label,
    description,
    tab,
    sectionLabel,
    choices = [],
  }: Setting): number | undefined => {
    const facts = [id, label, description].map((fact) => `${fact}${spaced(fact)}`)
    if (facts.some((fact) => hasOne(fact, [text.toLowerCase()]))) return 0
    const searched = [...facts, ...[tab, sectionLabel, ...choices].map(spaced)].join('\n')
    if (synonyms.every((list) => hasOne(spaced(label), list))) return 1
    if (terms.every((term) => hasOne(searched, [term]))) return 2
    return synonyms.every((list) => hasOne(searched, list)) ? 3 : undefined
  }
  return settings
    .flatMap((setting) => {
      const rank = rankOf(setting)
      return rank === undefined ? [] : [{ setting, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ setting }) => setting)
}
