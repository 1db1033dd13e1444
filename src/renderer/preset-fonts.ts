// Lists free fonts that replace fonts of operating systems, if possible with the same widths, so that lines break where they did.
// font-choice.ts chooses among them.
import { dirname } from 'node:path'
import { requireBeside } from '../core/installed.ts'
import { familyKey } from '../files/font/file-names.ts'

/** A free font of an npm package. */
export interface PresetFont {
  family: string
  /** The package that contains it. */
  package: string
  /** The styles that it has besides the regular one. */
  styles: FontStyle
  /** The path of a style within the package. */
  file(style: FontStyle): string
}

interface FontStyle {
  bold: boolean
  italic: boolean
}

const plain: FontStyle = { bold: false, italic: false }
const boldOnly: FontStyle = { bold: true, italic: false }

/** A font of Google Fonts. @param styles those that it has besides the regular one; default: bold and italic */
const google = (family: string, styles: FontStyle = { bold: true, italic: true }): PresetFont => ({
  family,
  package: `@expo-google-fonts/${family.toLowerCase().replaceAll(' ', '-')}`,
  styles,
  file(style) {
    const name = `${style.bold ? '700Bold' : '400Regular'}${style.italic ? '_Italic' : ''}`
    return `${name}/${family.replaceAll(' ', '')}_${name}.ttf`
  },
})

const [arimo, tinos, gelasio] = [google('Arimo'), google('Tinos'), google('Gelasio')]
const dejavu: PresetFont = {
  family: 'DejaVu Sans',
  package: 'dejavu-fonts-ttf',
  styles: { bold: true, italic: true },
  file({ bold, italic }) {
    const style = `${bold ? 'Bold' : ''}${italic ? 'Oblique' : ''}`
    return `ttf/DejaVuSans${style && `-${style}`}.ttf`
  },
}

/** A font with mathematical letters such as U+1D4D0, which people use as decoration. */
const dejavuMath: PresetFont = {
  family: 'DejaVu Math TeX Gyre',
  package: dejavu.package,
  styles: plain,
  file: () => 'ttf/DejaVuMathTeXGyre.ttf',
}

/** The font that is drawn for a name, and how its widths compare with those of the font with that name: equal, close, or not at all. */
export interface Preset {
  font: PresetFont
  widths: 'same' | 'similar' | 'other'
}

/** For each font: names of fonts with the same widths, and names of similar ones. */
const names: [font: PresetFont, same: string, similar: string][] = [
  [
    arimo,
    'Arial, Helvetica, Helvetica Neue, Arimo, Liberation Sans, sans-serif, system-ui',
    'Tahoma, Segoe UI, Trebuchet MS, Trebuchet, Lucida Sans Unicode, Franklin Gothic, Candara, Corbel',
  ],
  [
    tinos,
    'Times New Roman, Times, Tinos, Liberation Serif, serif',
    'Garamond, Baskerville, Didot, Bodoni MT',
  ],
  [
    google('Cousine'),
    'Courier New, Courier, Cousine, Liberation Mono, monospace',
    'Consolas, Monaco, Menlo, Lucida Console, Andale Mono',
  ],
  [
    gelasio,
    'Georgia, Gelasio',
    'Palatino, Palatino Linotype, Book Antiqua, Bookman, Bookman Old Style, Constantia, Century Schoolbook',
  ],
  [dejavu, 'DejaVu Sans', 'Verdana, Geneva, Lucida Grande, Lucida Sans'],
  [google('Carlito'), 'Calibri, Carlito', ''],
  [google('Caladea'), 'Cambria, Caladea', ''],
  [google('Comic Relief', boldOnly), 'Comic Sans MS, Comic Sans, Comic Relief', 'Chalkboard'],
  [google('Anton', plain), 'Anton', 'Impact, Haettenschweiler'],
]

/** The font of Noto Sans for a script. */
const noto = (script: string, styles: FontStyle = plain) => google(`Noto Sans ${script}`, styles)

/** Fonts of other scripts, under their own names. */
const scripts = ['SC', 'JP', 'KR', 'Thai', 'Devanagari']
  .map((script) => noto(script, boldOnly))
  .map((font): (typeof names)[number] => [font, font.family, ''])

