// A page for each color, with its usages, and for each palette, with the colors in their order.
import type { FastifyInstance } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { usageScan } from '../../src/library/color-usages.ts'
import type { ColorLibrary } from '../../src/library/stored-colors.ts'
import { postForm, section } from '../../src/pages/html.ts'
import { type Form, queryValue, valueIn } from '../../src/pages/scope.ts'
import {
  type ColorDraft,
  colorIdsOf,
  entryAt,
  moved,
  noEntry,
  withChangedColor,
  withChangedPalette,
  withoutColor,
} from './color-edits.ts'
import { colorFields, draftOf, moveButtons, moveIn, nameOf, swatch } from './color-parts.ts'
import { type Colors, colorIn } from './color-store.ts'
import { labelled } from './controls.ts'
import { type Screen, savedForm } from './screen.ts'

/** The fields of the forms of both pages. */
interface Entries {
  /** The value of the button: `save`, `remove`, `add`, or of a row of a palette `member.out.3`, `member.up.3`, `member.to.3.0`. */
  act: string
  /** Of the color or palette. */
  id: string
  isConfirmed: boolean
  color: ColorDraft
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

const back = html`<p><a href="edit-color-library">All colors and palettes</a></p>`
/** The search for usages reports every kind of usage. */
const allUsages = { has: () => true }

export function colorPages(app: FastifyInstance, screen: Screen, colors: Colors): void {
  const { context } = screen
  const scan = usageScan(context.database)

  /** Where the color or palette is used, as the API reports it. */
  async function usageSection(type: 'color' | 'palette', id: string): Promise<Html> {
    const { color, palettes } = await colors.findWithPalettes(type, id)
    const picker = (await context.options.get('svc_color_colorPickerPalette')) ?? ''
    const { usages, incomplete } = await scan({ palettes, id, color, picker, selection: allUsages })
    return section('color-usages', 'Where it is used', usageList(usages, incomplete.length > 0))
  }

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
        colorFields(draft),
        html`<p><button class="main" name="act" value="save">Save color</button></p>`,
      ]
      const main = html`${feedback}${back}
${section('color-edit', html`${swatch(draft.hex, draft.hex)} ${nameOf(color)}`, postForm('edit-color', opened, fields))}
${await usageSection('color', id)}
${removal('edit-color', opened, 'color', 'It also leaves its palettes. Designs keep their colors.')}`
      return screen.send(reply, { title: nameOf(color), current: 'colors', main })
    },
    save: ({ act, id, isConfirmed, color }, check) =>
      colors.change((library) => {
        const at = positionOf(library.colors, id)
        if (act !== 'remove') return withChangedColor(library, at, color)
        assertConfirmed(isConfirmed)
        return withoutColor(library, at)
      }, check),
    next: 'edit-color-library?saved=1',
  })

  savedForm(app, screen, {
    slug: 'edit-palette',
    read: entriesIn,
    async show(request, reply, feedback, sent) {
      const { library, state } = await colors.find()
      const id = sent?.id ?? queryValue(request, 'id')
      const at = positionOf(library.palettes, id)
      const palette = entryAt(library.palettes, at)
      const opened = { _form: screen.formToken(request, reply), _state: state, id }
      const name = sent?.act === 'save' ? sent.name : nameOf(palette)
      const field = labelled({ id: 'name', label: 'Name' }, () => [
        html`<input type="text" id="name" name="name" value="${name}" required autocomplete="off">`,
      ])
      const rename = [field, html`<p><button class="main" name="act" value="save">Save name</button></p>`]
      const main = html`${feedback}${back}
${section('palette-colors', 'Colors', postForm('edit-palette', opened, memberRows(library, at)))}
${addition(library, at, opened)}
${section('palette-name', 'Name', postForm('edit-palette', opened, rename))}
${await usageSection('palette', id)}
${removal('edit-palette', opened, 'palette', 'Its colors stay in the library.')}`
      return screen.send(reply, { title: nameOf(palette), current: 'colors', main })
    },
    save: (entries, check) => colors.change((library) => paletteStep(library, entries), check),
    saved: 'The palette was saved.',
    next: ({ act, id }) =>
      act === 'remove' ? 'edit-color-library?saved=1' : `edit-palette?id=${encodeURIComponent(id)}&saved=1`,
  })
}

/** @throws SvcError 404 */
function positionOf(list: readonly object[], id: string): number {
  const at = list.findIndex((entry) => String(Object(entry).id) === id)
  if (at < 0) throw noEntry()
  return at
}

