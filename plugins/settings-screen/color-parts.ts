// Parts of the pages of the color library: swatches, lists with buttons that move entries, the fields of a color, and the removal.
import { membersOf } from '../../src/core/foreign.ts'
import { type Html, html, type Part } from '../../src/core/html.ts'
import { type Color, type ColorLibrary, normalHex, type Palette } from '../../src/library/stored-colors.ts'
import { postForm, section } from '../../src/pages/html.ts'
import { buttonValue, type EntryAction } from './color-buttons.ts'
import { type ColorDraft, colorIdsOf, colorLabels, type colorProblems } from './color-edits.ts'
import { labelled } from './controls.ts'

/** A patch of the color, as SVG because the security policy of the pages allows no style attributes. @param name for screen readers */
export function swatch(hex: unknown, name: Part): Html {
  const fill = normalHex(String(hex)) ?? 'none'
  return html`<svg class="swatch" viewBox="0 0 1 1" role="img"><title>${name}</title><rect width="1" height="1" fill="${fill}"/></svg>`
}

/** The text of a stored property, which may have any type, as other programs write it, too. */
const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** The name of a color or palette, or its id. */
export const nameOf = (entry: Color | Palette): string =>
  textIn(membersOf(entry).name) || textIn(membersOf(entry).id) || 'Unnamed'

/** The entries of the form for a stored color. */
export function draftOf(color: Color): ColorDraft {
  const { name, hex, price, spot, cmyk } = membersOf(color)
  const inks = Array.isArray(cmyk) ? cmyk.map(textIn).join(', ') : ''
  return { name: textIn(name), hex: textIn(hex), price: textIn(price), spot: textIn(spot), cmyk: inks }
}

/** Where an entry stands: in which list, at which position of how many. */
interface Place {
  list: EntryAction['list']
  position: number
  count: number
}

/** Buttons that move an entry. @param name of the entry, for screen readers */
export const moveButtons = ({ list, position, count }: Place, name: string): Html => html`
<button name="act" value="${buttonValue(list, 'up', position)}"${position === 0 && html` disabled`}><span aria-hidden="true">↑</span><span class="unseen">Move ${name} up</span></button>
<button name="act" value="${buttonValue(list, 'down', position)}"${position === count - 1 && html` disabled`}><span aria-hidden="true">↓</span><span class="unseen">Move ${name} down</span></button>`

const editLink = (type: 'color' | 'palette', entry: Color | Palette) =>
  html`<a href="edit-${type}?id=${encodeURIComponent(textIn(membersOf(entry).id))}">Edit<span class="unseen"> ${nameOf(entry)}</span></a>`

/** The list of all colors. */
export const colorRows = ({ colors }: ColorLibrary): Html => html`
<ul class="entries" data-moves="colors">${colors.map((color, position) => {
  const { hex, price, spot } = draftOf(color)
  const name = nameOf(color)
  return html`<li id="colors-${position}">${swatch(hex, hex)}<div class="what"><p class="name">${name}</p>
<p class="remark"><code>${hex}</code>${price && html`, price ${price}`}${spot && html`, spot color ${spot}`}</p></div>
<div class="buttons">${moveButtons({ list: 'colors', position, count: colors.length }, name)} ${editLink('color', color)}</div></li>`
})}</ul>`

/** Swatches of a palette that its row shows. */
const maxSwatches = 60

/** The list of all palettes, each with swatches of its colors. */
export function paletteRows({ colors, palettes }: ColorLibrary): Html {
  const byId = new Map(colors.map((color) => [membersOf(color).id, color]))
  return html`
<ul class="entries" data-moves="palettes">${palettes.map((palette, position) => {
    const members = colorIdsOf(palette).flatMap((id) => byId.get(id) ?? [])
    const name = nameOf(palette)
    return html`<li id="palettes-${position}"><div class="what"><p class="name">${name}</p><p>${members
      .slice(0, maxSwatches)
      .map((color) => swatch(draftOf(color).hex, nameOf(color)))}</p>
<p class="remark">${members.length} ${members.length === 1 ? 'color' : 'colors'}</p></div>
<div class="buttons">${moveButtons({ list: 'palettes', position, count: palettes.length }, name)} ${editLink('palette', palette)}</div></li>`
  })}</ul>`
}

/** @param attributes that name the description and the problem @param extra further attributes */
const textInput = (id: string, value: string, attributes: Html, extra: Html = html``) =>
  html`<input type="text" id="${id}" name="${id}" value="${value}" autocomplete="off" spellcheck="false" ${attributes}${extra}>`

const required = html` required`

/** The fields of the form for a color. @param problems of the entries, by field */
export const colorFields = (
  { name, hex, price, spot, cmyk }: ColorDraft,
  problems: ReturnType<typeof colorProblems> = {},
): Html[] => [
  labelled({ id: 'name', label: colorLabels.name, text: 'As customers read it.' }, (attributes) =>
    textInput('name', name, attributes, required),
  ),
  labelled(
    {
      id: 'hex',
      label: colorLabels.hex,
      text: html`Such as <code>#e4572e</code>.`,
      problem: problems.hex,
    },
    (attributes) => [textInput('hex', hex, attributes, required)],
  ),
  labelled(
    { id: 'price', label: colorLabels.price, text: 'What the color adds to the price of the product.' },
    (attributes) => textInput('price', price, attributes, html` inputmode="decimal"`),
  ),
  labelled(
    {
      id: 'spot',
      label: colorLabels.spot,
      text: html`Name of the ink that prints it in PDF/X-4, such as <code>PANTONE 7417 C</code>. Leave it empty for a color that is mixed.`,
    },
    (attributes) => textInput('spot', spot, attributes, html` maxlength="80"`),
  ),
  labelled(
    {
      id: 'cmyk',
      label: colorLabels.cmyk,
      text: html`Percent of cyan, magenta, yellow and black, such as <code>0, 80, 80, 0</code>. If it is empty, the color on screen is converted.`,
      problem: problems.cmyk,
    },
    (attributes) => textInput('cmyk', cmyk, attributes),
  ),
]

/** The link from the page of a color or palette. */
export const backLink = html`<p><a href="edit-color-library">All colors and palettes</a></p>`

/** A form that removes the color or palette. @param opened hidden fields @param consequence of the removal, as a sentence */
export const removal = (
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
