// The color library's option row, changed by compare-and-swap only.
import type { Columns } from '../../src/db/column-limits.ts'
import { stateTag } from '../../src/db/state-tag.ts'
import { SvcError, unreadableValue } from '../../src/errors.ts'
import {
  type ColorLibrary,
  colorLibraryKey,
  colorLibraryKeys,
  type ReadLibrary,
  readColorLibrary,
} from '../../src/options/color-library.ts'
import { checkLibrary } from '../../src/options/color-library-check.ts'
import type { OptionsStore } from '../../src/options/store.ts'

export interface FoundLibrary extends ReadLibrary {
  state: string
}

function foundIn(rows: ReadonlyMap<string, string>): FoundLibrary {
  const read = readColorLibrary(rows)
  // A saved library no longer depends on the older settings.
  const keys = read.persisted ? [colorLibraryKey] : colorLibraryKeys
  return { ...read, state: stateTag(...keys.map((key) => rows.get(key))) }
}

/** @param table physical name of the options table, for the error about a library that cannot be read */
export function colorLibraryRepository(options: OptionsStore, columns: Columns, table: string) {
  return {
    /** @throws SvcError 500 when the saved library cannot be read */
    async find(): Promise<FoundLibrary> {
      const found = foundIn(await options.getMany(colorLibraryKeys))
      if (found.unreadable.includes(colorLibraryKey)) {
        throw unreadableValue({ table, row: colorLibraryKey, column: 'option_value' })
      }
      return found
    },

    /**
     * Replaces the library; members that this API does not know stay where the body does not name them.
     * @throws SvcError 400 with all problems; what `check` throws
     */
    async save(body: Record<string, unknown>, check?: (state: string) => void): Promise<FoundLibrary> {
      let refused: string[] = []
      const stored = await options.update(
        colorLibraryKey,
        (_stored, rows) => {
          const current = foundIn(rows)
          check?.(current.state)
          const { library, errors } = checkLibrary(body, current.library.version)
          refused = errors
          if (!library) return undefined
          const next = current.persisted ? withUnknownMembers(library, current.library) : library
          return columns.json('options', 'option_value', 'library', next)
        },
        { beside: colorLibraryKeys },
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

const knownMembers = new Set(['price'])

/** What others stored beside the members we know, of the model and of each color and palette that goes on. */
function withUnknownMembers(library: ColorLibrary, stored: ColorLibrary): ColorLibrary {
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
    const others = Object.entries(Object(before.get(item.id))).filter(([name]) => !knownMembers.has(name))
    return { ...Object.fromEntries(others), ...item }
  })
}
