// What @fastify/swagger documents about our routes, if the host uses it: ids, headers, bodies, the security scheme.
import type { TObject, TSchema } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import type { RouteOptions } from 'fastify'

/** A body that the route parses itself: it is documented, and Fastify does not validate it. */
export interface Documented {
  body: TObject
  consumes: string[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    documented?: Documented
    /** Headers that the route takes apart from the token, where they are not those of its method. */
    takes?: readonly RequestHeader[]
  }
}

const scheme = 'svcToken'
export const bearer = {
  type: 'http',
  scheme: 'bearer',
  description: 'The API token of the installation, or a named token.',
}
/** The same for Swagger 2.0. */
const apiKey = { type: 'apiKey', in: 'header', name: 'authorization', description: '`Bearer` and the token.' }

const header = (description: string) => Type.Optional(Type.String({ description }))
const headers = {
  'if-none-match': header('An `ETag`. If it still matches the resource, the response is 304.'),
  'if-match': header('An `ETag`. If it no longer matches the resource, the response is 412.'),
  'idempotency-key': header(
    'Identifies this request, at most 255 characters. A repeated request gets the first response and does nothing.',
  ),
  prefer: header('`return=minimal`: the response contains only the id.'),
  /** `prefer` of a route that waits. */
  wait: header('`wait=N`: seconds to wait for the file, 0 to 180. `respond-async`: none. `return=minimal`.'),
}

/** A header by its name; `wait` is a `prefer` that waits. */
type RequestHeader = keyof typeof headers

const byMethod: Readonly<Record<string, readonly RequestHeader[]>> = {
  DELETE: ['if-match'],
  POST: ['idempotency-key', 'prefer'],
  PUT: ['if-match', 'prefer'],
  PATCH: ['if-match', 'prefer'],
}

/** Headers that an operation takes, apart from the token. */
export function requestHeaders({ method, config }: RouteOptions, operation: string): Record<string, TSchema> {
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
 * The route's `config`, with its documentation.
 * @param instance number of earlier registrations of this API in the same host, whose operations have these names
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
  const operation = String(Reflect.get(schema, 'operationId'))
  const shown = {
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
      return { schema: shown, url }
    },
  })
}
