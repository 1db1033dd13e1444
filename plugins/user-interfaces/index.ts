// /user-interfaces: how the designer looks, and which of its layouts is the default.
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
import { type UserInterface as UserInterfaceRow, userInterfacesRepository } from './repository.ts'
import {
  NewUserInterface,
  UserInterface,
  UserInterfaceListQuery,
  UserInterfacePatch,
  UserInterfaceQuery,
  WriteQuery,
} from './schema.ts'

const tags = ['user-interfaces']
const params = IdOrParams('default')

function found<T>(layout: T | undefined): T {
  if (layout === undefined) throw new SvcError('svc_user_interface_not_found')
  return layout
}

/** The answer of a write has the data where the request carried some, or asks for it. */
function written(
  reply: FastifyReply,
  layout: FoundRow<'is_default'> | Unread,
  withData: boolean | undefined,
) {
  const selection = withField(selectedFields({}, UserInterface), 'data', withData)
  const shown = withData ? layout : { ...layout, unreadable: [] }
  return sendWritten<UserInterfaceRow>(reply, shown, selection.key, pick(layout.resource, selection))
}

export default group('user_interfaces', 'user_interfaces', (app, context) => {
  const layouts = userInterfacesRepository(context)
  const table = context.database.t.user_interfaces

  app.get('/', {
    schema: {
      operationId: 'list_user_interfaces',
      summary: 'List user interface layouts',
      description: '`include_data=true` adds the layout data.',
      tags,
      querystring: UserInterfaceListQuery,
      response: answers(200, Type.Array(UserInterface)),
    },
    handler: async (request, reply) => {
      const selection = withField(
        selectedFields(request.query, UserInterface),
        'data',
        request.query.include_data,
      )
      const { items, unreadable } = await layouts.list(request.query.include, selection)
      const data = items.map((item) => pick(item, selection))
      return ok(data, withUnreadable(wholeMeta(reply, items.length), unreadable))
    },
  })

  app.post('/', {
    schema: {
      operationId: 'create_user_interface',
      summary: 'Create a user interface layout',
      description: 'A copy of the default layout unless `data` is given.',
      tags,
      querystring: WriteQuery,
      body: NewUserInterface,
      response: answers(201, UserInterface),
    },
    handler: async (request, reply) => {
      const { body, query } = request
      const layout = found(
        await once(context, request, reply, { make: () => layouts.create(body), again: layouts.find }),
      )
      created(context, reply, `/user-interfaces/${layout.resource.id}`)
      return written(reply, layout, body.data !== undefined || query.include_data)
    },
  })

  app.get('/:id', {
    schema: {
      operationId: 'get_user_interface',
      summary: 'Get a user interface layout',
      description: 'By id, or `default` for the default layout.',
      tags,
      params,
      querystring: UserInterfaceQuery,
      response: answers(200, UserInterface),
    },
    handler: async (request, reply) => {
      const selection = withField(
        selectedFields(request.query, UserInterface),
        'data',
        request.query.include_data,
      )
      const layout = found(await layouts.find(request.params.id))
      const data = pick(layout.resource, selection)
      return sendOne(request, reply, layout, { representation: selection.key, data, table })
    },
  })

  app.patch('/:id', {
    schema: {
      operationId: 'update_user_interface',
      summary: 'Update a user interface layout',
      description: '`is_default: true` makes it the default.',
      tags,
      params,
      querystring: WriteQuery,
      body: UserInterfacePatch,
      response: answers(200, UserInterface),
    },
    handler: async (request, reply) => {
      const check = checkOf(request, request.body, UserInterfacePatch, UserInterface)
      const changes = changesOf(request.body, UserInterfacePatch)
      const layout = found(await layouts.update(request.params.id, changes, check))
      return written(reply, layout, changes.data !== undefined || request.query.include_data)
    },
  })

  app.delete('/:id', {
    schema: {
      operationId: 'delete_user_interface',
      summary: 'Delete a user interface layout',
      description: 'The default layout cannot be deleted.',
      tags,
      params,
      response: answers(200, Deleted),
    },
    handler: async (request) => {
      const check = checkOf(request, undefined, UserInterfacePatch, UserInterface)
      return deleted(found(await layouts.remove(request.params.id, check)))
    },
  })
})
