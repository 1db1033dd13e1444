// The color library: swatches, names, prices and inks of colors, and palettes, changed by buttons one step at a time. Each step is
// saved as a whole library by the code of `PUT /color-library`.
import type { FastifyInstance } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import type { ColorLibrary } from '../../src/library/stored-colors.ts'
import { postForm, section } from '../../src/pages/html.ts'
import { valueIn } from '../../src/pages/scope.ts'
import { colorPages } from './color-detail.ts'
import { type ColorDraft, emptyColor, moved, withColor, withPalette } from './color-edits.ts'
import { colorFields, colorRows, moveIn, paletteRows } from './color-parts.ts'
import { colorIn, colorsOf } from './color-store.ts'
import { labelled } from './controls.ts'
import { type Screen, type Show, savedForm } from './screen.ts'
import { tooLong } from './too-long.ts'

/** What a form of the list asks for: to move an entry, or to add one. */
interface ListEntries {
  act: string
  color: ColorDraft
  palette: string
}

export function colorRoutes(app: FastifyInstance, screen: Screen): void {
  const colors = colorsOf(screen)
  colorPages(app, screen, colors)

  const show: Show<ListEntries> = async (request, reply, feedback, sent) => {
    const { library, state } = await colors.find()
    if (colors.isTooLong(library))
      return screen.send(reply, { title: 'Color library', main: tooLong('PUT /color-library') })
    const opened = { _form: screen.formToken(request, reply), _state: state }
    const main = html`${feedback}${listPage(library, opened, sent)}`
    return screen.send(reply, { title: 'Color library', current: 'colors', main })
  }

  savedForm(app, screen, {
    slug: 'edit-color-library',
    read: (form) => ({ act: valueIn(form, 'act'), color: colorIn(form), palette: valueIn(form, 'palette') }),
    show,
    save: (entries, check) => colors.change((library) => stepOf(library, entries), check),
    saved: 'The color library was saved.',
    next: ({ act }) => `edit-color-library?saved=1${placeOf(act)}`,
  })
}

/** Where the moved entry is afterwards, so that the next press of a key starts there. */
function placeOf(act: string): string {
  const move = moveIn(act)
  return move ? `#${move.list}-${Math.max(0, move.at + move.by)}` : ''
}

function stepOf(library: ColorLibrary, { act, color, palette }: ListEntries): ColorLibrary {
  if (act === 'add-color') return withColor(library, color)
  if (act === 'add-palette') return withPalette(library, palette)
  const move = moveIn(act)
  if (move?.list === 'colors') return { ...library, colors: moved(library.colors, move.at, move.by) }
  if (move?.list === 'palettes') return { ...library, palettes: moved(library.palettes, move.at, move.by) }
  throw new SvcError('rest_no_route', { message: 'There is no such button.' })
}

function listPage(library: ColorLibrary, opened: Record<string, string>, sent?: ListEntries): Html {
  const { colors, palettes } = library
  const action = 'edit-color-library'
  const add = (act: string, heading: string, fields: Html[], open: boolean) => html`
<details${open && html` open`}><summary>${heading}</summary>${postForm(action, opened, [fields, html`<p><button class="main" name="act" value="${act}">${heading}</button></p>`])}</details>`
  const paletteField = labelled({ id: 'palette', label: 'Name of the palette' }, () => [
    html`<input type="text" id="palette" name="palette" value="${sent?.palette ?? ''}" required autocomplete="off">`,
  ])
  return html`
<p><a href="import-color-library">Import and export as JSON</a></p>
${section('library-colors', `Colors (${colors.length})`, [
  colors.length === 0 ? html`<p>No colors yet.</p>` : postForm(action, opened, colorRows(library)),
  add('add-color', 'Add color', colorFields(sent?.color ?? emptyColor), sent?.act === 'add-color'),
])}
${section('library-palettes', `Palettes (${palettes.length})`, [
  palettes.length === 0 ? html`<p>No palettes yet.</p>` : postForm(action, opened, paletteRows(library)),
  add('add-palette', 'Add palette', [paletteField], sent?.act === 'add-palette'),
])}`
}
