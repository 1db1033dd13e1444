// The colors and marks of print files: `output` in the data of the master print profile, as a form.
import type { FastifyInstance } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import type { Precondition } from '../../src/http/etag.ts'
import { parseExact } from '../../src/json/exact.ts'
import { isObject } from '../../src/json/values.ts'
import { valueIn } from '../../src/pages/form-body.ts'
import type { Html } from '../../src/pages/html.ts'
import { notice } from '../../src/pages/parts.ts'
import { printProfilesRepository } from '../../src/profiles/print-profiles.ts'
import { type ProfileOutput, readOutput } from '../../src/settings/master-profile.ts'
import { type OutputEntries, outputFields, outputNames, outputPage } from './output-page.ts'
import { type Show, savedForm } from './saved-form.ts'
import type { Screen } from './screen.ts'

const none =
  'No print profile is the master, so print files are made as the server is set up. POST /print-profiles/{id}/master of the API makes one the master.'
const unreadable =
  'The data of the master print profile cannot be read. PATCH /print-profiles/master replaces it.'
const off = 'This server does not draw print files itself, so there is nothing to choose.'

export function outputRoutes(app: FastifyInstance, screen: Screen): void {
  const { context } = screen
  const { renderer } = context
  const profiles = printProfilesRepository(context.database)

  const send: Show<OutputEntries> = async (request, reply, feedback, sent) => {
    const show = (main: Html) => screen.send(reply, { title: 'Print files', current: 'export', main })
    if (!renderer) return show(notice('problem', off))
    const master = await profiles.find('master')
    if (!master) return show(notice('problem', none))
    const { data, name } = master.resource
    const stored = data === null ? undefined : dataIn(data)
    if (!stored) return show(notice('problem', unreadable))
    const shown = entriesOf(readOutput(stored.output))
    return show(
      outputPage({
        name,
        entries: sent ?? shown,
        profiles: [...new Set([...renderer.outputProfiles, shown.profile])].filter(Boolean),
        isForPress: renderer.isForPress,
        opened: { _form: screen.formToken(request, reply), _state: master.state },
        notice: feedback,
      }),
    )
  }

  async function save(entries: OutputEntries, check: Precondition): Promise<void> {
    const master = await profiles.find('master')
    const data = dataIn(master?.resource.data ?? 'null')
    if (!renderer || !master || !data) throw new SvcError('svc_print_profile_not_found')
    const output = changed(data.output, entries)
    renderer.assertOutput(readOutput(output))
    // What was read must still be there: the check under the lock compares it with the state of the form.
    check(master.state)
    await profiles.update('master', { data: { ...data, output } }, ({ state }) => check(state))
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
  const shown = entriesOf(readOutput(stored))
  const touched = outputNames.filter((name) => entries[name] !== shown[name])
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
