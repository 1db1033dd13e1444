// What the search box finds: settings of all tabs, by key, label and description.

import { linkTo } from '../../src/pages/frame.ts'
import { type Html, html } from '../../src/pages/html.ts'
import type { Setting } from '../../src/settings/setting.ts'
import { anchorOf, titleOf } from './layout.ts'

export function searchPage(text: string, found: readonly Setting[]): Html {
  if (text === '') return html`<p>Enter a part of the name, key or description of a setting.</p>`
  if (found.length === 0) return html`<p role="status">No setting contains “${text}”.</p>`
  return html`
<p role="status">${found.length === 1 ? '1 setting contains' : `${found.length} settings contain`} “${text}”.</p>
<ul class="found">${found.map(
    ({ id, label, description, tab, sectionLabel }) => html`
<li><a href="${linkTo(tab)}#${anchorOf(id)}">${label}</a> <span class="place">${titleOf(tab)} › ${sectionLabel}</span>
<p>${description}</p><p class="key"><code>${id}</code></p></li>`,
  )}</ul>`
}
