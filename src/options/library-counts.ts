// How many colors and text templates the options hold, in the newest form and in the older ones.
import { readStoredJson } from '../db/stored-json.ts'

/** Options that the counts are made of. */
export const libraryKeys = [
  'svc_color_library',
  'svc_hex_names',
  'svc_color_prices',
  'svc_color_lists',
  'svc_color_colorPickerPalette',
  'svc_text_templates',
] as const

function parsed(stored: string | undefined, empty: '{}' | '[]'): unknown {
  const text = readStoredJson(stored ?? null, empty)
  return text === undefined ? undefined : JSON.parse(text)
}

const member = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)

export function textTemplateCount(options: Map<string, string>): number {
  const list = parsed(options.get('svc_text_templates'), '[]')
  return Array.isArray(list) ? list.length : 0
}

/** The saved library counts; until one is saved, the colors that the older settings name. */
export function colorCount(options: Map<string, string>): number {
  const library = parsed(options.get('svc_color_library'), '{}')
  const colors = member(library, 'colors')
  if (Number(member(library, 'version')) >= 2 && Array.isArray(colors)) return colors.length
  const lists = Object.values(Object(parsed(options.get('svc_color_lists'), '{}'))).map((list) =>
    String(member(list, 'colors')),
  )
  const pairs = [options.get('svc_hex_names'), options.get('svc_color_prices')]
    .flatMap((text) => (text ?? '').split(','))
    .map((pair) => pair.split(':', 1)[0] ?? '')
  const plain = [options.get('svc_color_colorPickerPalette') ?? '', ...lists].flatMap((text) =>
    text.split(','),
  )
  return new Set([...pairs, ...plain].map(sixDigits).filter((hex) => hex !== undefined)).size
}

/** `#FA0` and `ffaa00` are one color; undefined for what is none. */
function sixDigits(text: string): string | undefined {
  const hex = text.trim().replace(/^#/, '').toLowerCase()
  if (/^[0-9a-f]{3}$/.test(hex)) return hex.replace(/./g, '$&$&')
  return /^[0-9a-f]{6}$/.test(hex) ? hex : undefined
}
