// The color library's option row, changed by compare-and-swap only.
import type { Columns } from '../../src/db/column-limits.ts'
import { stateTag } from '../../src/db/state-tag.ts'
import { SvcError, unreadableValue } from '../../src/errors.ts'
import { colorLibraryKey, colorLibraryKeys } from '../../src/options/color-library.ts'
import {
  type LibraryItem,
  libraryItem,
  replacedLibrary,
  type SerializedLibrary,
  serializedLibrary,
} from '../../src/options/color-library-json.ts'
import type { OptionsStore } from '../../src/options/store.ts'

export interface FoundLibrary extends SerializedLibrary {
  state: string
}

type Rows = ReadonlyMap<string, string>

/** A saved library no longer depends on the older settings. */
function stateOf({ persisted }: SerializedLibrary, rows: Rows): string {
  const keys = persisted ? [colorLibraryKey] : colorLibraryKeys
  return stateTag(...keys.map((key) => rows.get(key)))
}

/** @param table physical name of the options table, for the error about a library that cannot be read */
export function colorLibraryRepository(options: OptionsStore, columns: Columns, table: string) {
  async function foundIn(rows: Rows, wanted?: readonly string[]): Promise<FoundLibrary> {
    const shown = await serializedLibrary(Object.fromEntries(rows), wanted)
    return { ...shown, state: stateOf(shown, rows) }
  }

  function assertReadable({ unreadable }: SerializedLibrary): void {
    if (!unreadable.includes(colorLibraryKey)) return
    throw unreadableValue({ table, row: colorLibraryKey, column: 'option_value' })
  }

  return {
    /**
     * @param wanted names of properties; all when undefined
     * @throws SvcError 500 when the saved library cannot be read
     */
    async find(wanted?: readonly string[]): Promise<FoundLibrary> {
      const found = await foundIn(await options.getMany(colorLibraryKeys), wanted)
      assertReadable(found)
      return found
    },

    /** One color or palette. @throws SvcError 500 when the saved library cannot be read */
    async named(type: 'color' | 'palette', id: string): Promise<LibraryItem> {
      const rows = await options.getMany(colorLibraryKeys)
      assertReadable(await foundIn(rows, []))
      return libraryItem(Object.fromEntries(rows), type, id)
    },

    /**
     * Replaces the library; properties that this API does not know stay where the body does not name them.
     * @throws SvcError 400 with all problems; what `check` throws
     */
    async save(body: Record<string, unknown>, check?: (state: string) => void): Promise<FoundLibrary> {
      let refused: string[] = []
      const stored = await options.update(
        colorLibraryKey,
        async (_stored, rows) => {
          if (check) check((await foundIn(rows, [])).state)
          const { library, errors } = await replacedLibrary(Object.fromEntries(rows), body)
          refused = errors ?? []
          return library && columns.json('options', 'option_value', 'library', library)
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
