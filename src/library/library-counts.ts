// Numbers of colors and text templates in the options.
import { lengthOfStored } from '../db/stored-json.ts'
import { colorLibraryKeys, readColorLibrary } from './stored-colors.ts'
import { templatesKey } from './stored-templates.ts'

/** Options from which they are counted. */
export const libraryKeys = [...colorLibraryKeys, templatesKey] as const

/** An unreadable list counts as empty. */
export const textTemplateCount = (options: ReadonlyMap<string, string>): number =>
  lengthOfStored(options.get(templatesKey) ?? null) ?? 0

/** Colors of the saved library, or of the legacy settings until one is saved. */
export const colorCount = (options: ReadonlyMap<string, string>): number =>
  readColorLibrary(options).library.colors.length
