// GET, PATCH and DELETE of one resource, as most groups have them: `fields`, If-Match, values that are only sent back, 404,
// the ETag before and after the write.
import type { TObject } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Unread } from '../core/read-back.ts'
import type { Check, Found } from '../core/resource.ts'
import { type FieldSelection, selectedFields } from './fields.ts'
import { type FoundOr404, stateCheck } from './found.ts'
import type { GroupScope } from './group.ts'
import { changesOf, writeCheck } from './patch.ts'
import { ok, pick, sendOne, sendWritten } from './response.ts'
import { Deleted, IdParams, responses } from './schema.ts'

type Written = Found<object> | Unread

/** What documents say of one of the routes, and what only that route has. */
type Own = Pick<RouteOptions, 'config' | 'bodyLimit'> & { description?: string }

interface FieldsQuery {
  fields?: string
  _fields?: string
}

/** GET of the resource. */
interface Read<Ref, Query> {
  description?: string
  querystring: TObject & { static: Query }
  /** Physical name of the table, for errors about stored values. */
  table: string
  find(ref: Ref): Promise<Found<object> | undefined>
  /** The properties of the response; by default those that `fields` names. */
  select?(query: Query): FieldSelection
}

interface ChangeRoutes<W extends Written, Patch extends object, Ref, Query, ReadQuery extends FieldsQuery> {
  /** In operation ids: `pricing_rule`. */
  one: string
  /** In summaries: `a pricing rule`. Default: `one` as words. */
  noun?: string
  found: FoundOr404
  /** Schema of the resource, and of it with everything that a PATCH may send back, where that is more. */
  resource: TObject
  fields?: TObject
  patch: TObject
  /** The path's only parameter. */
  params?: TObject
  /** Schema of the response to DELETE. */
  deleted?: TObject
  querystring?: TObject & { static: Query }
  /** A read-only property that repeats writable ones: a body that has it may change nothing. */
  envelope?: string
  /** Absent where a group has a GET of its own. */
  read?: Read<Ref, ReadQuery>
  update(ref: Ref, changes: Patch, check: Check | undefined, query: Query): Promise<W | undefined>
  /** @returns undefined if there is no such resource */
  remove(ref: Ref, check?: Check): Promise<number | undefined>
  /** The response to PATCH; the whole resource by default. */
  send?(reply: FastifyReply, written: W, query: Query, changes: Patch): unknown
  onPatch?: Own
  onDelete?: Own
}

export function changeRoutes<
  W extends Written,
  Patch extends object,
  Ref = number,
  Query = unknown,
  ReadQuery extends FieldsQuery = FieldsQuery,
>(app: GroupScope, group: ChangeRoutes<W, Patch, Ref, Query, ReadQuery>): void {
  const { one, found, resource, patch, params = IdParams, read, onPatch = {}, onDelete = {} } = group
  const { noun = one.replaceAll('_', ' ') } = group
  const [key = 'id'] = Object.keys(params.properties)
  const url = `/:${key}`
  const refOf = (request: FastifyRequest) =>
    Reflect.get(Object(request.params), key) as Ref & (number | string)
  const { description: patching, ...patchOptions } = onPatch
  const { description: deleting, ...deleteOptions } = onDelete

  if (read) {
    const { description, querystring, table, find } = read
    const { select = (query) => selectedFields(query, resource) } = read
    app.get(url, {
      schema: {
        operationId: `get_${one}`,
        summary: `Get a ${noun}`,
        ...(description && { description }),
        params,
        querystring,
        response: responses(200, resource),
      },
      handler: async (request, reply) => {
        const selection = select(request.query as ReadQuery)
        const ref = refOf(request)
        const row = found(await find(ref), ref)
        const data = pick(row.resource, selection)
        return sendOne(request, reply, row, { representation: selection.key, data, table })
      },
    })
  }

  app.patch(url, {
    ...patchOptions,
    schema: {
      operationId: `update_${one}`,
      summary: `Update a ${noun}`,
      ...(patching && { description: patching }),
      params,
      ...(group.querystring && { querystring: group.querystring }),
      body: patch,
      response: responses(200, resource),
    },
    handler: async (request, reply) => {
      const ref = refOf(request)
      const check = writeCheck(request, patch, group.fields ?? resource)
      const changes = changesOf(request as unknown as FastifyRequest & { body: Patch }, patch, group.envelope)
      const query = request.query as Query
      const written = found(await group.update(ref, changes, check, query), ref)
      if (group.send) return group.send(reply, written, query, changes)
      return sendWritten<object>(reply, written, '', written.resource)
    },
  })

  app.delete(url, {
    ...deleteOptions,
    schema: {
      operationId: `delete_${one}`,
      summary: `Delete a ${noun}`,
      ...(deleting && { description: deleting }),
      params,
      response: responses(200, group.deleted ?? Deleted),
    },
    handler: async (request) => {
      const ref = refOf(request)
      return ok({ [key]: found(await group.remove(ref, stateCheck(request)), ref), deleted: true })
    },
  })
}
