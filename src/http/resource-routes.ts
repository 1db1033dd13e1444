// The routes of one kind of resource, as most groups have them: its list, POST, GET, PATCH and DELETE, with `fields`,
// Idempotency-Key, If-Match, values that are only sent back, 404, the ETag before and after a write.
import type { TObject, TSchema } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { type ErrorCode, invalidParams, SvcError } from '../core/errors.ts'
import type { Declaration } from '../core/groups.ts'
import type { Check, Found, Write, WriteOptions, Written } from '../core/resource.ts'
import { stateCheck } from './etag.ts'
import { type FieldSelection, selectedFields } from './fields.ts'
import type { GroupScope } from './group.ts'
import { wantsMinimal } from './headers.ts'
import { once } from './idempotency.ts'
import { declared, type List, listRoute, type ObjectOf, type Own } from './list-route.ts'
import { patchWrite } from './patch.ts'
import { created, ok, pick, sendOne, sendWritten } from './response.ts'
import { Deleted, FieldsQuery, IdOrParams, IdParams, responses } from './schema.ts'
import { validators } from './validate.ts'

/** A kind of resource: `W` is what its repository finds, `Ref` what a path names. */
interface Kind<W extends Found<object>, Ref, Query> {
  /** In operation ids: `pricing_rule`. */
  singular: string
  /** In summaries. Default: `singular` with spaces. */
  noun?: string
  resource: TObject
  /** The only parameter of its path. */
  params?: TObject
  /** What stands in a path for the id of the one with a special status, such as `master`. */
  word?: string
  /** Where single resources lie below the namespace. Default: the path of the group. */
  path?: string
  /** Physical name of the table, for errors about stored values. */
  table: string
  find(ref: Ref): Promise<W | undefined>
  /** The properties of a response to GET; by default those that `fields` names. */
  select?(query: Query): FieldSelection
  /** What of the written properties cannot be drawn as it is. */
  warnings?(written: object): Promise<string[]>
  /** The response to a write; by default the whole resource. `body` has what was written. */
  send?(reply: FastifyReply, written: W, query: Query, body: object): unknown
}

export interface Get<W, Query> extends Own {
  /** Default: what it gets. */
  summary?: string
  querystring?: ObjectOf<Query>
  /** What of a resource is shown. @throws where it cannot be */
  represent?(row: W, selection: FieldSelection): Found<object>
}

export interface Create<W, Body, Ref, Query> extends Own {
  querystring?: ObjectOf<Query>
  body?: TSchema & { static: Body }
  make(
    body: Body,
    ref: Ref,
    options: WriteOptions & { check: Check | undefined },
  ): Promise<Written<W> | undefined>
  /** Finds what an earlier request with the same key made; by default by its id. */
  again?(foundBy: number): Promise<W | undefined>
}

export interface Post<W, Body, Ref, Query> extends Create<W, Body, Ref, Query> {
  operationId: string
  summary: string
  /** 201 where it creates a resource, which is the default. */
  status?: 200 | 201
}

export interface Patch<W, Body, Ref, Query> extends Own {
  querystring?: ObjectOf<Query>
  body: TObject
  /** Schema of everything that may be sent back, where that is more than the resource. */
  fields?: TObject
  /** A read-only property that repeats writable ones: a body that has it may change nothing. */
  envelope?: string
  update(ref: Ref, change: Write<Body>, query: Query): Promise<Written<W> | undefined>
}

export interface Remove<Ref> extends Own {
  /** Schema of the response. */
  deleted?: TObject
  /** @returns undefined if there is no such resource */
  remove(ref: Ref, check?: Check): Promise<number | undefined>
}

/**
 * Functions that add these routes to a group.
 * @example
 * const routes = resourceRoutes(app, context, declaration, { one: 'view', resource: View, table: t.views, find: views.find })
 * routes.get()
 * routes.remove({ remove: views.remove })
 */
export function resourceRoutes<
  W extends Found<object>,
  Ref = number,
  Query extends FieldsQuery = FieldsQuery,
