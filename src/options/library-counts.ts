// How many colors and text templates the options hold.
import { colorLibraryKeys, readColorLibrary } from './color-library.ts'
import { readTemplates, templatesKey } from './text-templates.ts'

/** Options that the counts are made of. */
export const libraryKeys = [...colorLibraryKeys, templatesKey] as const

/** A list that cannot be read counts as empty. */
export const textTemplateCount = (options: ReadonlyMap<string, string>): number =>
  readTemplates(options.get(templatesKey))?.length ?? 0

/** The saved library counts; until one is saved, the colors that the older settings name. */
export const colorCount = (options: ReadonlyMap<string, string>): number =>
  readColorLibrary(options).library.colors.length