/** The fonts of both tables, by `familyKey` of each name. */
const presets = new Map(
  [...names, ...scripts].flatMap(([font, same, similar]) =>
    [same, similar].flatMap((list, index) =>
      list
        .split(', ')
        .filter(Boolean)
        .map((name): [string, Preset] => [
          familyKey(name),
          { font, widths: index === 0 ? 'same' : 'similar' },
        ]),
    ),
  ),
)

const emoji: PresetFont = {
  family: 'Noto Emoji',
  package: '@expo-google-fonts/noto-emoji',
  styles: plain,
  file: () => '400Regular/NotoEmoji_400Regular.ttf',
}

/** The path of a file in a package; undefined if the package is not installed. */
function packagePath(specifier: string): string | undefined {
  try {
    return requireBeside(import.meta.url).resolve(specifier)
  } catch {
    return undefined
  }
}

/** Folder of the drawings of Twemoji; undefined if the package is not installed. */
export function emojiPackage(): string | undefined {
  const path = packagePath('@twemoji/svg/1f600.svg')
  return path && dirname(path)
}

const brushes = 'Brush Script MT, Brush Script Std, Brush Script'

/** The nearest fonts for names whose widths no free font has. A name may occur several times: the first installed font counts. */
const nearest: [font: PresetFont, names: string][] = [
  [{ ...arimo, file: ({ italic }) => arimo.file({ bold: true, italic }) }, 'Arial Black'],
  [arimo, 'Arial Narrow, Century Gothic'],
  [google('Kaushan Script', plain), brushes],
  // If Kaushan Script is not installed.
  [google('Comic Relief', boldOnly), brushes],
  [
    noto('SC', boldOnly),
    'Microsoft YaHei, 微软雅黑, SimHei, SimSun, DengXian, PingFang SC, Heiti SC, STHeiti',
  ],
  [noto('JP', boldOnly), 'Meiryo, Yu Gothic, MS Gothic, MS PGothic, Hiragino Sans, Hiragino Kaku Gothic Pro'],
  [noto('KR', boldOnly), 'Malgun Gothic, Apple SD Gothic Neo, Gulim, Dotum'],
]

/** The nearest font of a name that is installed; the first if none is. */
function nearestFont(key: string): Preset | undefined {
  const fonts = nearest.flatMap(([font, list]) =>
    list.split(', ').some((name) => familyKey(name) === key) ? font : [],
  )
  const font = fonts.find((candidate) => presetPath(candidate, plain) !== undefined) ?? fonts[0]
  return font && { font, widths: 'other' }
}

/**
 * The fonts for characters that the font of a text lacks, in the order in which they are tried: symbols, emoji in one color, other
 * scripts. A font with `writing`, a pattern of the characters of a script, is read only if a text matches it.
 */
export const fallbackFonts: { font: PresetFont; writing?: RegExp }[] = [
  { font: dejavu },
  { font: dejavuMath, writing: /[\u{1d400}-\u{1d7ff}]/u },
  { font: emoji },
  { font: noto('Thai'), writing: /\p{scx=Thai}/u },
  { font: noto('Devanagari'), writing: /\p{scx=Deva}/u },
  { font: noto('KR'), writing: /\p{sc=Hang}/u },
  // Han beside kana is Japanese; the wide space (U+3000) belongs to no script.
  { font: noto('JP'), writing: /[\p{sc=Hira}\p{sc=Kana}\u3000]/u },
  { font: noto('SC'), writing: /\p{scx=Han}/u },
  { font: noto('JP'), writing: /\p{scx=Han}/u },
]

/** The font that is drawn for a name such as Arial, sans-serif or Noto Sans SC; undefined for other names. */
export function presetFont(name: string): Preset | undefined {
  const key = familyKey(name)
  return presets.get(key) ?? nearestFont(key)
}

/** Path of a style of the font, or of the nearest that it has; undefined if its package is not installed. */
export function presetPath(font: PresetFont, { bold, italic }: FontStyle): string | undefined {
  const style = { bold: bold && font.styles.bold, italic: italic && font.styles.italic }
  return packagePath(`${font.package}/${font.file(style)}`)
}

/**
 * The packages of the fonts in `names` and `fallbackFonts`, which hosts may install. Kaushan Script of `nearest` is left out, because
 * Comic Relief stands in for it.
 */
export const optionalFontPackages: readonly string[] = [
  ...new Set(
    [...names.map(([font]) => font), ...fallbackFonts.map(({ font }) => font)].map((font) => font.package),
  ),
]
