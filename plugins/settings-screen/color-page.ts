// The page of a color: its properties, where it is used, and its removal.
import { html } from '../../src/core/html.ts'
import { queryValue, valueIn } from '../../src/pages/form.ts'
import { postForm, section } from '../../src/pages/html.ts'
import {
  assertConfirmed,
  colorProblems,
  entryAt,
  positionOf,
  withChangedColor,
  withoutColor,
} from './color-edits.ts'
import { backLink, colorFields, draftOf, nameOf, removal, swatch } from './color-parts.ts'
import { type Colors, colorIn } from './color-store.ts'
import { usageSections } from './color-usage-parts.ts'
import { savedForm } from './saved-form.ts'
import type { Screen } from './screen.ts'

/** Registers the page and the post of its forms. */
export function colorPage(screen: Screen, colors: Colors): void {
  const usageSection = usageSections(screen, colors)
  savedForm(screen, {
    slug: 'edit-color',
    read: (form) => ({
      // The pressed button: `save` or `remove`.
      act: valueIn(form, 'act'),
      id: valueIn(form, 'id'),
      isConfirmed: valueIn(form, 'confirmed') === 'yes',
      color: colorIn(form),
    }),
    async show(request, reply, feedback, sent) {
      const { library, state } = await colors.find()
      const id = sent?.id ?? queryValue(request, 'id')
      const color = entryAt(library.colors, positionOf(library.colors, id))
      const opened = { _form: screen.formToken(request, reply), _state: state, id }
      const draft = sent?.act === 'save' ? sent.color : draftOf(color)
      const fields = [
        colorFields(draft, sent?.act === 'save' ? colorProblems(draft) : {}),
        html`<p><button class="main" name="act" value="save">Save color</button></p>`,
      ]
      const main = html`${feedback}${backLink}
${section('color-edit', html`${swatch(draft.hex, draft.hex)} ${nameOf(color)}`, postForm('edit-color', opened, fields))}
${await usageSection(request, 'color', id)}
${removal('edit-color', opened, 'color', 'It also leaves its palettes. Designs keep their colors.')}`
      return screen.send(reply, { title: nameOf(color), current: 'colors', main })
    },
    save: ({ act, id, isConfirmed, color }, check) =>
      colors.change((library) => {
        const position = positionOf(library.colors, id)
        if (act !== 'remove') return withChangedColor(library, position, color)
        assertConfirmed(isConfirmed)
        return withoutColor(library, position)
      }, check),
    next: 'edit-color-library?saved=1',
  })
}
