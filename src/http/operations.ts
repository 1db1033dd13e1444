// Records the operations of a registration while its routes are added: documents, tools and clients are generated from them. Also
// documents the routes for @fastify/swagger, if the host uses it.
import type { TObject, TSchema } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import type { RouteOptions } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import type { ErrorCode } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { type Declaration, type Toggle, tagOf } from '../core/groups.ts'
import type { NeededScope } from '../core/scopes.ts'
import { toggleOf } from '../settings/toggles.ts'

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
  /** The scope that its sender must have; undefined if any valid token suffices, or none is needed. */
  needs: NeededScope | undefined
  /** One short sentence without a full stop. */
  summary: string
  description: string | undefined
  tag: string
  /** Error codes in addition to those that follow from its method, its schemas and its group. */
  causes: readonly ErrorCode[]
  /** Codes that respond with 409 as well as with the status of the code. */
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
    /** The operation of the route; absent on routes that documents do not name. Set by `recordOperation`. */
    operation?: Operation
    /** See `Operation.causes`. */
    causes?: readonly ErrorCode[]
    /** See `Operation.conflicts`. */
    conflicts?: readonly ErrorCode[]
    documented?: Documented
    /** Headers that the route takes beside the token, if they are not the usual ones of its method. */
    takes?: readonly RequestHeader[]
  }
}

/** Records a route of a group as an operation. Does nothing for a route without an `operationId`. */
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

/** The operation that a route declares; undefined without an `operationId`. */
function operationOf(
  route: RouteOptions,
  group: Declaration,
  needs: NeededScope | undefined,
): Operation | undefined {
  const { schema = {}, config = {} } = route
  // Fastify's types leave open what schemas contain. All routes of groups declare TypeBox schemas, so the casts hold.
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

/** A body that the route parses itself: it is documented, and Fastify does not validate it. */
export interface Documented {
  body: TObject
  consumes: string[]
}

/** Name of the security scheme in documents. */
const scheme = 'svcToken'
/** The security scheme in OpenAPI documents. */
export const bearer = {
  type: 'http',
  scheme: 'bearer',
  description: 'The API token of the installation, or a named token.',
}
/** The same in documents of Swagger 2.0. */
const apiKey = { type: 'apiKey', in: 'header', name: 'authorization', description: '`Bearer` and the token.' }

const header = (description: string) => Type.Optional(Type.String({ description }))
const headers = {
  'if-none-match': header('An `ETag`. If it still matches the resource, the response is 304.'),
  'if-match': header('An `ETag`. If it no longer matches the resource, the response is 412.'),
  'idempotency-key': header(
    'Identifies this request, at most 255 characters. A repeated request does nothing, and gets the created resource as it is now, or 404 if it was deleted.',
  ),
  prefer: header('`return=minimal`: the response contains only the id.'),
  /** The header `prefer` of a route that waits for a print file. */
  wait: header('`wait=N`: seconds to wait for the file, 0 to 180. `respond-async`: none. `return=minimal`.'),
}

type RequestHeader = keyof typeof headers

/** The usual headers of a method. */
const byMethod: Readonly<Record<string, readonly RequestHeader[]>> = {
  DELETE: ['if-match'],
  POST: ['idempotency-key', 'prefer'],
  PUT: ['if-match', 'prefer'],
  PATCH: ['if-match', 'prefer'],
}

/** Schemas of the headers that an operation takes beside the token, by header. */
function requestHeaders({ method, config }: RouteOptions, operation: string): Record<string, TSchema> {
  // A resource has an `ETag`, a list has none.
  const usual = operation.startsWith('get_') ? (['if-none-match'] as const) : byMethod[String(method)]
  const names = config?.takes ?? usual ?? []
  return Object.fromEntries(names.map((name) => [name === 'wait' ? 'prefer' : name, headers[name]]))
}

/** What @fastify/swagger passes to a route's `swaggerTransform`. */
interface Transform {
  openapiObject?: { components: { securitySchemes?: object } }
  swaggerObject?: { securityDefinitions?: object }
}

/**
 * The `config` of a route, with what @fastify/swagger documents about it.
 * @param instance number of earlier registrations of this API in the same host: their operations have the same ids, so those of this
 *   one get a number
 * @param isOpen whether the route needs no token
 * @param tag of its group
 */
export function documentedConfig(
  route: RouteOptions,
  instance: number,
  { isOpen, tag }: { isOpen: boolean; tag: string },
): object {
  const { schema = {}, config = {} } = route
  // Read now, because Fastify later changes it if a trailing slash is optional.
  const { url } = route
  const operation = String(membersOf(schema).operationId)
  const documentedSchema = {
    ...schema,
    ...config.documented,
    tags: [tag],
    operationId: instance === 0 ? operation : `${operation}_${instance + 1}`,
    security: isOpen ? [] : [{ [scheme]: [] }],
    headers: isOpen ? undefined : Type.Object(requestHeaders(route, operation)),
  }
  return Object.assign({}, config, {
    swaggerTransform({ openapiObject, swaggerObject }: Transform) {
      // Copied, so that the object of the host does not change.
      if (openapiObject)
        openapiObject.components.securitySchemes = {
          ...openapiObject.components.securitySchemes,
          [scheme]: bearer,
        }
      if (swaggerObject)
        swaggerObject.securityDefinitions = { ...swaggerObject.securityDefinitions, [scheme]: apiKey }
      return { schema: documentedSchema, url }
    },
  })
}
