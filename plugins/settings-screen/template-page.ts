// The text templates as a form: one block for each, and an empty one for a new template.
import { type Html, html } from '../../src/pages/html.ts'
import { choices, postForm, section } from '../../src/pages/parts.ts'
import { labelled, saveButton } from './controls.ts'

/** A template as it stands in the form. */
export interface TemplateDraft {
  text: string
  font: string
  size: string
  align: string
  isRemoved: boolean
}

interface View {
  drafts: readonly TemplateDraft[]
  fonts: readonly string[]
  /** Token of the form, and tag of the list that it was opened with. */
  opened: { _form: string; _state: string }
  notice: Html | undefined
}

export const emptyDraft: TemplateDraft = { text: '', font: '', size: '16', align: 'left', isRemoved: false }
const aligns = { left: 'Left', center: 'Center', right: 'Right' }

export const templatesPage = ({ drafts, fonts, opened, notice }: View): Html => html`
${notice}
<p>Texts that customers can start from, in this order.</p>
${postForm('edit-text-templates', opened, [
  html`<datalist id="fonts">${fonts.map((font) => html`<option value="${font}"></option>`)}</datalist>`,
  drafts.map((draft, index) => block(draft, index, index === drafts.length - 1)),
  saveButton,
])}`

function block({ text, font, size, align, isRemoved }: TemplateDraft, index: number, isNew: boolean): Html {
  const name = isNew ? 'New template' : `Template ${index + 1}`
  const field = (id: string, label: string, control: (id: Html) => Html) =>
    labelled({ id: `${id}-${index}`, label: html`${label}<span class="unseen"> of ${name}</span>` }, () =>
      control(html`id="${id}-${index}" name="${id}"`),
    )
  const fields = [
    field(
      'text',
      'Text',
      (named) => html`<textarea ${named} rows="2" maxlength="65535">
${text}</textarea>`,
    ),
    field(
      'font',
      'Font',
      (named) => html`<input type="text" ${named} value="${font}" list="fonts" autocomplete="off">`,
    ),
    field(
      'size',
      'Size in pixels',
      (named) =>
        html`<input type="text" inputmode="numeric" class="short" ${named} value="${size}" autocomplete="off">`,
    ),
    field('align', 'Alignment', (named) => html`<select ${named}>${choices(aligns, align)}</select>`),
    !isNew &&
      html`<p><label class="box"><input type="checkbox" name="remove" value="${index}"${isRemoved && html` checked`}> Remove template ${index + 1}</label></p>`,
  ]
  return section(`template-${index}`, name, fields)
}

/** @param json the library as indented JSON */
export function libraryPage(json: string, opened: View['opened'], notice: Html | undefined): Html {
  const model = html`
<p id="model-about">Each color has an <code>id</code>, a <code>name</code>, a <code>hex</code> such as <code>#e4572e</code>, and perhaps a <code>price</code>; each palette an <code>id</code>, a <code>name</code> and the <code>colorIds</code> of its colors.</p>
<textarea id="model" name="model" class="code" rows="24" spellcheck="false" aria-describedby="model-about">
${json}</textarea>`
  const heading = html`<label for="model">Colors and palettes as JSON</label>`
  const form = postForm('edit-color-library', opened, [section('library', heading, model), saveButton])
  return html`${notice}${form}`
}
