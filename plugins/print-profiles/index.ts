// /print-profiles: how designs become print files, and which profile is the master.
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { SvcError } from '../../src/errors.ts'
import { changesOf, checkOf } from '../../src/http/echo.ts'
import { selectedFields, withField } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { wholeMeta, withUnreadable } from '../../src/http/pagination.ts'
import { created, deleted, ok, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { answers, Deleted, IdOrParams } from '../../src/http/schema.ts'
import type { Unread } from '../../src/read-back.ts'
import type { FoundRow } from '../../src/repositories/marked-rows.ts'
import { type PrintProfile as PrintProfileRow, printProfilesRepository } from './repository.ts'
import {
  MasterStatus,
  NewPrintProfile,
  PrintProfile,
  PrintProfileCopy,
  PrintProfileListQuery,
  PrintProfilePatch,
  PrintProfileQuery,
  WriteQuery,
} from './schema.ts'

const tags = ['print-profiles']
const params = IdOrParams('master')

function found<T>(profile: T | undefined): T {
  if (profile === undefined) throw new SvcError('svc_print_profile_not_found')
  return profile
}

/** The answer of a write has the data where the request carried some, or asks for it. */
function written(
  reply: FastifyReply,
  profile: FoundRow<'is_master'> | Unread,
  withData: boolean | undefined,
) {
  const selection = withField(selectedFields({}, PrintProfile), 'data', withData)
  const shown = withData ? profile : { ...profile, unreadable: [] }
  return sendWritten<PrintProfileRow>(reply, shown, selection.key, pick(profile.resource, selection))
}

export default group('print_profiles', 'print_profiles', (app, context) => {
  const profiles = printProfilesRepository(context.database)
  const table = context.database.t.print_profiles

  app.get('/', {
    schema: {
      operationId: 'list_print_profiles',
      summary: 'List print profiles',
      description: '`include_data=true` adds the profile data.',
      tags,
      querystring: PrintProfileListQuery,
      response: answers(200, Type.Array(PrintProfile)),
    },
    handler: async (request, reply) => {
      const selection = withField(
        selectedFields(request.query, PrintProfile),
        'data',
        request.query.include_data,
      )
      const { items, unreadable } = await profiles.list(request.query.include, selection)
      const data = items.map((item) => pick(item, selection))
      return ok(data, withUnreadable(wholeMeta(reply, items.length), unreadable))
    },
  })

  app.post('/', {
    schema: {
      operationId: 'create_print_profile',
      summary: 'Create a print profile',
      tags,
      querystring: WriteQuery,
      body: NewPrintProfile,
      response: answers(201, PrintProfile),
    },
    handler: async (request, reply) => {
      const { body, query } = request
      const profile = found(
        await once(context, request, reply, { make: () => profiles.create(body), again: profiles.find }),
      )
      created(context, reply, `/print-profiles/${profile.resource.id}`)
      return written(reply, profile, body.data !== undefined || query.include_data)
    },
  })

  app.get('/:id', {
    schema: {
      operationId: 'get_print_profile',
      summary: 'Get a print profile',
      description: 'By id, or `master` for the master profile.',
      tags,
      params,
      querystring: PrintProfileQuery,
      response: answers(200, PrintProfile),
    },
    handler: async (request, reply) => {
      const selection = withField(
        selectedFields(request.query, PrintProfile),
        'data',
        request.query.include_data,
      )
      const profile = found(await profiles.find(request.params.id))
      const data = pick(profile.resource, selection)
      return sendOne(request, reply, profile, { representation: selection.key, data, table })
    },
  })

  app.patch('/:id', {
    schema: {
      operationId: 'update_print_profile',
      summary: 'Update a print profile',
      tags,
      params,
      querystring: WriteQuery,
      body: PrintProfilePatch,
      response: answers(200, PrintProfile),
    },
    handler: async (request, reply) => {
      const check = checkOf(request, request.body, PrintProfilePatch, PrintProfile)
      const changes = changesOf(request.body, PrintProfilePatch)
      const profile = found(await profiles.update(request.params.id, changes, check))
      return written(reply, profile, changes.data !== undefined || request.query.include_data)
    },
  })

  app.delete('/:id', {
    schema: {
      operationId: 'delete_print_profile',
      summary: 'Delete a print profile',
      description: 'The master profile cannot be deleted.',
      tags,
      params,
      response: answers(200, Deleted),
    },
    handler: async (request) => {
      const check = checkOf(request, undefined, PrintProfilePatch, PrintProfile)
      return deleted(found(await profiles.remove(request.params.id, check)))
    },
  })

  app.post('/:id/duplicate', {
    schema: {
      operationId: 'duplicate_print_profile',
      summary: 'Duplicate a print profile',
      description: 'The copy is never the master.',
      tags,
      params,
      querystring: WriteQuery,
      body: PrintProfileCopy,
      response: answers(201, PrintProfile),
    },
    handler: async (request, reply) => {
      const make = () => profiles.duplicate(request.params.id, request.body.name)
      const profile = found(await once(context, request, reply, { make, again: profiles.find }))
      created(context, reply, `/print-profiles/${profile.resource.id}`)
      return written(reply, profile, request.query.include_data)
    },
  })

  app.post('/:id/master', {
    schema: {
      operationId: 'set_print_profile_master',
      summary: 'Make a print profile the master',
      description: 'Or clear the mark with `is_master: false`. There is at most one master.',
      tags,
      params,
      querystring: WriteQuery,
      body: MasterStatus,
      response: answers(200, PrintProfile),
    },
    handler: async (request, reply) => {
      const { is_master = true } = request.body ?? {}
      const check = checkOf(request, undefined, PrintProfilePatch, PrintProfile)
      const make = () => profiles.update(request.params.id, { is_master }, check)
      const profile = found(await once(context, request, reply, { make, again: profiles.find }))
      return written(reply, profile, request.query.include_data)
    },
  })
})
