// The color library's option row, which changes only by compare-and-swap.

import { SvcError, unreadableValue } from '../core/errors.ts'
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

export interface FoundLibrary extends ReadLibrary {
  state: string
}

const change = { resource: 'color_library', action: 'updated', id: null } as const

/** Once saved, the library no longer depends on the legacy settings. */
function foundIn(rows: ReadonlyMap<string, string>): FoundLibrary {
  const read = readColorLibrary(rows)
  const keys = read.persisted ? [colorLibraryKey] : colorLibraryKeys
  return { ...read, state: stateTag(...keys.map((key) => rows.get(key))) }
}

/** @param table physical name of the options table, for the error about an unreadable library */
export function colorLibraryRepository(options: OptionsStore, encoder: Encoder, table: string) {
  /** @throws SvcError 500 when the saved library cannot be read */
  async function find(): Promise<FoundLibrary> {
    const found = foundIn(await options.getMany(colorLibraryKeys))
    if (!found.unreadable.includes(colorLibraryKey)) return found
    throw unreadableValue({ table, row: colorLibraryKey, column: 'option_value' })
  }

  return {
    find,

    /**
     * One color or palette by its id, and the palettes that contain the color.
     * @throws SvcError 500 when the saved library cannot be read
     */
    async named(type: 'color' | 'palette', id: string) {
      const { colors, palettes } = (await find()).library
      const color = type === 'color' ? colors.find((candidate) => candidate?.id === id) : undefined
      return {
        color,
        palette: type === 'palette' ? palettes.find((candidate) => candidate?.id === id) : undefined,
        palettes: palettes
          .filter((palette) => color && Object(palette).colorIds?.includes?.(id))
          .map((palette) => ({ id: String(palette.id), name: String(palette.name) })),
      }
    },

    /**
     * Replaces the library. Unknown properties stay unless the body contains them.
     * @throws SvcError 400 with all problems; whatever `check` throws
     */
    async save(body: Record<string, unknown>, check?: (state: string) => void): Promise<FoundLibrary> {
      let refused: string[] = []
      let before: string | undefined
      const stored = await options.update(
        colorLibraryKey,
        async (_stored, rows) => {
          const current = foundIn(rows)
          if (check) {
            before = current.state
            check(before)
          }
          asStored(body, current.library)
          const { library, errors } = checkLibrary(body, current.library.version)
          refused = errors
          if (!library) return undefined
          const next = current.persisted ? withUnknownProperties(library, current.library) : library
          return encoder.json('options', 'option_value', 'library', next)
        },
        {
          beside: colorLibraryKeys,
          noted: (next) => ({ ...change, before, after: stateTag(next) }),
        },
      )
      if (refused.length > 0) {
        const more = refused.length === 1 ? '' : ` and ${refused.length - 1} more`
        throw new SvcError('svc_color_library_invalid', {
          message: `The color library is not valid: ${refused[0]?.replace(/\.$/, '')}${more}.`,
          errors: refused,
        })
      }
      return foundIn(new Map(stored === undefined ? [] : [[colorLibraryKey, stored]]))
    },
  }
}

const knownProperties = new Set(['price'])

/** Keeps unknown stored properties of the library, and of each color and palette that remains. */
function withUnknownProperties(library: ColorLibrary, stored: ColorLibrary): ColorLibrary {
  return {
    ...stored,
    ...library,
    colors: continued(library.colors, stored.colors),
    palettes: continued(library.palettes, stored.palettes),
    version: Math.max(library.version, stored.version),
  }
}

function continued<T extends { id: string }>(items: T[], stored: T[]): T[] {
  const before = new Map(stored.map((item) => [Object(item).id, item]))
  return items.map((item) => {
    const others = Object.entries(Object(before.get(item.id))).filter(
      ([name]) => !knownProperties.has(name) && !Object.hasOwn(item, name),
    )
    // After the sent properties, so that what was read and sent back has the same text.
    return { ...item, ...Object.fromEntries(others) }
  })
}
