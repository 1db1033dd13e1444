// Free fonts in place of those that every computer has: of the same widths, so that lines break where they did.
import { dirname } from 'node:path'
import { requireBeside } from '../core/installed.ts'
import { familyKey } from '../files/names.ts'

export interface PresetFont {
  family: string
  /** The package that carries it. */
  package: string
  /** Whether its characters are as wide as those of what it replaces. */
  isCompatible: boolean
  file(style: { bold: boolean; italic: boolean }): string
}

const google = (family: string): PresetFont => ({
  family,
  package: `@expo-google-fonts/${family.toLowerCase()}`,
  isCompatible: true,
  file({ bold, italic }) {
    const style = `${bold ? '700Bold' : '400Regular'}${italic ? '_Italic' : ''}`
    return `${style}/${family}_${style}.ttf`
  },
})

const [arimo, tinos, cousine, gelasio] = [
  google('Arimo'),
  google('Tinos'),
  google('Cousine'),
  google('Gelasio'),
]
const dejavu: PresetFont = {
  family: 'DejaVu Sans',
  package: 'dejavu-fonts-ttf',
  isCompatible: false,
  file({ bold, italic }) {
    const style = `${bold ? 'Bold' : ''}${italic ? 'Oblique' : ''}`
    return `ttf/DejaVuSans${style && `-${style}`}.ttf`
  },
}

const presets = new Map(
  (
    [
      [arimo, 'Arial, Helvetica, Helvetica Neue, Arimo, Liberation Sans, sans-serif, system-ui'],
      [tinos, 'Times New Roman, Times, Tinos, Liberation Serif, serif'],
      [cousine, 'Courier New, Courier, Cousine, Liberation Mono, monospace'],
      [gelasio, 'Georgia, Gelasio'],
      [dejavu, 'Verdana, Geneva, Tahoma, DejaVu Sans'],
    ] as const
  ).flatMap(([font, names]) => names.split(', ').map((name) => [familyKey(name), font] as const)),
)

const emoji: PresetFont = {
  family: 'Noto Emoji',
  package: '@expo-google-fonts/noto-emoji',
  isCompatible: false,
  file: () => '400Regular/NotoEmoji_400Regular.ttf',
}

/** Folder of the drawings of Twemoji; undefined if the package is not installed. */
export function emojiPackage(): string | undefined {
  try {
    return dirname(requireBeside(import.meta.url).resolve('@twemoji/svg/1f600.svg'))
  } catch {
    return undefined
  }
}

/** For characters that a font lacks: symbols and foreign writing, emoji in one color. */
export const fallbackFonts = [dejavu, emoji]

/** The font that is drawn for a preset name, such as Arial or sans-serif. */
export const presetFont = (name: string): PresetFont | undefined => presets.get(familyKey(name))

/** Path of a style of the font; undefined if its package is not installed. */
export function presetPath(font: PresetFont, style: { bold: boolean; italic: boolean }): string | undefined {
  try {
    return requireBeside(import.meta.url).resolve(`${font.package}/${font.file(style)}`)
  } catch {
    return undefined
  }
}
