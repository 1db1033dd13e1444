// How many colors and text templates the options hold.
import { lengthOfStored } from '../db/stored-json.ts'
import { colorLibraryKeys } from './color-library.ts'
import { countColors } from './color-library-json.ts'
import { templatesKey } from './text-templates.ts'

/** Options that the counts are made of. */
export const libraryKeys = [...colorLibraryKeys, templatesKey] as const

/** A list that cannot be read counts as empty. */
export const textTemplateCount = (options: ReadonlyMap<string, string>): number =>
  lengthOfStored(options.get(templatesKey) ?? null) ?? 0

/** The saved library counts; until one is saved, the colors that the older settings name. */
export const colorCount = (options: ReadonlyMap<string, string>): Promise<number> =>
  countColors(Object.fromEntries(colorLibraryKeys.map((key) => [key, options.get(key) ?? ''])))
