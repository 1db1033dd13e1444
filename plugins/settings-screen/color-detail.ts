// A page for each color, with its usages, and for each palette, with the colors in their order.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { membersOf } from '../../src/core/foreign.ts'
import { type Html, html } from '../../src/core/html.ts'
import { usageScan } from '../../src/library/color-usages.ts'
import type { ColorLibrary, Palette } from '../../src/library/stored-colors.ts'
import { postForm, section } from '../../src/pages/html.ts'
import { type Form, queryValue, valueIn } from '../../src/pages/scope.ts'
import { actionIn, buttonValue } from './color-buttons.ts'
import {
  type ColorDraft,
  colorIdsOf,
  colorProblems,
  entryAt,
  moved,
  noEntry,
  withChangedColor,
  withChangedPalette,
  withoutColor,
} from './color-edits.ts'
import { colorFields, draftOf, moveButtons, nameOf, swatch } from './color-parts.ts'
import { type Colors, colorIn } from './color-store.ts'
import { labelled } from './controls.ts'
import { savedForm } from './saved-form.ts'
import type { Screen } from './screen.ts'

/** What the forms of both pages send. */
interface Entries {
  /** The pressed button: `save`, `remove`, `add`, or a value of `color-buttons.ts` for a color in a palette. */
  act: string
  /** Id of the color or palette. */
  id: string
  /** Whether the box was ticked that confirms a removal. */
  isConfirmed: boolean
  color: ColorDraft
  /** Name of the palette. */
  name: string
  /** Id of a color that a palette gets. */
  added: string
}

const entriesIn = (form: Form): Entries => ({
  act: valueIn(form, 'act'),
  id: valueIn(form, 'id'),
  isConfirmed: valueIn(form, 'confirmed') === 'yes',
  color: colorIn(form),
  name: valueIn(form, 'name'),
  added: valueIn(form, 'added'),
})

const backLink = html`<p><a href="edit-color-library">All colors and palettes</a></p>`
/** Selects every field of `GET /color-library/usages`, so that all kinds of usages are searched. */
const allFields = { has: () => true }

/** A section that lists where a color or palette is used. */
type UsageSection = (request: FastifyRequest, type: 'color' | 'palette', id: string) => Promise<Html>

/** Registers the page of a color and that of a palette, with the posts of their forms. */
export function colorDetailPages(app: FastifyInstance, screen: Screen, colors: Colors): void {
  const { context } = screen
  const scan = usageScan(context.database)

  const usageSection: UsageSection = async (request, type, id) => {
    const { color, palettes } = await colors.findWithPalettes(type, id)
    const picker = (await context.options.get('svc_color_colorPickerPalette')) ?? ''
    const { usages, incomplete } = await scan({ palettes, id, color, picker, selection: allFields })
    const list = usageList(usages, incomplete.length > 0, screen.deskUrl(request))
    return section('color-usages', 'Where it is used', list)
  }

  colorPage(app, screen, colors, usageSection)
  palettePage(app, screen, colors, usageSection)
}

function colorPage(app: FastifyInstance, screen: Screen, colors: Colors, usageSection: UsageSection): void {
  savedForm(app, screen, {
    slug: 'edit-color',
    read: entriesIn,
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

function palettePage(app: FastifyInstance, screen: Screen, colors: Colors, usageSection: UsageSection): void {
  savedForm(app, screen, {
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

/** The position of the entry with this id. @throws SvcError 404 */
function positionOf(list: readonly object[], id: string): number {
  const position = list.findIndex((entry) => String(membersOf(entry).id) === id)
  if (position < 0) throw noEntry()
  return position
}

/** @throws SvcError 400 unless the box was ticked that confirms a removal */
function assertConfirmed(isConfirmed: boolean): void {
  if (!isConfirmed)
    throw new SvcError('rest_invalid_param', { message: 'Tick the box to confirm the deletion.' })
}

/** The library after the pressed button of the page of a palette. */
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

/** A form that removes the color or palette. @param opened hidden fields @param consequence of the removal, as a sentence */
const removal = (
  action: string,
  opened: Record<string, string>,
  type: 'color' | 'palette',
  consequence: string,
) =>
  section(
    'entry-removal',
    `Delete this ${type}`,
    postForm(action, opened, [
      html`<p class="remark">${consequence}</p>
<p><label class="box"><input type="checkbox" name="confirmed" value="yes" required> Delete this ${type} from the library</label></p>
<p><button class="danger" name="act" value="remove">Delete ${type}</button></p>`,
    ]),
  )

type FoundUsages = Awaited<ReturnType<ReturnType<typeof usageScan>>>['usages']

/** @param isCut whether the search ended before it had seen all rows @param deskUrl where the pages of products are */
function usageList(
  { palettes, printProfiles, pickerPreset, products, designCategories }: FoundUsages,
  isCut: boolean,
  deskUrl: string | undefined,
): Html {
  const product = ({ id, title }: FoundUsages['products'][number]) => {
    const name = title || `Product ${id}`
    return deskUrl === undefined
      ? name
      : html`<a href="${deskUrl.replace(/\/$/, '')}/product?id=${id}">${name}</a>`
  }
  const rows = [
    ['Palettes', palettes.map(({ name }) => name)],
    ['Print profiles', printProfiles.map(({ id, name }) => name || `Profile ${id}`)],
    ['Products', products.map(product)],
    ['Design library', designCategories.map(({ id, title }) => title || `Category ${id}`)],
    ['Settings', pickerPreset ? ['Swatches of the color picker'] : []],
  ] as const
  const used = rows.filter(([, names]) => names.length > 0)
  return html`
${used.length > 0 ? html`<dl>${used.map(([label, names]) => html`<dt>${label}</dt><dd>${names.map((name, index) => [index > 0 && ', ', name])}</dd>`)}</dl>` : html`<p>${isCut ? 'No usage was found so far.' : 'Not used in this shop.'}</p>`}
${isCut && html`<p class="remark">The search was cut off, so there may be more usages.</p>`}
<p class="remark">Orders are not searched.</p>`
}
