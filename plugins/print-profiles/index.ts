// /print-profiles: how designs become print files, and which profile is the master.
import { changeOf } from '../../src/core/resource.ts'
import { flaggedRoutes, WriteQuery } from '../../src/http/flagged-routes.ts'
import { group } from '../../src/http/group.ts'
import { printProfilesRepository } from '../../src/profiles/print-profiles.ts'
import { MasterStatus, NewPrintProfile, PrintProfile, PrintProfileCopy } from './schema.ts'

/** The routes of print profiles. `master` is an alias of the id of the master profile; at most one profile is the master. */
export default group('print_profiles', (app, context, declaration) => {
  const profiles = printProfilesRepository(context.database)
  const routes = flaggedRoutes(app, context, declaration, {
    singular: 'print_profile',
    alias: 'master',
    table: context.database.t.print_profiles,
    repository: profiles,
    causes: { remove: ['svc_print_profile_is_master'] },
    schemas: { resource: PrintProfile, create: NewPrintProfile },
  })
  routes.post('/:id/duplicate', {
    operationId: 'duplicate_print_profile',
    summary: 'Duplicate a print profile',
    description: 'The copy is never the master.',
    querystring: WriteQuery,
    body: PrintProfileCopy,
    make: ({ name }, id, options) => profiles.duplicate(id, name, options),
  })
  routes.post('/:id/master', {
    operationId: 'set_print_profile_master',
    summary: 'Make a print profile the master',
    description: 'Or clear the mark with `is_master: false`. There is at most one master.',
    config: { takes: ['idempotency-key', 'prefer', 'if-match'] },
    status: 200,
    querystring: WriteQuery,
    body: MasterStatus,
    make: ({ is_master = true }, id, options) => profiles.update(id, changeOf({ is_master }, options)),
  })
})
