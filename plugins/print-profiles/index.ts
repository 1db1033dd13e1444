// /print-profiles: how designs become print files, and which profile is the master.
import type { Declaration } from '../../src/core/groups.ts'
import { foundOr404, stateCheck } from '../../src/http/found.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { markedRoutes, WriteQuery } from '../../src/http/marked-routes.ts'
import { created } from '../../src/http/response.ts'
import { IdOrParams, responses } from '../../src/http/schema.ts'
import { printProfilesRepository } from '../../src/profiles/print-profiles.ts'
import { MasterStatus, NewPrintProfile, PrintProfile, PrintProfileCopy, PrintProfilePatch } from './schema.ts'

const params = IdOrParams('master')
const found = foundOr404('svc_print_profile_not_found', 'print profile')

const declaration = {
  name: 'print_profiles',
  path: '/print-profiles',
  tag: 'Profiles with limits and options for print.',
  toggle: { label: 'Print Profiles API' },
  errors: {
    svc_print_profile_not_found: [404, 'No print profile with this id.'],
    svc_print_profile_is_master: [
      409,
      'The master print profile cannot be deleted; clear its master status first.',
    ],
  },
  missing: 'svc_print_profile_not_found',
  events: ['print_profile'],
  counts: { print_profiles: 'print_profiles' },
} as const satisfies Declaration

/** The routes of print profiles. `master` is an alias of the id of the master profile; at most one profile is the master. */
export default group(declaration, (app, context) => {
  const profiles = printProfilesRepository(context.database)

  const sendProfile = markedRoutes(app, context, {
    path: 'print-profiles',
    names: { one: 'print_profile', many: 'print_profiles' },
    word: 'master',
    table: context.database.t.print_profiles,
    repository: profiles,
    found,
    causes: { remove: ['svc_print_profile_is_master'] },
    schemas: { resource: PrintProfile, create: NewPrintProfile, patch: PrintProfilePatch },
  })

  app.post('/:id/duplicate', {
    schema: {
      operationId: 'duplicate_print_profile',
      summary: 'Duplicate a print profile',
      description: 'The copy is never the master.',
      params,
      querystring: WriteQuery,
      body: PrintProfileCopy,
      response: responses(201, PrintProfile),
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const make = () => profiles.duplicate(id, request.body.name)
      const profile = found(await once(context, request, reply, { make, again: profiles.find }), id)
      created(context, reply, `/print-profiles/${profile.resource.id}`)
      return sendProfile(reply, profile, request.query.include_data)
    },
  })

  app.post('/:id/master', {
    config: { takes: ['idempotency-key', 'prefer', 'if-match'] },
    schema: {
      operationId: 'set_print_profile_master',
      summary: 'Make a print profile the master',
      description: 'Or clear the mark with `is_master: false`. There is at most one master.',
      params,
      querystring: WriteQuery,
      body: MasterStatus,
      response: responses(200, PrintProfile),
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const { is_master = true } = request.body ?? {}
      const check = stateCheck(request)
      const make = () => profiles.update(id, { is_master }, check)
      const profile = found(await once(context, request, reply, { make, again: profiles.find }), id)
      return sendProfile(reply, profile, request.query.include_data)
    },
  })
})
