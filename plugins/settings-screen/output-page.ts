// The form for the colors and marks of print files.
import { type Html, html } from '../../src/pages/html.ts'

/** What the form contains; '' leaves it to the options of the server. */
export interface OutputEntries {
  color: string
  profile: string
  condition: string
  overprintBlack: string
  maxInk: string
  marks: string
}

interface View {
  /** Name of the master print profile. */
  name: string
  entries: OutputEntries
  /** Names of output profiles. */
  profiles: readonly string[]
  isForPress: boolean
  /** Tag of the profile that the form was opened with. */
  state: string
  formToken: string
  notice?: Html | undefined
}

const usual = 'As the server is set up'
const yesNo = { '': usual, true: 'Yes', false: 'No' }

export const outputPage = ({
  name,
  entries,
  profiles,
  isForPress,
  state,
  formToken,
  notice,
}: View): Html => html`
${notice}
<p>How print files are made, as the master print profile <strong>${name}</strong> says.</p>
${!isForPress && html`<p class="remark">No color profile of a press is installed on this server, so files are in RGB.</p>`}
<form class="settings" method="post" action="edit-print-output" accept-charset="utf-8">
<input type="hidden" name="_form" value="${formToken}">
<input type="hidden" name="_state" value="${state}">
<section aria-labelledby="output">
<h2 id="output">Color and marks</h2>
${field('color', 'Color', 'RGB, or PDF/X-4 in the inks of a press.', (about) => select('color', about, { '': usual, rgb: 'RGB', pdfx4: 'PDF/X-4' }, entries.color))}
${field('profile', 'Output profile', 'The press and paper that colors are converted for.', (about) => select('profile', about, { '': usual, ...Object.fromEntries(profiles.map((one) => [one, one])) }, entries.profile))}
${field('condition', 'Printing condition', 'Its name in the file, such as FOGRA39.', (about) => line('condition', about, entries.condition))}
${field('overprintBlack', 'Overprint black text', 'Prints black text over the inks below it.', (about) => select('overprintBlack', about, yesNo, entries.overprintBlack))}
${field('maxInk', 'Ink limit', 'Percent of all inks together above which there is a warning.', (about) => line('maxInk', about, entries.maxInk, true))}
${field('marks', 'Crop marks', 'Goes before the setting of the Export tab.', (about) => select('marks', about, yesNo, entries.marks))}
</section>
<div class="save"><button class="main">Save changes</button></div>
</form>`

const field = (id: string, label: string, text: string, control: (about: Html) => Html) => html`
<div class="field"><div class="about"><p class="name"><label for="${id}">${label}</label></p><p id="${id}-about">${text}</p></div>
<div class="control">${control(html`aria-describedby="${id}-about"`)}</div></div>`

const select = (id: string, about: Html, choices: Record<string, string>, value: string) =>
  html`<select id="${id}" name="${id}" ${about}>${Object.entries(choices).map(([one, words]) => html`<option value="${one}"${one === value && html` selected`}>${words}</option>`)}</select>`

const line = (id: string, about: Html, value: string, isShort = false) =>
  html`<input type="text" id="${id}" name="${id}" ${about}${isShort && html` class="short" inputmode="numeric"`} value="${value}" maxlength="100" autocomplete="off" spellcheck="false">`
