// Groups the files in the fonts folder into families, including files that others put there.
import { type FontVariant, familyKey, fontOfFile } from '../names.ts'

export interface FontFamily {
  /** The display name, with spaces. */
  name: string
  /** The name of the base file. */
  file: string
  variants: Partial<Record<FontVariant, string>>
}

/** The families sorted by name. A family needs a base file; of two base files that differ only by case, the first counts. */
export function fontFamilies(files: readonly string[]): FontFamily[] {
  const families = new Map<string, FontFamily>()
  const fonts = [...files].sort().flatMap((file) => {
    const font = fontOfFile(file)
    return font ? [{ ...font, file, key: familyKey(font.family) }] : []
  })
  for (const { family, variant, file, key } of fonts) {
    if (variant === undefined && !families.has(key)) families.set(key, { name: family, file, variants: {} })
  }
  for (const { variant, file, key } of fonts) {
    const variants = families.get(key)?.variants
    if (variant !== undefined && variants) variants[variant] ??= file
  }
  const byName = (a: FontFamily, b: FontFamily) => (familyKey(a.name) < familyKey(b.name) ? -1 : 1)
  return [...families.values()].sort(byName)
}

/** All files of the family with this name, ignoring case. */
export function filesOfFamily(files: readonly string[], name: string): string[] {
  const key = familyKey(name)
  return files.filter((file) => familyKey(fontOfFile(file)?.family ?? '') === key)
}
