// The page of the color library: lists of colors and palettes with buttons that move an entry, and forms that add one. Each button
// saves the whole library by the code of `PUT /color-library`. Single colors, palettes and the JSON have pages in `color-page.ts`,
// `palette-page.ts` and `color-import.ts`.
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import type { ColorLibrary } from '../../src/library/stored-colors.ts'
import { valueIn } from '../../src/pages/form.ts'
import { postForm, section } from '../../src/pages/html.ts'
import { actionIn } from './color-buttons.ts'
import { type ColorDraft, colorProblems, emptyColor, moved, withColor, withPalette } from './color-edits.ts'
import { colorImportPage } from './color-import.ts'
import { colorPage } from './color-page.ts'
import { colorFields, colorRows, paletteRows } from './color-parts.ts'
import { colorIn, colorsOf } from './color-store.ts'
import { labelled } from './controls.ts'
import { palettePage } from './palette-page.ts'
import { type Show, savedForm, tooLong } from './saved-form.ts'
import type { Screen } from './screen.ts'

/** What the forms of the page send. */
interface ListEntries {
  /** The pressed button: `add-color`, `add-palette`, or a value of `color-buttons.ts`. */
  act: string
  /** The color to add. */
  color: ColorDraft
  /** Name of the palette to add. */
  palette: string
}

/** Registers all pages of the color library. */
export function colorRoutes(screen: Screen): void {
  const colors = colorsOf(screen)
  colorPage(screen, colors)
  palettePage(screen, colors)
  colorImportPage(screen, colors)

  const show: Show<ListEntries> = async (request, reply, feedback, sent) => {
    const { library, state } = await colors.find()
    if (colors.isTooLong(library))
      return screen.send(reply, { title: 'Color library', main: tooLong('PUT /color-library') })
    const opened = { _form: screen.formToken(request, reply), _state: state }
    const main = html`${feedback}${listPage(library, opened, sent)}`
    return screen.send(reply, { title: 'Color library', current: 'colors', main })
  }

  savedForm(screen, {
    slug: 'edit-color-library',
    read: (form) => ({ act: valueIn(form, 'act'), color: colorIn(form), palette: valueIn(form, 'palette') }),
    show,
    save: (entries, check) => colors.change((library) => edited(library, entries), check),
    saved: 'The color library was saved.',
    next: ({ act }) => `edit-color-library?saved=1${anchorAfter(act)}`,
  })
}

/** The anchor of the moved entry, so that keyboard users can go on there; '' if nothing was moved. */
function anchorAfter(act: string): string {
  const move = actionIn(act)
  return move?.offset === undefined ? '' : `#${move.list}-${Math.max(0, move.position + move.offset)}`
}

/** The library after the pressed button. */
function edited(library: ColorLibrary, { act, color, palette }: ListEntries): ColorLibrary {
  if (act === 'add-color') return withColor(library, color)
  if (act === 'add-palette') return withPalette(library, palette)
  const move = actionIn(act)
  if (move?.list === 'colors' && move.offset !== undefined)
    return { ...library, colors: moved(library.colors, move.position, move.offset) }
  if (move?.list === 'palettes' && move.offset !== undefined)
    return { ...library, palettes: moved(library.palettes, move.position, move.offset) }
  throw new SvcError('rest_no_route', { message: 'There is no such button.' })
}

/** The fields of the form that adds a color. @param sent what could not be saved */
const addedColor = (sent?: ListEntries): Html[] =>
  sent?.act === 'add-color'
    ? colorFields(sent.color, colorProblems(sent.color))
    : colorFields(sent?.color ?? emptyColor)

/** @param opened hidden fields @param sent what could not be saved */
function listPage(library: ColorLibrary, opened: Record<string, string>, sent?: ListEntries): Html {
  const { colors, palettes } = library
  const action = 'edit-color-library'
  /** A form that adds an entry, folded unless it was just sent. */
  const addition = (act: string, heading: string, fields: Html[]) => html`
<details${sent?.act === act && html` open`}><summary>${heading}</summary>${postForm(action, opened, [fields, html`<p><button class="main" name="act" value="${act}">${heading}</button></p>`])}</details>`
  const paletteField = labelled({ id: 'palette', label: 'Name of the palette' }, () => [
    html`<input type="text" id="palette" name="palette" value="${sent?.palette ?? ''}" required autocomplete="off">`,
  ])
  return html`
<p><a href="import-color-library">Import and export as JSON</a></p>
${section('library-colors', `Colors (${colors.length})`, [
  colors.length === 0 ? html`<p>No colors yet.</p>` : postForm(action, opened, colorRows(library)),
  addition('add-color', 'Add color', addedColor(sent)),
])}
${section('library-palettes', `Palettes (${palettes.length})`, [
  palettes.length === 0 ? html`<p>No palettes yet.</p>` : postForm(action, opened, paletteRows(library)),
  addition('add-palette', 'Add palette', [paletteField]),
])}`
}