>(app: GroupScope, context: SvcContext, group: Declaration, kind: Kind<W, Ref, Query>) {
  const { singular, resource, word, path = group.path, table, find } = kind
  const { params = word === undefined ? IdParams : IdOrParams(word) } = kind
  const { noun = singular.replaceAll('_', ' ') } = kind
  const { select = (query: Query) => selectedFields(query, resource) } = kind
  const [key = 'id'] = Object.keys(params.properties)
  const refOf = (request: FastifyRequest): Ref => Reflect.get(Object(request.params), key)

  const send: NonNullable<typeof kind.send> =
    kind.send ??
    (async (reply, row, _query, body) =>
      sendWritten<object>(reply, row, '', row.resource, await kind.warnings?.(body)))

  /** The schema of GET, PATCH or DELETE of one resource. */
  const declaredOne = (verb: 'Get' | 'Update' | 'Delete', parts: Record<string, unknown>) =>
    declared({
      operationId: `${verb.toLowerCase()}_${singular}`,
      summary: `${verb} a ${noun}`,
      params,
      response: responses(200, resource),
      ...parts,
    })

  /** @throws SvcError 404, in whose message the error handler names the requested id */
  function found<T>(row: T | undefined, ref?: Ref): T {
    if (row !== undefined) return row
    const details = ref !== undefined && ref === word ? { message: `No ${noun} is the ${word}.` } : {}
    throw new SvcError(group.missing as ErrorCode, details)
  }

  /** The resource, or only its key if it was not read back. */
  const sendResult = (reply: FastifyReply, written: Written<W>, query: Query, body: object) =>
    written.found ? send(reply, written.found, query, body) : ok({ [key]: written.id })

  function post<Body extends object, PostQuery>(
    url: string,
    {
      operationId,
      summary,
      description,
      status = 201,
      querystring,
      body,
      make,
      again = find as (id: number) => ReturnType<typeof find>,
      ...route
    }: Post<W, Body, Ref, PostQuery>,
  ): void {
    app.post(url, {
      ...route,
      schema: declared({
        operationId,
        summary,
        description,
        params: url.includes(':') ? params : undefined,
        querystring,
        body,
        response: responses(status, resource),
      }),
      handler: async (request, reply) => {
        const ref = refOf(request)
        const readBack = !wantsMinimal(request)
        const check = stateCheck(request)
        const written = await once<Written<W> | undefined>(context, request, reply, {
          make: (options) => make(request.body as Body, ref, { ...options, readBack, check }),
          async again(foundBy) {
            const row = await again(foundBy)
            return row && { id: Reflect.get(row.resource, key), found: row, isNew: true }
          },
        })
        const { id } = found(written, ref)
        if (status === 201) created(context, reply, `${path}/${id}`)
        return sendResult(reply, found(written, ref), request.query as Query, Object(request.body))
      },
    })
  }

  return {
    found,
    post,

    list<ListQuery extends Query>(options: List<ListQuery>): void {
      const plural = `${noun}s`.replace(/ys$/, 'ies')
      listRoute(app, context, {
        operationId: `list_${group.name}`,
        summary: `List ${plural}`,
        resource,
        select,
        ...options,
      })
    },

    create<Body extends object, PostQuery>(options: Create<W, Body, Ref, PostQuery>): void {
      post('/', { operationId: `create_${singular}`, summary: `Create a ${noun}`, ...options })
    },

    get(options: Get<W, Query> = {}): void {
      const {
        summary = `Get a ${noun}`,
        description,
        querystring = FieldsQuery,
        represent,
        ...route
      } = options
      app.get(`/:${key}`, {
        ...route,
        schema: declaredOne('Get', { summary, description, querystring }),
        handler: async (request, reply) => {
          const selection = select(request.query as Query)
          const ref = refOf(request)
          const stored = found(await find(ref), ref)
          const row = represent ? represent(stored, selection) : stored
          const data = pick(row.resource, selection)
          return sendOne(request, reply, row, { representation: selection.key, data, table })
        },
      })
    },

    patch<Body extends object, PatchQuery>(options: Patch<W, Body, Ref, PatchQuery>): void {
      const { description, querystring, body, fields = resource, envelope, update, ...route } = options
      const problemsOf = validators().patch(body)
      app.patch(`/:${key}`, {
        ...route,
        schema: declaredOne('Update', { description, querystring, body }),
        handler: async (request, reply) => {
          const ref = refOf(request)
          const problems = problemsOf(request.body)
          const patch = patchWrite<Body>(request, { schema: body, resource: fields, envelope, problems })
          const change = { ...patch, readBack: !wantsMinimal(request) }
          const written = await update(ref, change, request.query as PatchQuery)
          // A missing resource has no values to compare invalid ones with.
          if (!written && Object.keys(problems).length > 0) throw invalidParams(problems)
          return sendResult(reply, found(written, ref), request.query as Query, patch.changes)
        },
      })
    },

    remove({ description, deleted = Deleted, remove, ...route }: Remove<Ref>): void {
      app.delete(`/:${key}`, {
        ...route,
        schema: declaredOne('Delete', { description, response: responses(200, deleted) }),
        handler: async (request) => {
          const ref = refOf(request)
          return ok({ [key]: found(await remove(ref, stateCheck(request)), ref), deleted: true })
        },
      })
    },
  }
}
