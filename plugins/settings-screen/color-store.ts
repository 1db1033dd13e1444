// Reads and saves the color library for its pages, and reads a color from a form.
import type { Precondition } from '../../src/http/etag.ts'
import { colorLibraryRepository } from '../../src/library/color-library.ts'
import type { ColorLibrary } from '../../src/library/stored-colors.ts'
import { type Form, valueIn } from '../../src/pages/form.ts'
import type { ColorDraft } from './color-edits.ts'
import type { Screen } from './screen.ts'

/** Reads and saves the color library; see `colorsOf`. */
export type Colors = ReturnType<typeof colorsOf>

/** The repository of the color library, with a save that starts from the stored library. */
export function colorsOf({ context }: Screen) {
  const { encoder, t } = context.database
  const repository = colorLibraryRepository(context.options, encoder, t.options)
  return {
    ...repository,
    /** Whether the library is too long to be sent back in a form. */
    isTooLong: (library: ColorLibrary) => JSON.stringify(library).length > context.bodyLimits.json,
    /**
     * Saves the library that `edit` makes of the stored one.
     * @param check throws if the library has changed since the page of the form was opened
     */
    async change(edit: (library: ColorLibrary) => ColorLibrary, check: Precondition): Promise<void> {
      const { library, state } = await repository.find()
      check(state)
      await repository.save({ ...edit(library) }, check)
    },
  }
}

/** The color that a form contains. */
export const colorIn = (form: Form): ColorDraft => ({
  name: valueIn(form, 'name'),
  hex: valueIn(form, 'hex').trim(),
  price: valueIn(form, 'price'),
  spot: valueIn(form, 'spot'),
  cmyk: valueIn(form, 'cmyk'),
})
