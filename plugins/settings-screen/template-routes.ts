// The page of text templates, one form over the whole list. The code of `PUT /text-templates` saves it.
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { maxTextLength } from '../../src/library/stored-templates.ts'
import { textTemplatesRepository } from '../../src/library/text-templates.ts'
import type { Form } from '../../src/pages/form.ts'
import { choices, postForm, section } from '../../src/pages/html.ts'
import { fontKeys, offeredFonts } from '../../src/settings/offered-fonts.ts'
import { labelled, saveButton } from './controls.ts'
import { type Show, savedForm, tooLong } from './saved-form.ts'
import type { Screen } from './screen.ts'

/** Writing a page with more templates would block the event loop too long. */
const maxTemplates = 1000

/** Registers the page and the post of its form. */
export function templateRoutes(screen: Screen): void {
  const { context } = screen
  const { encoder, t } = context.database
  const templates = textTemplatesRepository(context.options, encoder, t.options)

  const sendTemplates: Show<TemplateDraft[]> = async (request, reply, feedback, sent) => {
    const [list, options] = await Promise.all([templates.list(), context.options.getMany(fontKeys)])
    if (!sent && list.templates.length > maxTemplates)
      return screen.send(reply, { title: 'Text templates', main: tooLong('PUT /text-templates') })
    const stored = list.templates.map(({ text, font_family, font_size, text_align }) => ({
      text,
      font: font_family,
      size: String(font_size),
      align: text_align,
      isRemoved: false,
    }))
    const drafts = sent ?? [...stored, emptyDraft]
    const opened = { _form: screen.formToken(request, reply), _state: list.state }
    const main = html`${feedback}${templatesForm(drafts, [...offeredFonts(options)], opened)}`
    return screen.send(reply, { title: 'Text templates', current: 'text-templates', main })
  }

  savedForm(screen, {
    slug: 'edit-text-templates',
    read: draftsIn,
    show: sendTemplates,
    save: (drafts, check) => templates.replace(itemsOf(drafts), check),
    saved: 'The list was saved.',
  })
}

/** The blocks of the form in order; the last one is that of a new template. */
function draftsIn(form: Form): TemplateDraft[] {
  const entryAt = (name: string, index: number) => form.get(name)?.[index] ?? ''
  const removed = new Set(form.get('remove'))
  return (form.get('text') ?? []).map((text, index) => ({
    text: text.replaceAll('\r\n', '\n'),
    font: entryAt('font', index).trim(),
    size: entryAt('size', index).trim(),
    align: entryAt('align', index),
    isRemoved: removed.has(String(index)),
  }))
}

/** @throws SvcError 400 for a text that is too long, a size that is no whole number, or an unknown alignment */
function itemsOf(drafts: readonly TemplateDraft[]) {
  return drafts.flatMap(({ text, font, size, align, isRemoved }, index) => {
    const isNew = index === drafts.length - 1
    if (isRemoved || (isNew && text.trim() === '')) return []
    const name = isNew ? 'the new template' : `template ${index + 1}`
    if (text.length > maxTextLength)
      throw new SvcError('rest_invalid_param', {
        message: `The text of ${name} may have ${maxTextLength} characters.`,
      })
    const font_size = Number(size)
    if (!Number.isSafeInteger(font_size) || font_size < 1)
      throw new SvcError('rest_invalid_param', {
        message: `The size of ${name} must be a whole number of pixels.`,
      })
    const text_align = (['left', 'center', 'right'] as const).find((candidate) => candidate === align)
    if (!text_align)
      throw new SvcError('rest_invalid_param', {
        message: `The alignment of ${name} must be left, center or right.`,
      })
    return [{ ...(isNew ? {} : { index }), text, font_family: font, font_size, text_align }]
  })
}

/** A template as it stands in the form. */
interface TemplateDraft {
  text: string
  font: string
  size: string
  align: string
  isRemoved: boolean
}

/** Token of a form, and tag of the list that it was opened with. */
type Opened = Record<'_form' | '_state', string>

const emptyDraft: TemplateDraft = { text: '', font: '', size: '16', align: 'left', isRemoved: false }
const aligns = { left: 'Left', center: 'Center', right: 'Right' }

/** One block for each, and an empty one for a new template. */
const templatesForm = (drafts: readonly TemplateDraft[], fonts: readonly string[], opened: Opened) => html`
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
