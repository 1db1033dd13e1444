// The page of a palette: its colors in their order, its name, where it is used, and its removal.
import { SvcError } from '../../src/core/errors.ts'
import { membersOf } from '../../src/core/foreign.ts'
import { type Html, html } from '../../src/core/html.ts'
import type { ColorLibrary, Palette } from '../../src/library/stored-colors.ts'
import { type Form, queryValue, valueIn } from '../../src/pages/form.ts'
import { postForm, section } from '../../src/pages/html.ts'
import { actionIn, buttonValue } from './color-buttons.ts'
import { assertConfirmed, colorIdsOf, entryAt, moved, positionOf, withChangedPalette } from './color-edits.ts'
import { backLink, draftOf, moveButtons, nameOf, removal, swatch } from './color-parts.ts'
import type { Colors } from './color-store.ts'
import { usageSections } from './color-usage-parts.ts'
import { labelled } from './controls.ts'
import { savedForm } from './saved-form.ts'
import type { Screen } from './screen.ts'

/** What the forms of the page send. */
interface Entries {
  /** The pressed button: `save`, `remove`, `add`, or a value of `color-buttons.ts` for a color in the palette. */
  act: string
  /** Id of the palette. */
  id: string
  /** Whether the box was ticked that confirms a removal. */
  isConfirmed: boolean
  name: string
  /** Id of a color to add. */
  added: string
}

const entriesIn = (form: Form): Entries => ({
  act: valueIn(form, 'act'),
  id: valueIn(form, 'id'),
  isConfirmed: valueIn(form, 'confirmed') === 'yes',
  name: valueIn(form, 'name'),
  added: valueIn(form, 'added'),
})

/** Registers the page and the post of its forms. */
export function palettePage(screen: Screen, colors: Colors): void {
  const usageSection = usageSections(screen, colors)
  savedForm(screen, {
    slug: 'edit-palette',
    read: entriesIn,
    async show(request, reply, feedback, sent) {
      const { library, state } = await colors.find()
      const id = sent?.id ?? queryValue(request, 'id')
      const position = positionOf(library.palettes, id)
      const palette = entryAt(library.palettes, position)
      const opened = { _form: screen.formToken(request, reply), _state: state, id }
      const name = sent?.act === 'save' ? sent.name : nameOf(palette)
      const field = labelled({ id: 'name', label: 'Name' }, () => [
        html`<input type="text" id="name" name="name" value="${name}" required autocomplete="off">`,
      ])
      const rename = [field, html`<p><button class="main" name="act" value="save">Save name</button></p>`]
      const main = html`${feedback}${backLink}
${section('palette-colors', 'Colors', postForm('edit-palette', opened, memberRows(palette, library)))}
${addition(palette, library, opened)}
${section('palette-name', 'Name', postForm('edit-palette', opened, rename))}
${await usageSection(request, 'palette', id)}
${removal('edit-palette', opened, 'palette', 'Its colors stay in the library.')}`
      return screen.send(reply, { title: nameOf(palette), current: 'colors', main })
    },
    save: (entries, check) => colors.change((library) => editedPalette(library, entries), check),
    saved: 'The palette was saved.',
    next: ({ act, id }) =>
      act === 'remove' ? 'edit-color-library?saved=1' : `edit-palette?id=${encodeURIComponent(id)}&saved=1`,
  })
}

/** The library after the pressed button. */
function editedPalette(library: ColorLibrary, { act, id, isConfirmed, name, added }: Entries): ColorLibrary {
  const position = positionOf(library.palettes, id)
  const ids = colorIdsOf(entryAt(library.palettes, position))
  if (act === 'save') return withChangedPalette(library, position, { name: name.trim() })
  if (act === 'add') return withChangedPalette(library, position, { colorIds: [...ids, added] })
  if (act === 'remove') {
    assertConfirmed(isConfirmed)
    return { ...library, palettes: library.palettes.toSpliced(position, 1) }
  }
  const entryAction = actionIn(act)
  if (entryAction?.list !== 'member')
    throw new SvcError('rest_no_route', { message: 'There is no such button.' })
  const { position: index, offset } = entryAction
  const colorIds = offset === undefined ? ids.toSpliced(index, 1) : moved(ids, index, offset)
  return withChangedPalette(library, position, { colorIds })
}

/** The colors of a palette in order, with buttons that move one or take it out. */
function memberRows(palette: Palette, { colors }: ColorLibrary): Html {
  const byId = new Map(colors.map((color) => [membersOf(color).id, color]))
  const ids = colorIdsOf(palette)
  if (ids.length === 0) return html`<p>No colors in this palette yet.</p>`
  return html`<ul class="entries" data-moves="member">${ids.map((id, position) => {
    // A palette may name a color that no longer exists.
    const color = byId.get(id)
    const name = color ? nameOf(color) : String(id)
    return html`<li>${color && swatch(draftOf(color).hex, name)}<div class="what"><p class="name">${name}</p></div>
<div class="buttons">${moveButtons({ list: 'member', position, count: ids.length }, name)} <button name="act" value="${buttonValue('member', 'out', position)}">Remove<span class="unseen"> ${name}</span></button></div></li>`
  })}</ul>`
}

/** A form that adds a color to the palette; undefined if it has all of them. @param opened hidden fields */
function addition(
  palette: Palette,
  { colors }: ColorLibrary,
  opened: Record<string, string>,
): Html | undefined {
  const ids = new Set(colorIdsOf(palette))
  const candidates = colors.filter((color) => !ids.has(String(membersOf(color).id)))
  if (candidates.length === 0) return undefined
  const field = labelled({ id: 'added', label: 'Color' }, () => [
    html`<select id="added" name="added">${candidates.map((color) => html`<option value="${String(membersOf(color).id)}">${nameOf(color)} ${draftOf(color).hex}</option>`)}</select>`,
  ])
  const button = html`<p><button class="main" name="act" value="add">Add to palette</button></p>`
  return section('palette-add', 'Add a color', postForm('edit-palette', opened, [field, button]))
}
