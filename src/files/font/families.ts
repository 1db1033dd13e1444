// Groups the files in the fonts folder into families, including files that were not uploaded through this API.
import { type FontVariant, familyKey, fontOfFile } from './file-names.ts'

/** A family in the fonts folder. */
export interface FontFamily {
  /** The display name, with spaces. */
  name: string
  /** The name of the base file. */
  file: string
  /** File names by variant. */
  variants: Partial<Record<FontVariant, string>>
}

/**
 * The families of the files, sorted by name. Variants without a base file form no family; of two files for the same family and
 * variant, whose names differ only by case, the first by character codes counts.
 */
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

/** The names of all files of a family, base file and variants; the case of its name does not matter. */
export function filesOfFamily(files: readonly string[], name: string): string[] {
  const key = familyKey(name)
  return files.filter((file) => familyKey(fontOfFile(file)?.family ?? '') === key)
}
