// Which font file is drawn for the family of a text: the uploaded one, else a substitute; a style that lacks is synthesised.
import type { FontFamily } from '../files/font/families.ts'
import { familyKey } from '../files/names.ts'
import {
  emojiPackage,
  fallbackFonts,
  type Preset,
  type PresetFont,
  presetFont,
  presetPath,
} from './preset-fonts.ts'
import { shown } from './refusal.ts'
import type { FallbackFile, FontNeed } from './task.ts'

export interface FontSettings {
  /** Families that replace names that are not uploaded. */
  substitutes: Readonly<Record<string, string>>
  /** Whether only uploaded fonts, and the substitutes of the host, are drawn, each in its own style. */
  strict: boolean
  /** Folder with drawings of emoji, named by their code points; default: that of the package @twemoji/svg, if it is installed. */
  emoji?: string | undefined
}

export interface ChosenFont {
  /** Name of an uploaded file, or the path of another. */
  source: { file: string } | { path: string }
  /** The family that is drawn in place of the one in the design. */
  substitute?: string
  /** What a reader of the warnings should know. */
  notes: string[]
  /** Says which variant the family has not. */
  lacking?: string
  /** Styles that are made from the file's, unless it declares them. */
  synthetic: { bold: boolean; italic: boolean }
}

const plain = { bold: false, italic: false }

/** Characters and names of a list of families. Those of browsers and designers have less than 200 characters. */
const maxList = 2000
const maxNames = 50

export type FontChooser = (need: FontNeed) => ChosenFont | { cause: string }

/** Chooses for each text the first family of its list that can be drawn. */
export function fontChooser(
  families: readonly FontFamily[],
  { substitutes, strict }: FontSettings,
): FontChooser {
  const standIns = new Map(Object.entries(substitutes).map(([name, family]) => [familyKey(name), family]))
  const uploaded = new Map(families.map((family) => [familyKey(family.name), family]))
  return (need) => {
    const problem = listProblem(need.family)
    return problem === undefined ? chosenFont(need, { uploaded, standIns, strict }) : { cause: problem }
  }
}

function listProblem(list: string): string | undefined {
  const tooLong = `The font ${shown(list.slice(0, maxList))} is a list of more than`
  if (list.length > maxList) return `${tooLong} ${maxList} characters.`
  return namesIn(list).length > maxNames ? `${tooLong} ${maxNames} names.` : undefined
}

interface Fonts {
  /** By their keys. */
  uploaded: ReadonlyMap<string, FontFamily>
  /** Names of families by the keys of those that they replace. */
  standIns: ReadonlyMap<string, string>
  strict: boolean
}

function chosenFont(need: FontNeed, { uploaded, standIns, strict }: Fonts): ReturnType<FontChooser> {
  const uploadOf = (name: string) => uploaded.get(familyKey(name.replaceAll('_', ' ')))
  const names = namesIn(need.family)
  const [first = need.family] = names
  let missing: string | undefined
  for (const name of names) {
    const standIn = standIns.get(familyKey(name))
    const upload = uploadOf(name) ?? (standIn === undefined ? undefined : uploadOf(standIn))
    if (upload)
      return ofUpload(upload, need, familyKey(upload.name) === familyKey(first) ? undefined : first, strict)
    if (strict) continue
    const preset = presetFont(name)
    if (!preset) continue
    const { font, widths } = preset
    const path = presetPath(font, need)
    if (path === undefined) missing ??= font.package
    else return ofPreset(font, path, need, name === first ? widths : undefined, first)
  }
  const cause = `The font ${shown(need.family)} is not uploaded.`
  return {
    cause:
      missing === undefined
        ? cause
        : `${cause} The package ${missing}, which has a substitute, is not installed.`,
  }
}

/** @param widths of its characters; undefined if it replaces another name of the list than the first */
function ofPreset(
  { family, styles }: PresetFont,
  path: string,
  { bold, italic }: FontNeed,
  widths: Preset['widths'] | undefined,
  replaced: string,
): ChosenFont {
  const synthetic = { bold: bold && !styles.bold, italic: italic && !styles.italic }
  if (familyKey(family) === familyKey(replaced)) return { source: { path }, notes: [], synthetic }
  const alike = widths === undefined ? '' : `, of ${widths === 'same' ? 'the same' : widths} widths,`
  return {
    source: { path },
    substitute: family,
    notes: [`The font ${shown(replaced)} is not uploaded; ${shown(family)}${alike} is printed in its place.`],
    synthetic,
  }
}

/** @param replaced the name in the design, if it is another */
function ofUpload(
  found: FontFamily,
  { bold, italic }: FontNeed,
  replaced: string | undefined,
  strict: boolean,
): ChosenFont | { cause: string } {
  const { variants } = found
  const wanted = bold && italic ? 'bolditalic' : bold ? 'bold' : italic ? 'italic' : undefined
  const file = wanted === undefined ? found.file : variants[wanted]
  const notes =
    replaced === undefined ? [] : [`The font ${shown(replaced)} is printed as ${shown(found.name)}.`]
  const substitute = replaced === undefined ? {} : { substitute: found.name }
  if (file !== undefined) return { source: { file }, notes, ...substitute, synthetic: plain }
  if (strict) return { cause: `The font ${shown(found.name)} has no variant ${wanted}.` }
  // Of bold italic, browsers take the italic font and make it bold.
  const [near, synthetic] =
    bold && italic && variants.italic !== undefined
      ? [variants.italic, { bold, italic: false }]
      : bold && italic && variants.bold !== undefined
        ? [variants.bold, { bold: false, italic }]
        : [found.file, { bold, italic }]
  const lacking = `The font ${shown(found.name)} has no variant ${wanted}`
  return { source: { file: near }, notes, lacking, ...substitute, synthetic }
}

/** `"Roboto", sans-serif` as names. */
function namesIn(list: string): string[] {
  const names = list.match(/"[^"]*"|'[^']*'|[^,]+/g) ?? []
  return names
    .map((name) =>
      name
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2')
        .replaceAll('_', ' ')
        .trim(),
    )
    .filter(Boolean)
}

/** Undefined if emoji are printed in one color. */
export const emojiFolder = ({ strict, emoji }: Pick<FontSettings, 'strict' | 'emoji'>): string | undefined =>
  strict ? undefined : (emoji ?? emojiPackage())

/** Files for characters that the font of a text lacks, in the order in which they are tried. */
export function fallbackFiles({ strict }: Pick<FontSettings, 'strict'>): FallbackFile[] {
  if (strict) return []
  return fallbackFonts.flatMap(({ font, writing }) => {
    const path = presetPath(font, plain)
    return path === undefined ? [] : [{ family: font.family, path, writing }]
  })
}
