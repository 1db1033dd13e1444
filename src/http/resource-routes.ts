// Adds the usual routes of a kind of resource: its list, POST, GET, PATCH and DELETE. They handle `fields`, Idempotency-Key, If-Match,
// If-None-Match, ETags, properties that are sent back unchanged, and 404.
import type { TObject, TSchema } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { type ErrorCode, invalidParams, SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import type { Declaration } from '../core/groups.ts'
import type { Check, Found, Write, WriteOptions, Written } from '../core/resource.ts'
import { stateCheck } from './etag.ts'
import { type FieldSelection, selectedFields } from './fields.ts'
import type { GroupScope } from './group.ts'
import { wantsMinimal } from './headers.ts'
import { once } from './idempotency.ts'
import { declared, type List, listRoute, type ObjectOf, type RouteExtras } from './list-route.ts'
import { patchWrite } from './patch.ts'
import { created, ok, pick, sendOne, sendWritten } from './response.ts'
import { Deleted, FieldsQuery, IdOrParams, IdParams, responses } from './schema.ts'
import { validators } from './validate.ts'

/** A kind of resource: `W` is what its repository finds, `Ref` the id, or the alias, that a path names it by. */
interface Kind<W extends Found<object>, Ref, Query> {
  /** Name in operation ids: `pricing_rule`. */
  singular: string
  /** Name in summaries. Default: `singular` with spaces. */
  noun?: string
  /** Schema of the resource. */
  resource: TObject
  /** Schema of the path, which has one parameter. Default: `id`. */
  params?: TObject
  /** An alias that may replace the id in a path, for the resource with a special status: `master`. */
  alias?: string
  /** Path of single resources below the namespace. Default: the path of the group. */
  path?: string
  /** Physical name of the table, for errors about stored values. */
  table: string
  /** Undefined if there is no such resource. */
  find(ref: Ref): Promise<W | undefined>
  /** The properties of a response to GET; by default those that `fields` names. */
  select?(query: Query): FieldSelection
  /** Sentences about written properties that cannot be drawn as they are. @param body the written properties */
  warnings?(body: object): Promise<string[]> | undefined
  /** Sends the response to a write; by default the whole resource. @param body the written properties */
  send?(reply: FastifyReply, written: W, query: Query, body: object): unknown
}

/** GET of one resource. */
export interface Get<W, Query> extends RouteExtras {
  /** Default: `Get a …`. */
  summary?: string
  querystring?: ObjectOf<Query>
  /** The resource as the response shows it; by default as it was found. @throws SvcError if a selected value cannot be read */
  represent?(row: W, selection: FieldSelection): Found<object>
}

/** POST that creates a resource. */
export interface Create<W, Body, Ref, Query> extends RouteExtras {
  querystring?: ObjectOf<Query>
  body?: TSchema & { static: Body }
  /**
   * Creates the resource.
   * @param ref of the resource in the path, if the path names one
   * @returns undefined if that resource does not exist
   */
  make(
    body: Body,
    ref: Ref,
    options: WriteOptions & { check: Check | undefined },
  ): Promise<Written<W> | undefined>
  /** Finds what an earlier request with the same Idempotency-Key has created; by default by its id. */
  findAgain?(foundBy: number): Promise<W | undefined>
}

/** POST that does something with a resource. */
export interface Post<W, Body, Ref, Query> extends Create<W, Body, Ref, Query> {
  operationId: string
  summary: string
  /** Default: 201, for a POST that creates a resource. */
  status?: 200 | 201
}

/** PATCH of one resource. */
export interface Patch<W, Body, Ref, Query> extends RouteExtras {
  querystring?: ObjectOf<Query>
  /** Schema of the body; see `patchOf`. */
  body: TObject
  /** Schema of all properties that may be sent back. Default: the schema of the resource. */
  fields?: TObject
  /** See `Patch.envelope` in patch.ts. */
  envelope?: string
  /** Undefined if there is no such resource. */
  update(ref: Ref, change: Write<Body>, query: Query): Promise<Written<W> | undefined>
}

/** DELETE of one resource. */
export interface Remove<Ref> extends RouteExtras {
  /** Schema of the response. */
  deleted?: TObject
  /** Removes the resource and returns its id; undefined if there is no such resource. */
  remove(ref: Ref, check?: Check): Promise<number | undefined>
}

/**
 * Functions that add the routes of this kind of resource to a group.
 * @example
 * const routes = resourceRoutes(app, context, declaration, { singular: 'view', resource: View, table: t.views, find: views.find })
 * routes.get()
 * routes.remove({ remove: views.remove })
 */
export function resourceRoutes<
  W extends Found<object>,
  Ref = number,
  Query extends FieldsQuery = FieldsQuery,
>(app: GroupScope, context: SvcContext, group: Declaration, kind: Kind<W, Ref, Query>) {
  const { singular, resource, alias, path = group.path, table, find } = kind
  const { params = alias === undefined ? IdParams : IdOrParams(alias) } = kind
  const { noun = singular.replaceAll('_', ' ') } = kind
  const { select = (query: Query) => selectedFields(query, resource) } = kind
  /** Name of the parameter in the path, and of the property that identifies a resource. */
  const [key = 'id'] = Object.keys(params.properties)
  const refOf = (request: FastifyRequest): Ref => (request.params as Record<string, Ref>)[key] as Ref

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

  /** The row. @throws SvcError 404 if it is undefined; make-endpoint.ts adds the id in the path to its message */
  function found<T>(row: T | undefined, ref?: Ref): T {
    if (row !== undefined) return row
    const details = ref !== undefined && ref === alias ? { message: `No ${noun} is the ${alias}.` } : {}
    // Every group with resources declares the code of its 404.
    throw new SvcError(group.missing as ErrorCode, details)
  }

  /** The resource, or only its key if it was not read back. */
  const sendResult = (reply: FastifyReply, written: Written<W>, query: Query, body: object) =>
    written.found ? send(reply, written.found, query, body) : ok({ [key]: written.id })

  /** Adds a POST. @param url below the path of the group; the resource that it names, if any, is `ref` of `make` */
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
      // Resources that POST creates are found by a number, whatever else a path may name them by.
      findAgain = find as (id: number) => ReturnType<typeof find>,
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
          async findAgain(foundBy) {
            const row = await findAgain(foundBy)
            // As the first request with the key returned it.
            return row && { id: membersOf(row.resource)[key] as number, found: row, isNew: true }
          },
        })
        const { id } = found(written, ref)
        if (status === 201) created(context, reply, `${path}/${id}`)
        return sendResult(reply, found(written, ref), request.query as Query, request.body ?? {})
      },
    })
  }

  return {
    found,
    post,

    /** Adds the list. */
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

    /** Adds the POST that creates a resource. */
    create<Body extends object, PostQuery>(options: Create<W, Body, Ref, PostQuery>): void {
      post('/', { operationId: `create_${singular}`, summary: `Create a ${noun}`, ...options })
    },

    /** Adds GET of one resource. */
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
          const represented = represent ? represent(stored, selection) : stored
          const data = pick(represented.resource, selection)
          return sendOne(request, reply, represented, { representation: selection.key, data, table })
        },
      })
    },

    /** Adds PATCH. */
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

    /** Adds DELETE. */
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
