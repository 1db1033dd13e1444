// What each registration serves, recorded while its routes are added: documents, tools and clients are made from it.
import type { TObject, TSchema } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import type { RouteOptions } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import type { ErrorCode } from '../core/errors.ts'
import { type Declaration, type Toggle, tagOf } from '../core/groups.ts'
import type { NeededScope } from '../core/scopes.ts'
import { toggleOf } from '../settings/toggles.ts'
import { requestHeaders } from './openapi.ts'

/** One operation of the API, as its route declares it. */
export interface Operation {
  /** For example `list_products`; unique within a registration. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the REST root with its parameters in braces: `/svc/v1/products/{id}`. */
  path: string
  /** Path in the host, as its router knows it, without a slash at the end. */
  url: string
  group: Declaration
  /** The toggle of its group; undefined if the group is always on. */
  toggle: Toggle | undefined
  /** Whether it needs no token. */
  isOpen: boolean
  /** The scope that its sender must have; undefined if it is open. */
  needs: NeededScope | undefined
  /** One short sentence without a full stop. */
  summary: string
  description: string | undefined
  tag: string
  /** Error codes in addition to those that follow from its form and its group. */
  causes: readonly ErrorCode[]
  /** Codes that respond with 409 as well as with their own status. */
  conflicts: readonly ErrorCode[]
  params: TObject | undefined
  query: TObject | undefined
  headers: TObject
  body: TSchema | undefined
  /** Media types of the body. */
  consumes: readonly string[]
  status: 200 | 201
  /** Schema of the success body. */
  response: TObject
}

declare module '../app/context.ts' {
  interface SvcContext {
    /** What this registration serves, in the order of its routes; complete once the host is ready. */
    operations: Operation[]
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route is in documents; absent on routes that they do not name. */
    operation?: Operation
    /** Error codes of the route, in addition to those that follow from its form and its group. */
    causes?: readonly ErrorCode[]
    /** Codes that the route responds with as 409, too. */
    conflicts?: readonly ErrorCode[]
  }
}

/** Records a route of the API before it is changed for serving. Routes that documents do not name are passed over. */
export function recordOperation(
  { operations }: SvcContext,
  route: RouteOptions,
  group: Declaration,
  needs: NeededScope | undefined,
): void {
  const operation = operationOf(route, group, needs)
  if (!operation) return
  route.config = { ...route.config, operation }
  // Fastify adds a second route for a slash at the end.
  if (!operations.some(({ id }) => id === operation.id)) operations.push(operation)
}

function operationOf(
  route: RouteOptions,
  group: Declaration,
  needs: NeededScope | undefined,
): Operation | undefined {
  const { schema = {}, config = {} } = route
  const { operationId: id, summary, description } = schema as DocumentedSchema
  if (id === undefined) return undefined
  const method = String(route.method) as Operation['method']
  const url = route.url.replace(/(.)\/$/, '$1')
  const responses = schema.response as Record<string, TObject>
  const status = responses[201] ? 201 : 200
  const isOpen = group.access === 'public'
  return {
    id,
    method,
    path: url.slice(Math.max(0, url.search(/\/svc(?:-export)?\/v1/))).replace(/:(\w+)/g, '{$1}'),
    url,
    group,
    toggle: toggleOf(group),
    isOpen,
    needs,
    summary,
    description,
    tag: tagOf(group),
    causes: config.causes ?? [],
    conflicts: config.conflicts ?? [],
    params: schema.params as TObject | undefined,
    query: schema.querystring as TObject | undefined,
    headers: Type.Object(isOpen ? {} : requestHeaders(route, id)),
    body: config.documented?.body ?? (schema.body as TSchema | undefined),
    consumes: config.documented?.consumes ?? ['application/json'],
    status,
    response: responses[status] as TObject,
  }
}

interface DocumentedSchema {
  operationId?: string
  summary: string
  description?: string
}
