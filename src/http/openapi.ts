// What @fastify/swagger, where a host has it, writes about our routes: ids, headers, bodies and the token's scheme.
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { RouteOptions } from 'fastify'

/** A body that its route reads in a way of its own: the document shows it, and Fastify does not check by it. */
export interface Documented {
  body: TObject
  consumes: string[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    documented?: Documented
  }
}

const scheme = 'svcToken'
const bearer = { type: 'http', scheme: 'bearer', description: 'The API token of the installation.' }
/** The same in the words of Swagger 2.0. */
const apiKey = { type: 'apiKey', in: 'header', name: 'authorization', description: '`Bearer` and the token.' }

const header = (description: string) => Type.Optional(Type.String({ description }))
const headers = {
  known: {
    'if-none-match': header('An `ETag`; while it is still that of the resource, the response is 304.'),
  },
  precondition: {
    'if-match': header('An `ETag`; where the resource has another one by now, the response is 412.'),
  },
  once: {
    'idempotency-key': header(
      'A name of this request, at most 255 characters: sent again, it gets the first response and does nothing.',
    ),
  },
  brief: { prefer: header('`return=minimal`: the response holds the id alone.') },
  patience: {
    prefer: header(
      '`wait=N`: seconds to wait for the file, 0 to 180. `respond-async`: none. `return=minimal`.',
    ),
  },
}

/** Reads that send no `ETag`, although they read one thing; and a list that sends one. */
const untagged = new Set(['get_settings', 'get_system_info', 'get_color_library_usages'])
const taggedList = 'list_text_templates'
/** Files have no state but their presence. */
const unconditional = new Set(['delete_asset', 'delete_font'])

/** Headers that an operation takes, apart from the token. */
export function requestHeaders(method: string, operation: string): Record<string, TSchema> {
  const isTagged = operation === taggedList || (operation.startsWith('get_') && !untagged.has(operation))
  switch (method) {
    case 'GET':
      return isTagged ? headers.known : {}
    case 'DELETE':
      return unconditional.has(operation) ? {} : headers.precondition
    case 'POST':
      return {
        ...headers.once,
        ...(operation === 'export_order' ? headers.patience : headers.brief),
        ...(operation === 'set_print_profile_master' ? headers.precondition : {}),
      }
    default:
      return { ...headers.precondition, ...headers.brief }
  }
}

/** What the document's maker hands to a route's `swaggerTransform`. */
interface Transform {
  openapiObject?: { components: { securitySchemes?: object } }
  swaggerObject?: { securityDefinitions?: object }
}

/**
 * The route's `config` with what a document shows of it.
 * @param instance how many registrations of this API the host made before; their operations have these names already
 * @param isOpen whether the route needs no token
 */
export function documentedConfig(route: RouteOptions, instance: number, isOpen: boolean): object {
  const { schema = {}, config = {} } = route
  // Taken now: where a path may end with a slash or not, Fastify changes it to the other form.
  const { url } = route
  const operation = String(Reflect.get(schema, 'operationId'))
  const shown = {
    ...schema,
    ...config.documented,
    operationId: instance === 0 ? operation : `${operation}_${instance + 1}`,
    security: isOpen ? [] : [{ [scheme]: [] }],
    headers: isOpen ? undefined : Type.Object(requestHeaders(String(route.method), operation)),
  }
  return Object.assign({}, config, {
    swaggerTransform({ openapiObject, swaggerObject }: Transform) {
      // The host's own object is left as it was.
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
