// The colors and marks of print files: `output` in the data of the master print profile, as a form.
import type { FastifyInstance } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { type Current, changeOf, readBack } from '../../src/core/resource.ts'
import type { Precondition } from '../../src/http/etag.ts'
import { parseExact } from '../../src/json/exact.ts'
import { isObject } from '../../src/json/values.ts'
import { choices, notice, postForm, section } from '../../src/pages/html.ts'
import { valueIn } from '../../src/pages/scope.ts'
import { printProfilesRepository } from '../../src/profiles/print-profiles.ts'
import { type ProfileOutput, readOutput } from '../../src/settings/master-profile.ts'
import { labelled, saveButton } from './controls.ts'
import { type Show, savedForm } from './saved-form.ts'
import type { Screen } from './screen.ts'

const noMaster =
  'No print profile is the master, so print files are made as the server is set up. POST /print-profiles/{id}/master of the API makes one the master.'
const unreadable =
  'The data of the master print profile cannot be read. PATCH /print-profiles/master replaces it.'
const rendererOff = 'This server does not draw print files itself, so there is nothing to choose.'

/** The values of the form; '' leaves the choice to the options of the server. */
type OutputEntries = Record<keyof ProfileOutput, string>

interface OutputField {
  label: string
  text: string
  /** Labels by value; undefined for a text. */
  choices?: Record<string, string>
  /** The value to store for an entry. */
  read: (entry: string) => unknown
  /** The message for an entry that cannot be used. */
  problem: string
}

const usual = 'As the server is set up'
const asText = (entry: string) => entry
const yesNo = {
  choices: { '': usual, true: 'Yes', false: 'No' },
  read: (entry: string) => entry === 'true',
}

const outputFields: Readonly<Record<keyof ProfileOutput, OutputField>> = {
  color: {
    label: 'Color',
    text: 'RGB, or PDF/X-4 in the inks of a press.',
    choices: { '': usual, rgb: 'RGB', pdfx4: 'PDF/X-4' },
    read: asText,
    problem: 'Color must be one of the choices.',
  },
  profile: {
    label: 'Output profile',
    text: 'The press and paper that colors are converted for.',
    choices: { '': usual },
    read: asText,
    problem: 'Output profile must be one of the choices.',
  },
  condition: {
    label: 'Printing condition',
    text: 'Its name in the file, such as FOGRA39.',
    read: asText,
    problem: 'Printing condition may have 100 characters.',
  },
  overprintBlack: {
    label: 'Overprint black text',
    text: 'Prints black text over the inks below it.',
    ...yesNo,
    problem: 'Overprint must be one of the choices.',
  },
  blackInk: {
    label: 'Gray as black ink',
    text: 'Which neutral grays are printed with black ink alone, without the other inks.',
    choices: { '': usual, text: 'Text and thin lines', all: 'Fills as well', none: 'None' },
    read: asText,
    problem: 'Gray as black ink must be one of the choices.',
  },
  maxInk: {
    label: 'Ink limit',
    text: 'Percent of all inks together above which there is a warning.',
    read: Number,
    problem: 'Ink limit must be a number from 1 to 400.',
  },
  marks: {
    label: 'Crop marks',
    text: 'Goes before the setting of the Export tab.',
    ...yesNo,
    problem: 'Crop marks must be one of the choices.',
  },
  mirror: {
    label: 'Mirror',
    text: 'Mirrors pages from left to right, for transfers. Goes before the setting of the Export tab.',
    ...yesNo,
    problem: 'Mirror must be one of the choices.',
  },
  outlines: {
    label: 'Text as outlines',
    text: 'Draws the text of PDFs as paths, without fonts. Goes before the setting of the Export tab.',
    ...yesNo,
    problem: 'Text as outlines must be one of the choices.',
  },
}

/** In the order of the form. */
const outputNames = Object.keys(outputFields) as (keyof ProfileOutput)[]

