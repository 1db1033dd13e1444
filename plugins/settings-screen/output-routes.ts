// The colors and marks of print files: `output` in the data of the master print profile, as a form.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { hidden } from '../../src/http/schema.ts'
import { parseExact } from '../../src/json/exact.ts'
import { isObject } from '../../src/json/values.ts'
import { type Form, valueIn } from '../../src/pages/form-body.ts'
import { notice } from '../../src/pages/frame.ts'
import type { Html } from '../../src/pages/html.ts'
import { formOf, page, queryValue } from '../../src/pages/scope.ts'
import { printProfilesRepository } from '../../src/profiles/print-profiles.ts'
import { type ProfileOutput, readOutput } from '../../src/settings/master-profile.ts'
import { type OutputEntries, outputPage } from './output-page.ts'
import { refusal } from './saved-list.ts'
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

  async function send(request: FastifyRequest, reply: FastifyReply, feedback?: Html, sent?: OutputEntries) {
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
        state: master.state,
        formToken: screen.formToken(request, reply),
        notice: feedback,
      }),
    )
  }

  async function save(entries: OutputEntries, check: (state: string) => void): Promise<void> {
    const master = await profiles.find('master')
    const data = dataIn(master?.resource.data ?? 'null')
    if (!renderer || !master || !data) throw new SvcError('svc_print_profile_not_found')
    const output = changed(data.output, entries)
    renderer.assertOutput(readOutput(output))
    // What was read must still be there: the check under the lock compares it with the state of the form.
    check(master.state)
    await profiles.update('master', { data: { ...data, output } }, ({ state }) => check(state))
  }

  app.get('/edit-print-output', {
    schema: hidden,
    handler: page((request, reply) =>
      send(
        request,
        reply,
        queryValue(request, 'saved') === '1' ? notice('done', 'The settings were saved.') : undefined,
      ),
    ),
  })

  app.post('/edit-print-output', {
    schema: hidden,
    bodyLimit: context.bodyLimits.json,
    handler: page(async (request, reply) => {
      const form = formOf(request)
      const entries = entriesIn(form)
      const refused = await refusal(screen, request, form, (check) => save(entries, check))
      if (!refused) return reply.redirect('edit-print-output?saved=1', 303)
      reply.code(refused.status)
      return send(request, reply, refused.feedback, entries)
    }),
  })
}

/** Undefined for data that is no object; PHP writes an empty one as an array. */
function dataIn(text: string): Record<string, unknown> | undefined {
  const value = parseExact(text)
  if (isObject(value)) return value as Record<string, unknown>
  return Array.isArray(value) && value.length === 0 ? {} : undefined
}

const entriesOf = ({
  color,
  profile,
  condition,
  overprintBlack,
  maxInk,
  marks,
}: ProfileOutput): OutputEntries => ({
  color: color ?? '',
  profile: profile ?? '',
  condition: condition ?? '',
  overprintBlack: String(overprintBlack ?? ''),
  maxInk: String(maxInk ?? ''),
  marks: String(marks ?? ''),
})

const entriesIn = (form: Form): OutputEntries => ({
  color: valueIn(form, 'color'),
  profile: valueIn(form, 'profile'),
  condition: valueIn(form, 'condition').trim(),
  overprintBlack: valueIn(form, 'overprintBlack'),
  maxInk: valueIn(form, 'maxInk').trim(),
  marks: valueIn(form, 'marks'),
})

const readers: { [Name in keyof OutputEntries]: (entry: string) => unknown } = {
  color: (entry) => entry,
  profile: (entry) => entry,
  condition: (entry) => entry,
  overprintBlack: (entry) => entry === 'true',
  maxInk: Number,
  marks: (entry) => entry === 'true',
}

/**
 * The stored output with the entries that differ from it: all other properties, and those that cannot be shown, stay.
 * @throws SvcError 400 for an entry that would not be read again
 */
function changed(stored: unknown, entries: OutputEntries): Record<string, unknown> {
  const output: Record<string, unknown> = isObject(stored) ? { ...stored } : {}
  const shown = entriesOf(readOutput(stored))
  for (const name of Object.keys(readers) as (keyof OutputEntries)[]) {
    const entry = entries[name]
    if (entry === shown[name]) continue
    if (entry === '') delete output[name]
    else output[name] = readers[name](entry)
  }
  const read = entriesOf(readOutput(output))
  const wrong = (Object.keys(readers) as (keyof OutputEntries)[]).filter(
    (name) => entries[name] !== shown[name] && read[name] !== entries[name],
  )
  if (wrong.length > 0)
    throw new SvcError('rest_invalid_param', {
      message: 'Some entries cannot be used.',
      errors: wrong.map((name) => problems[name]),
    })
  return output
}

const problems: Record<keyof OutputEntries, string> = {
  color: 'Color must be one of the choices.',
  profile: 'Output profile must be one of the choices.',
  condition: 'Printing condition may have 100 characters.',
  overprintBlack: 'Overprint must be one of the choices.',
  maxInk: 'Ink limit must be a number from 1 to 400.',
  marks: 'Crop marks must be one of the choices.',
}
