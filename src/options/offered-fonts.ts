// Which font families customers and text templates can choose from: uploaded ones, those of the system, those of Google.
import { readStoredJson } from '../db/stored-json.ts'

/** Options that the offer is made of. */
export const fontKeys = ['svc_fonts_directory', 'svc_common_fonts', 'svc_google_webfonts'] as const

/** Names of the families, as they are written in designs. */
export function offeredFonts(options: Map<string, string>): Set<string> {
  const [uploaded, common, google] = fontKeys.map((key) => listOf(options.get(key)))
  return new Set([
    ...(uploaded ?? []).map(familyOfFile),
    ...(common ?? []),
    // As in addresses of Google Fonts: `Open+Sans:400,700`.
    ...(google ?? []).map((name) => name.replace(/:.*$/s, '').replaceAll('+', ' ').trim()),
  ])
}

/** `Great_Vibes.ttf` is the family `Great Vibes`. */
const familyOfFile = (file: string) =>
  file
    .replace(/^.*[/\\]/s, '')
    .replace(/\.[A-Za-z0-9]+$/, '')
    .replaceAll('_', ' ')

/** A PHP or JSON array, else names separated by commas. */
function listOf(stored: string | undefined): string[] {
  const json = readStoredJson(stored ?? null, '[]')
  const value: unknown = json === undefined ? undefined : JSON.parse(json)
  const names = typeof value === 'object' && value !== null ? Object.values(value) : (stored ?? '').split(',')
  return names
    .filter((name) => typeof name === 'string')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
