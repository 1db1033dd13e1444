// Writes the client's types and routes, made from openapi.json. They are no part of the repository; each build makes them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { OpenApiDocument, OperationObject } from '../../plugins/openapi/document.ts'
import { designParts } from '../../src/mcp/design-parts.ts'
import { designTypes } from './design-types.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  description?: string
  format?: string
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

const head = '// Generated from openapi.json by the build; do not edit.\n'

export function clientFiles(document: OpenApiDocument): Record<string, string> {
  const resources = Object.entries(document.components.schemas)
    .filter(([name]) => !Object.hasOwn(designParts, name))
    .map(([name, schema]) => `export type ${name} = ${typeOf(schema as Schema)}\n`)
    .join('\n')
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const types = operations
    .map(
      ({ operation }) => `${comment(operation)}  ${operation.operationId}: {\n${signature(operation)}  }\n`,
    )
    .join('')
  const routes = operations
    .map(
      ({ path, method, operation }) => `  ${operation.operationId}: ${routeOf(path, method, operation)},\n`,
    )
    .join('')
  const methods = operations
    .map(({ operation }) => `${comment(operation)}  ${methodOf(operation)}\n`)
    .join('')
  return {
    'src/client/resources.ts': `${head}\n${resources}\n${designTypes}`,
    'src/client/methods.ts': `${head}import type { Args, Data, Result } from './request.ts'

/** One method for each operation: \`list_products\` is \`listProducts\`. */
export interface Methods {
${methods}}
`,
    'src/client/operations.ts': `${head}import type * as R from './resources.ts'

/** Parameters and data of each operation. */
export interface Operations {
${types}}

/** A form as body, or a picture as response. */
type Kind = '' | 'form' | 'picture'
type Route = readonly [method: string, path: string, query: string, kind: Kind]

/** Method, path, names of the query parameters and kind of each operation. */
export const routes: Readonly<Record<keyof Operations, Route>> = {
${routes}}
`,
  }
}

/** A method, not a mapped type: editors show no description of a renamed property. */
function methodOf(operation: OperationObject): string {
  const id = operation.operationId
  const isOptional = membersOf(operation).every(({ isRequired }) => !isRequired)
  const name = id.replace(/_(\w)/g, (_match, first: string) => first.toUpperCase())
  return `${name}(args${isOptional ? '?' : ''}: Args<'${id}'>): Promise<Result<Data<'${id}'>>>`
}

const parametersOf = (operation: OperationObject) => (operation.parameters ?? []) as unknown as Parameter[]

function routeOf(path: string, method: string, operation: OperationObject): string {
  const query = parametersOf(operation).filter((parameter) => parameter.in === 'query')
  const isForm = Object.hasOwn(operation.requestBody?.content ?? {}, 'multipart/form-data')
  const kind = isForm ? 'form' : jsonOf(operation) ? '' : 'picture'
  return JSON.stringify([method, path, query.map(({ name }) => name).join(' '), kind])
}

function comment({ summary, description }: OperationObject): string {
  const text = description === `${summary}.` ? `${summary}.` : `${summary}. ${description}`
  return `  /** ${text.replaceAll('*/', '* /')} */\n`
}

/** Path, query and body of an operation. */
function membersOf(operation: OperationObject) {
  const members = parametersOf(operation)
    .filter((parameter) => parameter.in !== 'header')
    .map(({ name, required, schema, description }) => ({
      name: name.replace('[]', ''),
      isRequired: required === true,
      type: typeOf(schema, 'R.'),
      description,
    }))
  const { requestBody } = operation
  const body = Object.entries(requestBody?.content ?? {})[0] as [string, { schema: Schema }] | undefined
  if (!body) return members
  const [media, { schema }] = body
  const isRequired = requestBody?.required === true
  const description = schema.description ?? `Body of the request, sent as ${media}.`
  return [...members, { name: 'body', isRequired, type: typeOf(schema, 'R.'), description }]
}

function signature(operation: OperationObject): string {
  const args = membersOf(operation).map(
    ({ name, isRequired, type, description }) =>
      `${doc(description, '      ')}      ${name}${isRequired ? '' : '?'}: ${type}\n`,
  )
  return `    /** Path parameters, query and body. */\n    args: {${args.length > 0 ? `\n${args.join('')}    ` : ''}}\n    data: ${dataOf(operation)}\n`
}

/** Previews are pictures. */
function dataOf(operation: OperationObject): string {
  const schema = jsonOf(operation)?.schema
  return schema ? typeOf(schema.properties.data, 'R.') : 'Blob'
}

function jsonOf({ responses }: OperationObject) {
  const { content } = (responses[200] ?? responses[201]) as {
    content: { 'application/json'?: { schema: { properties: { data: Schema } } } }
  }
  return content['application/json']
}

const doc = (description: string | undefined, indent: string) =>
  description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '* /')} */\n`

/** The TypeScript type of a schema. @param scope where the named schemas are found */
function typeOf(schema: Schema, scope = ''): string {
  if (schema.$ref !== undefined) return scope + schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, scope)).join(' | ')
  if (schema.format === 'binary') return 'Blob'
  const types = [schema.type ?? []].flat()
  return types.length === 0 ? 'unknown' : types.map((type) => simpleType(type, schema, scope)).join(' | ')
}

function simpleType(type: string, schema: Schema, scope: string): string {
  if (type === 'integer') return 'number'
  if (type === 'array') {
    const item = typeOf(schema.items ?? {}, scope)
    return /[| ]/.test(item) ? `Array<${item}>` : `${item}[]`
  }
  return type === 'object' ? objectType(schema, scope) : type
}

function objectType({ properties, required = [], additionalProperties }: Schema, scope: string): string {
  const members = Object.entries(properties ?? {}).map(
    ([name, schema]) =>
      `${doc(schema.description, '  ')}  ${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, scope)}\n`,
  )
  if (members.length === 0) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, scope) : 'unknown'
    return `Record<string, ${value}>`
  }
  if (additionalProperties === true) members.push('  [property: string]: unknown\n')
  return `{\n${members.join('')}}`
}

/** Makes the files from openapi.json. Unchanged ones keep their age, so that the next start need not compile. */
export function writeClient(root: string): void {
  const document: OpenApiDocument = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
  for (const [file, content] of Object.entries(clientFiles(document))) {
    const path = join(root, file)
    if (!existsSync(path) || readFileSync(path, 'utf8') !== content) writeFileSync(path, content)
  }
}

if (process.argv[1] === import.meta.filename) writeClient(resolve(import.meta.dirname, '../..'))