function assertConfirmed(isConfirmed: boolean): void {
  if (!isConfirmed)
    throw new SvcError('rest_invalid_param', { message: 'Tick the box if it is really to be removed.' })
}

/** The library after the button of a palette. */
function paletteStep(library: ColorLibrary, { act, id, isConfirmed, name, added }: Entries): ColorLibrary {
  const at = positionOf(library.palettes, id)
  const ids = colorIdsOf(entryAt(library.palettes, at))
  if (act === 'save') return withChangedPalette(library, at, { name: name.trim() })
  if (act === 'add') return withChangedPalette(library, at, { colorIds: [...ids, added] })
  if (act === 'remove') {
    assertConfirmed(isConfirmed)
    return { ...library, palettes: library.palettes.toSpliced(at, 1) }
  }
  const [, removed] = /^member\.out\.(\d{1,6})$/.exec(act) ?? []
  if (removed !== undefined)
    return withChangedPalette(library, at, { colorIds: ids.toSpliced(Number(removed), 1) })
  const move = moveIn(act)
  if (move?.list !== 'member') throw new SvcError('rest_no_route', { message: 'There is no such button.' })
  return withChangedPalette(library, at, { colorIds: moved(ids, move.at, move.by) })
}

function memberRows({ colors, palettes }: ColorLibrary, at: number): Html {
  const byId = new Map(colors.map((color) => [Object(color).id, color]))
  const ids = colorIdsOf(entryAt(palettes, at))
  if (ids.length === 0) return html`<p>No colors in this palette yet.</p>`
  return html`<ul class="entries" data-moves="member">${ids.map((id, index) => {
    const color = byId.get(id)
    const name = color ? nameOf(color) : String(id)
    return html`<li>${color && swatch(draftOf(color).hex, name)}<div class="what"><p class="name">${name}</p></div>
<div class="buttons">${moveButtons('member', index, ids.length, name)} <button name="act" value="member.out.${index}">Take out<span class="unseen"> ${name}</span></button></div></li>`
  })}</ul>`
}

/** Offers the colors that are not in the palette. */
function addition({ colors, palettes }: ColorLibrary, at: number, opened: Record<string, string>) {
  const ids = new Set(colorIdsOf(entryAt(palettes, at)))
  const others = colors.filter((color) => !ids.has(Object(color).id))
  if (others.length === 0) return undefined
  const field = labelled({ id: 'added', label: 'Color' }, () => [
    html`<select id="added" name="added">${others.map((color) => html`<option value="${String(Object(color).id)}">${nameOf(color)} ${draftOf(color).hex}</option>`)}</select>`,
  ])
  const button = html`<p><button class="main" name="act" value="add">Add to palette</button></p>`
  return section('palette-add', 'Add a color', postForm('edit-palette', opened, [field, button]))
}

const removal = (action: string, opened: Record<string, string>, what: string, words: string) =>
  section(
    'entry-removal',
    `Remove this ${what}`,
    postForm(action, opened, [
      html`<p class="remark">${words}</p>
<p><label class="box"><input type="checkbox" name="confirmed" value="yes" required> Remove this ${what} from the library</label></p>
<p><button class="danger" name="act" value="remove">Remove ${what}</button></p>`,
    ]),
  )

type Found = Awaited<ReturnType<ReturnType<typeof usageScan>>>['usages']

function usageList(
  { palettes, printProfiles, pickerPreset, products, designCategories }: Found,
  isCut: boolean,
): Html {
  const rows = [
    ['Palettes', palettes.map(({ name }) => name)],
    ['Print profiles', printProfiles.map(({ id, name }) => name || `Profile ${id}`)],
    ['Products', products.map(({ id, title }) => title || `Product ${id}`)],
    ['Design library', designCategories.map(({ id, title }) => title || `Category ${id}`)],
    ['Settings', pickerPreset ? ['Swatches of the color picker'] : []],
  ] as const
  const used = rows.filter(([, names]) => names.length > 0)
  return html`
${used.length > 0 ? html`<dl>${used.map(([label, names]) => html`<dt>${label}</dt><dd>${names.join(', ')}</dd>`)}</dl>` : html`<p>${isCut ? 'No usage was found so far.' : 'Nothing in this shop uses it.'}</p>`}
${isCut && html`<p class="remark">The search was cut off, so there may be more usages.</p>`}`
}
