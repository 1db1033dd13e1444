// The OpenAPI 3.1 document of the operations that an installation serves.
import type { TObject, TSchema } from '@sinclair/typebox'
import type { SvcContext } from '../../src/app/context.ts'
import { membersOf } from '../../src/core/foreign.ts'
import type { Principal } from '../../src/core/principal.ts'
import { allows } from '../../src/core/scopes.ts'
import { version } from '../../src/core/version.ts'
import { bearer, type Operation } from '../../src/http/operations.ts'
import { type ErrorResponses, errorResponses, errorSchema } from './error-responses.ts'
import { requestExample, responseExample } from './examples.ts'
import { headersOf, sharedHeaders } from './headers.ts'
import { type Json, nameSchemas, partsIn, plain } from './schemas.ts'

/** An OpenAPI 3.1 document, as far as code reads it. */
export interface OpenApiDocument {
  openapi: '3.1.0'
  paths: Record<string, Record<string, OperationObject>>
  components: { schemas: Record<string, Json>; [section: string]: unknown }
  [section: string]: unknown
}

/** An Operation Object (OpenAPI 3.1 §4.8.10). */
export interface OperationObject {
  operationId: string
  tags: string[]
  responses: Record<string, Json>
  parameters?: Json[]
  requestBody?: { required: boolean; content: Record<string, Json> }
  [keyword: string]: unknown
}

const info = {
  title: 'Product customizer API',
  version,
  summary: 'The REST API of a web-to-print product customizer.',
  description: [
    'Products and their views, design categories, fonts, colors, pricing rules, print profiles, layouts, orders and print jobs.',
    '',
    'Every request carries `Authorization: Bearer <token>`; `x-required-scope` of an operation names the scope that a token',
    'with limited rights needs. A success is `{"success": true, "data": …, "meta": …}`, an error',
    '`{"success": false, "code": "…", "message": "…", "data": {"status": …}}`. A GET with `fields`, and a write with',
    '`Prefer: return=minimal`, return fewer properties than the schema of the response requires.',
  ].join('\n'),
  contact: { name: 'svc-api', url: 'https://github.com/svc-api/svc-api' },
  license: { name: 'MIT', identifier: 'MIT' },
}

/** The document of these operations. @param server URL of the REST root, such as `https://shop.example/wp-json` */
export function documentOf(operations: readonly Operation[], server: string): OpenApiDocument {
  const names = nameSchemas(operations)
  const errors = errorResponses(operations)
  const paths: OpenApiDocument['paths'] = {}
  for (const operation of operations) {
    const item = paths[operation.path] ?? {}
    paths[operation.path] = item
    item[operation.method.toLowerCase()] = operationObject(operation, names, errors)
  }
  const tags = new Map(operations.map(({ tag, group }) => [tag, group.tag]))
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: server, description: 'This installation' }],
    security: [{ svcToken: [] }],
    tags: [...tags].map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { svcToken: bearer },
      headers: sharedHeaders,
      responses: errors.components,
      examples: errors.examples,
      schemas: { ...names.components, ...partsIn([paths, names.components]), Error: errorSchema },
    },
  }
}

/**
 * The operations of groups that are switched on, and that a sender with these scopes may call. Only `all` includes operations that need
 * no scope: the webhook of the print provider, and any that each login may call.
 */
export async function currentOperations(context: SvcContext, scopes: Principal['scopes'] = 'all') {
  const { enabled } = await context.access.read()
  return context.operations.filter(
    ({ toggle, needs }) => (!toggle || enabled[toggle]) && allows(scopes, needs ?? 'all'),
  )
}

/** The document of all operations that an installation serves at the moment. */
export const currentDocument = async (context: SvcContext): Promise<OpenApiDocument> =>
  documentOf(await currentOperations(context), context.site.restBase)

type Names = ReturnType<typeof nameSchemas>

function operationObject(operation: Operation, names: Names, errors: ErrorResponses): OperationObject {
  const { id, tag, summary, description, params, query, headers, body, consumes, isOpen, needs } = operation
  const parameters = [
    ...parametersOf('path', params),
    ...parametersOf('query', query),
    ...parametersOf('header', headers),
  ]
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: description ?? `${summary}.`,
    ...(isOpen && { security: [] }),
    ...(needs && { 'x-required-scope': needs }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body && {
      requestBody: {
        required: isRequired(body),
        content: Object.fromEntries(
          consumes.map((type) => [type, { schema: names.refer(body), ...requestExample(id, type) }]),
        ),
      },
    }),
    responses: responsesOf(operation, names, errors),
  }
}

const isRequired = (body: TSchema) => ((body.required as string[] | undefined) ?? []).length > 0

/** Parameter Objects for the properties of a schema. */
function parametersOf(location: 'path' | 'query' | 'header', schema: TObject | undefined): Json[] {
  return Object.entries<TSchema>(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...parameterSchema } = plain(property)
    const isList = parameterSchema.type === 'array'
    return {
      name: location === 'header' ? headerName(name) : name,
      in: location,
      ...(description === undefined ? {} : { description }),
      ...(location === 'path' || schema?.required?.includes(name) ? { required: true } : {}),
      // `keys[]=a&keys[]=b`, and `include=1,2`.
      ...(isList ? { style: 'form', explode: name.endsWith('[]') } : {}),
      schema: parameterSchema,
    }
  })
}

/** `If-Match` for `if-match`. */
const headerName = (name: string) => name.replace(/\b\w/g, (first) => first.toUpperCase())

/** Response Objects by status. */
function responsesOf(operation: Operation, names: Names, errors: ErrorResponses): Record<string, Json> {
  const { status, response } = operation
  // The response of a preview is no object: it declares its media type in `content`.
  const { properties = {} } = response as Partial<TObject>
  const content: unknown = membersOf(response).content
  const picture = { schema: { type: 'string', format: 'binary' } }
  const types = Object.keys(membersOf(content)).map((type) => [type, picture])
  const data = properties.data ? names.refer(properties.data) : {}
  const success = {
    type: 'object',
    required: ['success', 'data'],
    properties: {
      success: { const: true },
      data,
      ...(properties.meta ? { meta: names.refer(properties.meta) } : {}),
    },
  }
  const responses: Record<string, Json> = {
    [status]: {
      description: status === 201 ? 'Created.' : 'Success.',
      headers: headersOf(operation),
      content: content
        ? Object.fromEntries(types)
        : {
            'application/json': { schema: success, ...responseExample(operation.id, data, names.components) },
          },
    },
  }
  if (operation.headers.properties['if-none-match'])
    responses[304] = {
      description: 'Not modified: the resource still has the ETag of `If-None-Match`.',
      headers: headersOf(operation, 304),
    }
  return Object.assign(responses, errors.refer(operation))
}
