// The font families that customers and text templates can choose: uploaded fonts, system fonts, Google fonts.
import { readStoredJson } from '../db/stored-json.ts'
import { fromJson } from '../json/parse.ts'

/** The options that list them: uploaded files, system fonts, Google fonts. */
export const fontKeys = ['svc_fonts_directory', 'svc_common_fonts', 'svc_google_webfonts'] as const

/** The system fonts while `svc_common_fonts` has never been stored. */
const freshFonts = 'Arial,Helvetica,Times New Roman,Verdana,Geneva'

/** The names of the offered families, as designs name them. @param options stored values of `fontKeys` */
export function offeredFonts(options: ReadonlyMap<string, string>): Set<string> {
  return new Set([
    ...namesIn(options.get('svc_fonts_directory')).map(familyOfFile),
    ...namesIn(options.get('svc_common_fonts') ?? freshFonts),
    // As in Google Fonts URLs: `Open+Sans:400,700`.
    ...namesIn(options.get('svc_google_webfonts')).map((name) =>
      name.replace(/:.*$/s, '').replaceAll('+', ' ').trim(),
    ),
  ])
}

/** `Great_Vibes.ttf` is the family `Great Vibes`. */
const familyOfFile = (file: string) =>
  file
    .replace(/^.*[/\\]/s, '')
    .replace(/\.[A-Za-z0-9]+$/, '')
    .replaceAll('_', ' ')

/** The names in a stored list: in a PHP or JSON array, else separated by commas. */
export function namesIn(stored: string | undefined): string[] {
  const json = readStoredJson(stored ?? null, '[]')
  const value: unknown = json === undefined ? undefined : fromJson(json)
  const names = typeof value === 'object' && value !== null ? Object.values(value) : (stored ?? '').split(',')
  return names
    .filter((name) => typeof name === 'string')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
