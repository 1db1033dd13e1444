// The page that imports and exports the color library as JSON. The code of `PUT /color-library` saves it.
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { parseBody } from '../../src/http/body.ts'
import { parseExact } from '../../src/json/parse.ts'
import { extentOf } from '../../src/json/text.ts'
import { isObject } from '../../src/json/values.ts'
import { valueIn } from '../../src/pages/form.ts'
import { postForm, section } from '../../src/pages/html.ts'
import type { Colors } from './color-store.ts'
import { saveButton } from './controls.ts'
import { type Show, savedForm, tooLong } from './saved-form.ts'
import type { Screen } from './screen.ts'

/** Values times depth of JSON that is indented: what is deeper would become many times longer. */
const maxIndented = 250_000

/** Registers the page and the post of its form. */
export function colorImportPage(screen: Screen, colors: Colors): void {
  const sendLibrary: Show<string> = async (request, reply, feedback, sent) => {
    const { library, state } = await colors.find()
    if (sent === undefined && colors.isTooLong(library))
      return screen.send(reply, { title: 'Import and export colors', main: tooLong('PUT /color-library') })
    const json = sent ?? indented(JSON.stringify(library))
    const opened = { _form: screen.formToken(request, reply), _state: state }
    const main = html`${feedback}${libraryForm(json, opened)}`
    return screen.send(reply, { title: 'Import and export colors', current: 'colors', main })
  }

  savedForm(screen, {
    slug: 'import-color-library',
    read: (form) => valueIn(form, 'model'),
    show: sendLibrary,
    save: (model, check) => colors.save(objectIn(model), check),
    saved: 'The list was saved.',
  })
}

/** The JSON over several lines, unless that would make it many times longer. */
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

/** @param json the library as indented JSON */
function libraryForm(json: string, opened: Record<string, string>): Html {
  const model = html`
<p id="model-about">Each color has an <code>id</code>, a <code>name</code>, a <code>hex</code> such as <code>#e4572e</code>, and perhaps a <code>price</code>; each palette an <code>id</code>, a <code>name</code> and the <code>colorIds</code> of its colors.</p>
<p>Copy the text to export the library; saving replaces it. <a href="edit-color-library">Back to colors and palettes</a></p>
<textarea id="model" name="model" class="code" rows="24" spellcheck="false" aria-describedby="model-about">
${json}</textarea>`
  const heading = html`<label for="model">Colors and palettes as JSON</label>`
  return postForm('import-color-library', opened, [section('library', heading, model), saveButton])
}
