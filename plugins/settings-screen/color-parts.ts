// What the pages of the color library draw: swatches, lists with buttons that move entries, and forms.

import { type Html, html, type Part } from '../../src/core/html.ts'
import { type Color, type ColorLibrary, normalHex, type Palette } from '../../src/library/stored-colors.ts'
import { type ColorDraft, colorIdsOf } from './color-edits.ts'
import { labelled } from './controls.ts'

/** A patch of the color. The policy of the pages allows no style beside the style sheet. */
export function swatch(hex: unknown, name: Part): Html {
  const fill = normalHex(String(hex)) ?? 'none'
  return html`<svg class="swatch" viewBox="0 0 1 1" role="img"><title>${name}</title><rect width="1" height="1" fill="${fill}"/></svg>`
}

/** The text of a stored property, which programs of others may have written. */
const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

export const nameOf = (entry: Color | Palette): string =>
  textIn(Object(entry).name) || textIn(Object(entry).id) || 'Without a name'

/** The form of a stored color. */
export function draftOf(color: Color): ColorDraft {
  const { name, hex, price, spot, cmyk } = Object(color)
  const inks = Array.isArray(cmyk) ? cmyk.map(textIn).join(', ') : ''
  return { name: textIn(name), hex: textIn(hex), price: textIn(price), spot: textIn(spot), cmyk: inks }
}

/** Buttons that move an entry. @param list names the list in the value of the button */
export const moveButtons = (list: string, at: number, count: number, name: string): Html => html`
<button name="act" value="${list}.up.${at}"${at === 0 && html` disabled`}><span aria-hidden="true">↑</span><span class="unseen">Move ${name} up</span></button>
<button name="act" value="${list}.down.${at}"${at === count - 1 && html` disabled`}><span aria-hidden="true">↓</span><span class="unseen">Move ${name} down</span></button>`

/** What the value of such a button means, or of a row that was dragged: `colors.to.2.0`. */
export function moveIn(act: string): { list: string; at: number; by: number } | undefined {
  const [, list = '', verb, at = '', to] =
    /^([a-z]+)\.(up|down|to)\.(\d{1,6})(?:\.(\d{1,6}))?$/.exec(act) ?? []
  if (verb === undefined || (verb === 'to') !== (to !== undefined)) return undefined
  if (verb === 'to') return { list, at: Number(at), by: Number(to) - Number(at) }
  return { list, at: Number(at), by: verb === 'up' ? -1 : 1 }
}

const editLink = (type: 'color' | 'palette', entry: Color | Palette) =>
  html`<a href="edit-${type}?id=${encodeURIComponent(textIn(Object(entry).id))}">Edit<span class="unseen"> ${nameOf(entry)}</span></a>`

export const colorRows = ({ colors }: ColorLibrary): Html => html`
<ul class="entries" data-moves="colors">${colors.map((color, at) => {
  const { hex, price, spot } = draftOf(color)
  const name = nameOf(color)
  return html`<li id="colors-${at}">${swatch(hex, hex)}<div class="what"><p class="name">${name}</p>
<p class="remark"><code>${hex}</code>${price && html`, price ${price}`}${spot && html`, spot color ${spot}`}</p></div>
<div class="buttons">${moveButtons('colors', at, colors.length, name)} ${editLink('color', color)}</div></li>`
})}</ul>`

/** Swatches of a palette that its row shows. */
const maxSwatches = 60

export function paletteRows({ colors, palettes }: ColorLibrary): Html {
  const byId = new Map(colors.map((color) => [Object(color).id, color]))
  return html`
<ul class="entries" data-moves="palettes">${palettes.map((palette, at) => {
    const own = colorIdsOf(palette).flatMap((id) => byId.get(id) ?? [])
    const name = nameOf(palette)
    return html`<li id="palettes-${at}"><div class="what"><p class="name">${name}</p><p>${own
      .slice(0, maxSwatches)
      .map((color) => swatch(draftOf(color).hex, nameOf(color)))}</p>
<p class="remark">${own.length} ${own.length === 1 ? 'color' : 'colors'}</p></div>
<div class="buttons">${moveButtons('palettes', at, palettes.length, name)} ${editLink('palette', palette)}</div></li>`
  })}</ul>`
}

const line = (id: string, value: string, about: Html, more: Html = html``) =>
  html`<input type="text" id="${id}" name="${id}" value="${value}" autocomplete="off" spellcheck="false" ${about}${more}>`

const required = html` required`

/** The fields of a color. */
export const colorFields = ({ name, hex, price, spot, cmyk }: ColorDraft): Html[] => [
  labelled({ id: 'name', label: 'Name', text: 'As customers read it.' }, (about) =>
    line('name', name, about, required),
  ),
  labelled({ id: 'hex', label: 'Color on screen', text: html`Such as <code>#e4572e</code>.` }, (about) => [
    line('hex', hex, about, required),
  ]),
  labelled(
    { id: 'price', label: 'Price', text: 'What the color adds to the price of the product.' },
    (about) => line('price', price, about, html` inputmode="decimal"`),
  ),
  labelled(
    {
      id: 'spot',
      label: 'Spot color',
      text: html`Name of the ink that prints it in PDF/X-4, such as <code>PANTONE 7417 C</code>. Leave it empty for a color that is mixed.`,
    },
    (about) => line('spot', spot, about, html` maxlength="80"`),
  ),
  labelled(
    {
      id: 'cmyk',
      label: 'Inks without the spot color',
      text: html`Percent of cyan, magenta, yellow and black, such as <code>0, 80, 80, 0</code>.`,
    },
    (about) => line('cmyk', cmyk, about),
  ),
]
