// Chooses the font file for the family of a text: an uploaded one, else a substitute; a style that it lacks is made from it. It
// compares names alone: font-sources.ts reads the files, and the checks for missing fonts use it to find what would be printed.
import type { FontFamily } from '../files/font/families.ts'
import { familyKey } from '../files/font/file-names.ts'
import {
  emojiPackage,
  fallbackFonts,
  type Preset,
  type PresetFont,
  presetFont,
  presetPath,
} from './preset-fonts.ts'
import { quoted } from './refusal.ts'
import type { FallbackFile, FontNeed } from './task.ts'

/** The host's settings for fonts. */
export interface FontSettings {
  /** Uploaded families by the names of families that they replace. */
  substitutes: Readonly<Record<string, string>>
  /** Whether only uploaded fonts, and the substitutes of the host, are drawn, each in its own style. */
  strict: boolean
  /** Folder with drawings of emoji, named by their code points; default: that of the package @twemoji/svg, if it is installed. */
  emoji?: string | undefined
}

/** The font that is drawn for a text. */
export interface ChosenFont {
  /** The name of a file in the fonts folder, or the path of another file. */
  source: { file: string } | { path: string }
  /** The family that is drawn in place of the one in the design. */
  substitute?: string
  /** Sentences for the warnings. */
  notes: string[]
  /** The beginning of a sentence that names the variant which the family lacks; loaded-faces.ts completes it. */
  lacking?: string
  /** Styles that are made from the file's, unless the file declares them. */
  synthetic: { bold: boolean; italic: boolean }
}

const plain = { bold: false, italic: false }

/** Characters and names of a list of families. Lists of browsers and designers have less than 200 characters. */
const maxList = 2000
const maxNames = 50

/** The font for a need, or a sentence why there is none. */
export type FontChooser = (need: FontNeed) => ChosenFont | { cause: string }

/** Returns a function that chooses for a text the first family of its list that can be drawn. @param families the uploaded ones */
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

/** A sentence why a list of families is too long to be read; undefined if it is not. */
function listProblem(list: string): string | undefined {
  const tooLong = `The font ${quoted(list.slice(0, maxList))} is a list of more than`
  if (list.length > maxList) return `${tooLong} ${maxList} characters.`
  return namesIn(list).length > maxNames ? `${tooLong} ${maxNames} names.` : undefined
}

interface Fonts {
  /** Uploaded families by `familyKey`. */
  uploaded: ReadonlyMap<string, FontFamily>
  /** Names of uploaded families by the `familyKey` of the names that they replace. */
  standIns: ReadonlyMap<string, string>
  strict: boolean
}

function chosenFont(need: FontNeed, { uploaded, standIns, strict }: Fonts): ReturnType<FontChooser> {
  const uploadOf = (name: string) => uploaded.get(familyKey(name.replaceAll('_', ' ')))
  const names = namesIn(need.family)
  const [first = need.family] = names
  /** The first package with a substitute that is not installed. */
  let missing: string | undefined
  for (const name of names) {
    const standIn = standIns.get(familyKey(name))
    const upload = uploadOf(name) ?? (standIn === undefined ? undefined : uploadOf(standIn))
    if (upload) {
      const replaced = familyKey(upload.name) === familyKey(first) ? undefined : first
      return uploadedFont(upload, need, { replaced, strict })
    }
    if (strict) continue
    const preset = presetFont(name)
    if (!preset) continue
    const { font, widths } = preset
    const path = presetPath(font, need)
    if (path === undefined) missing ??= font.package
    else
      return substituteFont(font, path, need, {
        widths: name === first ? widths : undefined,
        replaced: first,
      })
  }
  const cause = `The font ${quoted(need.family)} is not uploaded.`
  return {
    cause:
      missing === undefined
        ? cause
        : `${cause} The package ${missing}, which has a substitute, is not installed; the font can also be uploaded with POST /fonts.`,
  }
}

/**
 * A free font of a package.
 * @param options.widths how its characters compare with those of `replaced`; undefined if it is for a later name of the list
 * @param options.replaced the first name of the list, which the note mentions
 */
function substituteFont(
  { family, styles }: PresetFont,
  path: string,
  { bold, italic }: FontNeed,
  { widths, replaced }: { widths: Preset['widths'] | undefined; replaced: string },
): ChosenFont {
  const synthetic = { bold: bold && !styles.bold, italic: italic && !styles.italic }
  if (familyKey(family) === familyKey(replaced)) return { source: { path }, notes: [], synthetic }
  const comparison = widths === undefined ? '' : `, of ${widths === 'same' ? 'the same' : widths} widths,`
  return {
    source: { path },
    substitute: family,
    notes: [
      `The font ${quoted(replaced)} is not uploaded; ${quoted(family)}${comparison} is printed in its place.`,
    ],
    synthetic,
  }
}

/** A file of an uploaded family. @param options.replaced the name in the design, if it is another */
function uploadedFont(
  family: FontFamily,
  { bold, italic }: FontNeed,
  { replaced, strict }: { replaced: string | undefined; strict: boolean },
): ChosenFont | { cause: string } {
  const { variants } = family
  const variant = bold && italic ? 'bolditalic' : bold ? 'bold' : italic ? 'italic' : undefined
  const file = variant === undefined ? family.file : variants[variant]
  const notes =
    replaced === undefined ? [] : [`The font ${quoted(replaced)} is printed as ${quoted(family.name)}.`]
  const substitute = replaced === undefined ? {} : { substitute: family.name }
  if (file !== undefined) return { source: { file }, notes, ...substitute, synthetic: plain }
  if (strict) return { cause: `The font ${quoted(family.name)} has no variant ${variant}.` }
  // For bold italic, browsers take the italic font and make it bold.
  const [nearestFile, synthetic] =
    bold && italic && variants.italic !== undefined
      ? [variants.italic, { bold, italic: false }]
      : bold && italic && variants.bold !== undefined
        ? [variants.bold, { bold: false, italic }]
        : [family.file, { bold, italic }]
  const lacking = `The font ${quoted(family.name)} has no variant ${variant}`
  return { source: { file: nearestFile }, notes, lacking, ...substitute, synthetic }
}

/** The names in a list such as `"Roboto", sans-serif` (CSS Fonts 4 §2.1). */
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

/** The folder with drawings of emoji; undefined if emoji are printed in one color. */
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
