// The color library's option row, which changes only by compare-and-swap.

import { SvcError, unreadableValue } from '../core/errors.ts'
import type { Columns } from '../db/column-limits.ts'
import { stateTag } from '../db/state-tag.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import {
  type LibraryItem,
  libraryItem,
  replacedLibrary,
  type SerializedLibrary,
  serializedLibrary,
} from './colors-json.ts'
import { colorLibraryKey, colorLibraryKeys } from './stored-colors.ts'

export interface FoundLibrary extends SerializedLibrary {
  state: string
}

const change = { resource: 'color_library', action: 'updated', id: null } as const

type Rows = ReadonlyMap<string, string>

/** Once saved, the library no longer depends on the legacy settings. */
function stateOf({ persisted }: SerializedLibrary, rows: Rows): string {
  const keys = persisted ? [colorLibraryKey] : colorLibraryKeys
  return stateTag(...keys.map((key) => rows.get(key)))
}

/** @param table physical name of the options table, for the error about an unreadable library */
export function colorLibraryRepository(options: OptionsStore, columns: Columns, table: string) {
  async function foundIn(rows: Rows, names?: readonly string[]): Promise<FoundLibrary> {
    const shown = serializedLibrary(Object.fromEntries(rows), names)
    return { ...shown, state: stateOf(shown, rows) }
  }

  function assertReadable({ unreadable }: SerializedLibrary): void {
    if (!unreadable.includes(colorLibraryKey)) return
    throw unreadableValue({ table, row: colorLibraryKey, column: 'option_value' })
  }

  return {
    /**
     * @param names of the properties to return; undefined returns all
     * @throws SvcError 500 when the saved library cannot be read
     */
    async find(names?: readonly string[]): Promise<FoundLibrary> {
      const found = await foundIn(await options.getMany(colorLibraryKeys), names)
      assertReadable(found)
      return found
    },

    /** One color or palette by its id. @throws SvcError 500 when the saved library cannot be read */
    async named(type: 'color' | 'palette', id: string): Promise<LibraryItem> {
      const rows = await options.getMany(colorLibraryKeys)
      assertReadable(await foundIn(rows, []))
      return libraryItem(Object.fromEntries(rows), type, id)
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
          if (check) {
            before = (await foundIn(rows, [])).state
            check(before)
          }
          const { library, errors } = replacedLibrary(Object.fromEntries(rows), body)
          refused = errors ?? []
          return library && columns.json('options', 'option_value', 'library', library)
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
