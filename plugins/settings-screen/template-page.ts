// The text templates as a form: one block for each, and an empty one for a new template.
import { type Html, html } from '../../src/pages/html.ts'

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
  /** Tag of the list that the form was opened with. */
  state: string
  formToken: string
  notice?: Html | undefined
}

export const emptyDraft: TemplateDraft = { text: '', font: '', size: '16', align: 'left', isRemoved: false }
const aligns = { left: 'Left', center: 'Center', right: 'Right' }

export const templatesPage = ({ drafts, fonts, state, formToken, notice }: View): Html => html`
${notice}
<p>Texts that customers can start from, in this order.</p>
<form method="post" action="edit-text-templates" accept-charset="utf-8">
<input type="hidden" name="_form" value="${formToken}">
<input type="hidden" name="_state" value="${state}">
<datalist id="fonts">${fonts.map((font) => html`<option value="${font}"></option>`)}</datalist>
${drafts.map((draft, index) => block(draft, index, index === drafts.length - 1))}
<div class="save"><button class="main">Save changes</button></div>
</form>`

function block({ text, font, size, align, isRemoved }: TemplateDraft, index: number, isNew: boolean): Html {
  const name = isNew ? 'New template' : `Template ${index + 1}`
  const field = (id: string, label: string, control: (id: string) => Html) =>
    html`<div class="field"><div class="about"><p class="name"><label for="${id}-${index}">${label}<span class="unseen"> of ${name}</span></label></p></div><div class="control">${control(`${id}-${index}`)}</div></div>`
  return html`
<section aria-labelledby="template-${index}">
<h2 id="template-${index}">${name}</h2>
${field(
  'text',
  'Text',
  (id) => html`<textarea id="${id}" name="text" rows="2" maxlength="65535">
${text}</textarea>`,
)}
${field('font', 'Font', (id) => html`<input type="text" id="${id}" name="font" value="${font}" list="fonts" autocomplete="off">`)}
${field('size', 'Size in pixels', (id) => html`<input type="text" inputmode="numeric" class="short" id="${id}" name="size" value="${size}" autocomplete="off">`)}
${field('align', 'Alignment', (id) => html`<select id="${id}" name="align">${Object.entries(aligns).map(([one, words]) => html`<option value="${one}"${one === align && html` selected`}>${words}</option>`)}</select>`)}
${!isNew && html`<p><label class="box"><input type="checkbox" name="remove" value="${index}"${isRemoved && html` checked`}> Remove template ${index + 1}</label></p>`}
</section>`
}

/** @param json the library as indented JSON */
export const libraryPage = (json: string, state: string, formToken: string, notice?: Html): Html => html`
${notice}
<form method="post" action="edit-color-library" accept-charset="utf-8">
<input type="hidden" name="_form" value="${formToken}">
<input type="hidden" name="_state" value="${state}">
<section aria-labelledby="library">
<h2 id="library"><label for="model">Colors and palettes as JSON</label></h2>
<p id="model-about">Each color has an <code>id</code>, a <code>name</code>, a <code>hex</code> such as <code>#e4572e</code>, and perhaps a <code>price</code>; each palette an <code>id</code>, a <code>name</code> and the <code>colorIds</code> of its colors.</p>
<textarea id="model" name="model" class="code" rows="24" spellcheck="false" aria-describedby="model-about">
${json}</textarea>
</section>
<div class="save"><button class="main">Save changes</button></div>
</form>`
