// The color library as its pages read and save it.
import type { Precondition } from '../../src/http/etag.ts'
import { colorLibraryRepository } from '../../src/library/color-library.ts'
import type { ColorLibrary } from '../../src/library/stored-colors.ts'
import { type Form, valueIn } from '../../src/pages/scope.ts'
import type { ColorDraft } from './color-edits.ts'
import type { Screen } from './screen.ts'

export type Colors = ReturnType<typeof colorsOf>

export function colorsOf({ context }: Screen) {
  const { encoder, t } = context.database
  const repository = colorLibraryRepository(context.options, encoder, t.options)
  return {
    ...repository,
    isTooLong: (library: ColorLibrary) => JSON.stringify(library).length > context.bodyLimits.json,
    /** Saves what a step makes of the library that its page showed. */
    async change(step: (library: ColorLibrary) => ColorLibrary, check: Precondition): Promise<void> {
      const { library, state } = await repository.find()
      check(state)
      await repository.save({ ...step(library) }, check)
    },
  }
}

export const colorIn = (form: Form): ColorDraft => ({
  name: valueIn(form, 'name'),
  hex: valueIn(form, 'hex').trim(),
  price: valueIn(form, 'price'),
  spot: valueIn(form, 'spot'),
  cmyk: valueIn(form, 'cmyk'),
})
