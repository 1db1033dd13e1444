// The color library: one option row, which changes only by compare-and-swap.
import { SvcError, unreadableValue } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import type { Encoder } from '../db/encoder.ts'
import { stateTag } from '../db/state-tag.ts'
import { asStored } from '../json/php-arrays.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import { checkLibrary } from './colors-check.ts'
import {
  type ColorLibrary,
  colorLibraryKey,
  colorLibraryKeys,
  type ReadLibrary,
  readColorLibrary,
} from './stored-colors.ts'

/** The library with its state tag. */
export interface FoundLibrary extends ReadLibrary {
  state: string
}

const changeNote = { resource: 'color_library', action: 'updated', id: null } as const

/** The library in these options. Its state covers the legacy settings only until it is saved, because then they no longer count. */
function libraryIn(rows: ReadonlyMap<string, string>): FoundLibrary {
  const library = readColorLibrary(rows)
  const keys = library.persisted ? [colorLibraryKey] : colorLibraryKeys
  return { ...library, state: stateTag(...keys.map((key) => rows.get(key))) }
}

/** The library of one database. @param table physical name of the options table, for the error about an unreadable library */
export function colorLibraryRepository(options: OptionsStore, encoder: Encoder, table: string) {
  /** @throws SvcError 500 when the saved library cannot be read */
  async function find(): Promise<FoundLibrary> {
    const library = libraryIn(await options.getMany(colorLibraryKeys))
    if (!library.unreadable.includes(colorLibraryKey)) return library
    throw unreadableValue({ table, row: colorLibraryKey, column: 'option_value' })
  }

  return {
    find,

    /**
     * One color or palette by its id, and the palettes that contain the color.
     * @throws SvcError 500 when the saved library cannot be read
     */
    async findWithPalettes(type: 'color' | 'palette', id: string) {
      const { colors, palettes } = (await find()).library
      const color = type === 'color' ? colors.find((candidate) => candidate?.id === id) : undefined
      return {
        color,
        palette: type === 'palette' ? palettes.find((candidate) => candidate?.id === id) : undefined,
        palettes: palettes
          .filter((palette) => color && [membersOf(palette).colorIds].flat().includes(id))
          .map((palette) => ({ id: String(palette.id), name: String(palette.name) })),
      }
    },

    /**
     * Replaces the library. Stored properties that the body omits stay (`spot`, `cmyk` and unknown ones), but for `price`.
     * @param body changed in place: objects that PHP turned into arrays are restored
     * @param check gets the state before the write, and throws to prevent it
     * @throws SvcError `svc_color_library_invalid` with all problems; what `check` throws
     */
    async save(body: Record<string, unknown>, check?: (state: string) => void): Promise<FoundLibrary> {
      // Set by the last run of the function below, which runs again after a lost compare-and-swap.
      let refused: string[] = []
      let before: string | undefined
      const stored = await options.update(
        colorLibraryKey,
        async (_stored, rows) => {
          const current = libraryIn(rows)
          if (check) {
            before = current.state
            check(before)
          }
          asStored(body, current.library)
          const { library, errors } = checkLibrary(body, current.library.version)
          refused = errors
          if (!library) return undefined
          const next = current.persisted ? withOmittedProperties(library, current.library) : library
          return encoder.json('options', 'option_value', 'library', next)
        },
        {
          alsoRead: colorLibraryKeys,
          noted: (next) => ({ ...changeNote, before, after: stateTag(next) }),
        },
      )
      if (refused.length > 0) {
        const more = refused.length === 1 ? '' : ` and ${refused.length - 1} more`
        throw new SvcError('svc_color_library_invalid', {
          message: `The color library is not valid: ${refused[0]?.replace(/\.$/, '')}${more}.`,
          errors: refused,
        })
      }
      return libraryIn(new Map(stored === undefined ? [] : [[colorLibraryKey, stored]]))
    },
  }
}

/** Properties that a body removes by omitting them. */
const removedByOmission = new Set(['price'])

/** The library with the stored properties that it omits, as have each color and palette that remains. */
function withOmittedProperties(library: ColorLibrary, stored: ColorLibrary): ColorLibrary {
  return {
    ...stored,
    ...library,
    colors: withStoredProperties(library.colors, stored.colors),
    palettes: withStoredProperties(library.palettes, stored.palettes),
    version: Math.max(library.version, stored.version),
  }
}

function withStoredProperties<T extends { id: string }>(items: T[], stored: T[]): T[] {
  const storedById = new Map(stored.map((item) => [membersOf(item).id, item]))
  return items.map((item) => {
    const omittedProperties = Object.entries(membersOf(storedById.get(item.id))).filter(
      ([name]) => !removedByOmission.has(name) && !Object.hasOwn(item, name),
    )
    // They follow the sent properties, so that an item that is sent back as it was read has the same text.
    return { ...item, ...Object.fromEntries(omittedProperties) }
  })
}
