// A search for settings by what people call them, whatever words their labels have.
import { contains } from '../db/fold.ts'
import type { Setting } from './setting.ts'

/** Groups of words that people use for the same thing. */
const groups: readonly (readonly string[])[] = [
  ['file', 'image', 'picture', 'photo', 'upload'],
  ['maximum', 'max', 'limit', 'largest', 'biggest'],
  ['minimum', 'min', 'smallest', 'least'],
  ['currency', 'price', 'money', 'cost', 'amount', 'surcharge'],
  ['font', 'typeface', 'lettering'],
  ['color', 'colour', 'ink', 'swatch'],
  ['login', 'account', 'logged in', 'sign in'],
  ['language', 'translation', 'locale', 'multi-languages'],
  ['resolution', 'dpi', 'quality', 'sharpness'],
  ['password', 'secret', 'token', 'key', 'credentials'],
  ['cart', 'basket', 'checkout'],
  ['unit', 'measurement', 'inches', 'millimetres'],
  ['email', 'e-mail', 'mail', 'recipient'],
  ['cloud', 'storage', 's3', 'dropbox', 'bucket'],
  ['size', 'width', 'height', 'dimension'],
  ['print', 'export', 'pdf'],
  ['crop', 'trim', 'cut'],
  ['hide', 'remove', 'disable'],
  ['share', 'sharing', 'social'],
  ['help', 'hint', 'tooltip', 'info'],
]

/** Words of a search beyond these are ignored. */
const maxWords = 8

/** The word and its synonyms. */
const synonymsOf = (word: string): readonly string[] => [
  word,
  ...groups.filter((group) => group.includes(word)).flat(),
]

/**
 * The settings that the text means: those that contain it, then those that contain all its words, then those that contain for
 * each word it or a synonym.
 */
export function settingsMeaning(settings: readonly Setting[], text: string): Setting[] {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, maxWords)
  if (terms.length === 0) return []
  const synonyms = terms.map(synonymsOf)
  /** 0 for the best settings; undefined for those that the text does not mean. */
  const rankOf = ({ id, label, description, tab, sectionLabel }: Setting): number | undefined => {
    const facts = [id, label, description]
    if (facts.some((fact) => contains(fact, text))) return 0
    const searched = [...facts, tab, sectionLabel].join('\n')
    if (terms.every((term) => contains(searched, term))) return 1
    return synonyms.every((list) => list.some((word) => contains(searched, word))) ? 2 : undefined
  }
  return settings
    .flatMap((setting) => {
      const rank = rankOf(setting)
      return rank === undefined ? [] : [{ setting, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ setting }) => setting)
}
