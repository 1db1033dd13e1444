// Lists that are no single settings: text templates, and the color library as JSON, saved by the code of their own routes.
import type { FastifyInstance } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { parseBody } from '../../src/http/json-body.ts'
import { parseExact } from '../../src/json/exact.ts'
import { extentOf } from '../../src/json/text.ts'
import { isObject } from '../../src/json/values.ts'
import { colorLibraryRepository } from '../../src/library/color-library.ts'
import { maxTextLength } from '../../src/library/stored-templates.ts'
import { textTemplatesRepository } from '../../src/library/text-templates.ts'
import { choices, postForm, section } from '../../src/pages/html.ts'
import { type Form, valueIn } from '../../src/pages/scope.ts'
import { fontKeys, offeredFonts } from '../../src/settings/offered-fonts.ts'
import { labelled, saveButton } from './controls.ts'
import { type Show, savedForm } from './saved-form.ts'
import type { Screen } from './screen.ts'
import { tooLong } from './too-long.ts'

/** More templates make a page that holds up others while it is written. */
const maxTemplates = 1000
/** Values times depth of JSON that is indented: what is deeper would become many times longer. */
const maxIndented = 250_000

/** The pages that edit lists of settings with a route of their own. */
export function listRoutes(app: FastifyInstance, screen: Screen): void {
  const { context } = screen
  const { encoder, t } = context.database
  const templates = textTemplatesRepository(context.options, encoder, t.options)
  const colors = colorLibraryRepository(context.options, encoder, t.options)

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

  const sendLibrary: Show<string> = async (request, reply, feedback, sent) => {
    const { library, state } = await colors.find()
    const text = JSON.stringify(library)
    if (sent === undefined && text.length > context.bodyLimits.json)
      return screen.send(reply, { title: 'Import and export colors', main: tooLong('PUT /color-library') })
    const json = sent ?? indented(text)
    const opened = { _form: screen.formToken(request, reply), _state: state }
    const main = html`${feedback}${libraryForm(json, opened)}`
    return screen.send(reply, { title: 'Import and export colors', current: 'colors', main })
  }

  const saved = 'The list was saved.'
  savedForm(app, screen, {
    slug: 'edit-text-templates',
    read: draftsIn,
    show: sendTemplates,
    save: (drafts, check) => templates.replace(itemsOf(drafts), check),
    saved,
  })
  savedForm(app, screen, {
    slug: 'import-color-library',
    read: (form) => valueIn(form, 'model'),
    show: sendLibrary,
    save: (model, check) => colors.save(objectIn(model), check),
    saved,
  })
}

function indented(text: string): string {
  const { values, depth } = extentOf(text)
  return values * depth > maxIndented ? text : JSON.stringify(parseExact(text), null, 2)
}

/** @throws SvcError 400 unless it is a JSON object */
function objectIn(text: string): Record<string, unknown> {
  try {
    const value = parseBody(Buffer.from(text))
    if (isObject(value)) return value as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'rest_invalid_json') throw error
    // Names brackets and commas, because people have typed it.
    const message =
      'The library is not valid JSON: look for a bracket, quote or comma that is missing or too many.'
    throw new SvcError('rest_invalid_json', { message })
  }
  throw new SvcError('rest_invalid_param', { message: 'The library must be a JSON object.' })
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
    const text_align = (['left', 'center', 'right'] as const).find((candidate) => candidate === align)
    if (!Number.isSafeInteger(font_size) || font_size < 1 || !text_align)
      throw new SvcError('rest_invalid_param', {
        message: `The size of ${name} must be a whole number of pixels.`,
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

/** @param json the library as indented JSON */
function libraryForm(json: string, opened: Opened): Html {
  const model = html`
<p id="model-about">Each color has an <code>id</code>, a <code>name</code>, a <code>hex</code> such as <code>#e4572e</code>, and perhaps a <code>price</code>; each palette an <code>id</code>, a <code>name</code> and the <code>colorIds</code> of its colors.</p>
<p>Copy the text to export the library; saving replaces it. <a href="edit-color-library">Back to colors and palettes</a></p>
<textarea id="model" name="model" class="code" rows="24" spellcheck="false" aria-describedby="model-about">
${json}</textarea>`
  const heading = html`<label for="model">Colors and palettes as JSON</label>`
  return postForm('import-color-library', opened, [section('library', heading, model), saveButton])
}
