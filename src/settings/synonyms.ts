// A search for settings by what people call them, whatever words their labels have.
import { contains } from '../db/fold.ts'
import type { Setting } from './setting.ts'

/** Words that people use for the same thing. */
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

const synonymsOf = (word: string): readonly string[] => [
  word,
  ...groups.filter((group) => group.includes(word)).flat(),
]

/**
 * The settings that the text means: those that contain it, then those that contain all its words, then those that contain for
 * each word it or a synonym.
 */
export function settingsMeaning(all: readonly Setting[], text: string): Setting[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, maxWords)
  if (words.length === 0) return []
  const synonyms = words.map(synonymsOf)
  const rank = ({ id, label, description, tab, sectionLabel }: Setting): number => {
    const parts = [id, label, description]
    if (parts.some((part) => contains(part, text))) return 0
    const whole = [...parts, tab, sectionLabel].join('\n')
    if (words.every((word) => contains(whole, word))) return 1
    return synonyms.every((list) => list.some((word) => contains(whole, word))) ? 2 : 3
  }
  return all
    .map((setting) => ({ setting, at: rank(setting) }))
    .filter(({ at }) => at < 3)
    .sort((a, b) => a.at - b.at)
    .map(({ setting }) => setting)
}