/** The page of color and marks of print files. */
export function outputRoutes(app: FastifyInstance, screen: Screen): void {
  const { context } = screen
  const { renderer } = context
  const printProfiles = printProfilesRepository(context.database)

  const send: Show<OutputEntries> = async (request, reply, feedback, sent) => {
    const show = (main: Html) => screen.send(reply, { title: 'Print files', current: 'export', main })
    if (!renderer) return show(notice('problem', rendererOff))
    const master = await printProfiles.find('master')
    if (!master) return show(notice('problem', noMaster))
    const { data, name } = master.resource
    const stored = data === null ? undefined : dataIn(data)
    if (!stored) return show(notice('problem', unreadable))
    const storedEntries = entriesOf(readOutput(stored.output))
    const profiles = [...new Set([...renderer.outputProfiles, storedEntries.profile])].filter(Boolean)
    const fields = outputNames.map((id) => outputField(id, (sent ?? storedEntries)[id], profiles))
    const opened = { _form: screen.formToken(request, reply), _state: master.state }
    const content = [section('output', 'Color and marks', fields), saveButton]
    return show(html`
${feedback}
<p>How print files are made, as the master print profile <strong>${name}</strong> says.</p>
${!renderer.isForPress && html`<p class="remark">No color profile of a press is installed on this server, so files are in RGB.</p>`}
${postForm('edit-print-output', opened, content, { className: 'settings' })}`)
  }

  async function save(entries: OutputEntries, check: Precondition): Promise<void> {
    const master = await printProfiles.find('master')
    const data = dataIn(master?.resource.data ?? 'null')
    if (!renderer || !master || !data) throw new SvcError('svc_print_profile_not_found')
    const output = changed(data.output, entries)
    renderer.assertOutput(readOutput(output))
    // `output` was made from this state, which must be that of the form. The same check under the lock finds later changes.
    check(master.state)
    const options = { ...readBack, check: ({ state }: Current) => check(state) }
    await printProfiles.update('master', changeOf({ data: { ...data, output } }, options))
  }

  savedForm(app, screen, {
    slug: 'edit-print-output',
    read: (form) => entriesBy((name) => valueIn(form, name).trim()),
    show: send,
    save,
    saved: 'The settings were saved.',
  })
}

/** Undefined for data that is no object; PHP writes an empty one as an array. */
function dataIn(text: string): Record<string, unknown> | undefined {
  const value = parseExact(text)
  if (isObject(value)) return value as Record<string, unknown>
  return Array.isArray(value) && value.length === 0 ? {} : undefined
}

const entriesBy = (entryOf: (name: keyof ProfileOutput) => string) =>
  Object.fromEntries(outputNames.map((name) => [name, entryOf(name)])) as OutputEntries

const entriesOf = (output: ProfileOutput) => entriesBy((name) => String(output[name] ?? ''))

/**
 * The stored output with the entries that differ from it: all other properties, and those that cannot be shown, stay.
 * @throws SvcError 400 for an entry that would not be read again
 */
function changed(stored: unknown, entries: OutputEntries): Record<string, unknown> {
  const output: Record<string, unknown> = isObject(stored) ? { ...stored } : {}
  const storedEntries = entriesOf(readOutput(stored))
  const touched = outputNames.filter((name) => entries[name] !== storedEntries[name])
  for (const name of touched) {
    if (entries[name] === '') delete output[name]
    else output[name] = outputFields[name].read(entries[name])
  }
  const read = entriesOf(readOutput(output))
  const wrong = touched.filter((name) => read[name] !== entries[name])
  if (wrong.length > 0)
    throw new SvcError('rest_invalid_param', {
      message: 'Some entries cannot be used.',
      errors: wrong.map((name) => outputFields[name].problem),
    })
  return output
}

/** @param profiles names of output profiles */
function outputField(id: keyof ProfileOutput, entry: string, profiles: readonly string[]): Html {
  const { label, text, choices } = outputFields[id]
  const profileChoices = id === 'profile' ? Object.fromEntries(profiles.map((name) => [name, name])) : {}
  const labels = choices && { ...choices, ...profileChoices }
  return labelled({ id, label, text }, (attributes) => control(id, attributes, entry, labels))
}

/** A menu, or a line of text without labels of choices. */
function control(
  id: string,
  attributes: Html,
  entry: string,
  labels: Record<string, string> | undefined,
): Html {
  if (labels) return html`<select id="${id}" name="${id}" ${attributes}>${choices(labels, entry)}</select>`
  return html`<input type="text" id="${id}" name="${id}" ${attributes}${id === 'maxInk' && html` class="short" inputmode="numeric"`} value="${entry}" maxlength="100" autocomplete="off" spellcheck="false">`
}
