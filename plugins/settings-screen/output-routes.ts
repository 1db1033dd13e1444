// The page for the colors and marks of print files, which are `output` in the data of the master print profile.
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { type Current, changeOf, readBack } from '../../src/core/resource.ts'
import type { Precondition } from '../../src/http/etag.ts'
import { parseExact } from '../../src/json/parse.ts'
import { isObject } from '../../src/json/values.ts'
import { valueIn } from '../../src/pages/form.ts'
import { choices, notice, postForm, section } from '../../src/pages/html.ts'
import { printProfilesRepository } from '../../src/profiles/print-profiles.ts'
import { type ProfileOutput, readOutput } from '../../src/settings/master-profile.ts'
import { labelled, saveButton } from './controls.ts'
import {
  changedOutput,
  entriesBy,
  entriesOf,
  type OutputEntries,
  outputFields,
  outputNames,
} from './output-fields.ts'
import { type Show, savedForm } from './saved-form.ts'
import type { Screen } from './screen.ts'

const noMaster =
  'No print profile is the master, so print files are made as the server is set up. POST /print-profiles/{id}/master of the API makes one the master.'
const unreadable =
  'The data of the master print profile cannot be read. PATCH /print-profiles/master replaces it.'
const rendererOff = 'This server does not draw print files itself, so there is nothing to choose.'

/** The page of color and marks of print files. */
export function outputRoutes(screen: Screen): void {
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
    const output = changedOutput(data.output, entries)
    renderer.assertOutput(readOutput(output))
    // `output` was made from this state, which must be that of the form. The same check under the lock finds later changes.
    check(master.state)
    const options = { ...readBack, check: ({ state }: Current) => check(state) }
    await printProfiles.update('master', changeOf({ data: { ...data, output } }, options))
  }

  savedForm(screen, {
    slug: 'edit-print-output',
    read: (form) => entriesBy((name) => valueIn(form, name).trim()),
    show: send,
    save,
    saved: 'The settings were saved.',
  })
}

/** The data of a profile as an object, also if PHP has written an empty one as an array; undefined for other JSON. */
function dataIn(text: string): Record<string, unknown> | undefined {
  const value = parseExact(text)
  if (isObject(value)) return value as Record<string, unknown>
  return Array.isArray(value) && value.length === 0 ? {} : undefined
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
