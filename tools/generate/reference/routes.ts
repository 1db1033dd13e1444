// routes.md: every operation with parameters, body, example and response, from the OpenAPI document.
import type { OpenApiDocument, OperationObject } from '../../../plugins/openapi/document.ts'
import { block, code, pageHead, prose, table } from './markdown.ts'
import { type Schema, schemaTable, typeAndLimits, typeOf } from './schema-table.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

interface Media {
  schema: Schema
  example?: unknown
}

export interface Listed {
  method: string
  /** As clients write it: relative to `{baseUrl}/svc/v1`, or with `{baseUrl}`. */
  path: string
  operation: OperationObject
}

/** What an operation says of itself. */
interface Words {
  summary: string
  description?: string
}

const own = '/svc/v1'

export const listed = (document: OpenApiDocument): Listed[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.startsWith(`${own}/`) ? path.slice(own.length) : `{baseUrl}${path}`,
      operation,
    })),
  )

const parametersOf = ({ parameters = [] }: OperationObject) => parameters as unknown as Parameter[]

function parameterTable(operation: OperationObject): string {
  const rows = parametersOf(operation).map((parameter) => [
    code(parameter.name),
    parameter.in,
    `${typeAndLimits(parameter.schema)}${parameter.required ? ', required' : ''}`,
    prose(parameter.description ?? ''),
  ])
  return rows.length === 0 ? '' : `${table(['Parameter', 'In', 'Type', 'Meaning'], rows)}\n`
}

function bodyOf({ requestBody }: OperationObject): string {
  const content = Object.entries(requestBody?.content ?? {}) as unknown as [string, Media][]
  const [first] = content
  if (!first) return ''
  const [, { schema, example }] = first
  const types = content.map(([type]) => code(type)).join(' or ')
  const name = schema.$ref === undefined ? '' : `, ${typeOf(schema)}`
  const must = requestBody?.required === true ? '' : ', optional'
  return `Body: ${types}${name}${must}.${schema.description ? ` ${prose(schema.description)}` : ''}

${schema.$ref === undefined ? lines(schemaTable(schema, 'Required')) : ''}${example === undefined ? '' : `${json(example)}\n`}`
}

const lines = (text: string) => (text === '' ? '' : `${text}\n`)

const json = (value: unknown) => block('json', JSON.stringify(value, null, 2))

function successOf({ responses }: OperationObject): string {
  const status = responses[201] ? '201' : '200'
  const { content } = responses[status] as unknown as { content: Record<string, Media> }
  const media = content['application/json']
  if (!media) return `Response ${status}: ${Object.keys(content).map(code).join(' or ')}.\n`
  const data = media.schema.properties?.data ?? {}
  const example = media.example === undefined ? '' : `\n${json(media.example)}`
  return `Response ${status}: ${code('data')} is ${typeOf(data) === 'object' ? 'an object' : typeOf(data)}.\n${example}`
}

/** Codes of an operation by status. */
function codesOf(
  document: OpenApiDocument,
  { responses }: OperationObject,
): { status: string; name: string }[] {
  const components = document.components.responses as unknown as Record<string, { description: string }>
  return Object.entries(responses).flatMap(([status, response]) => {
    const { $ref } = response as unknown as { $ref?: string }
    const description =
      $ref === undefined ? '' : (components[$ref.split('/').at(-1) ?? '']?.description ?? '')
    return [...description.matchAll(/^`(\w+)`/gm)].map(([, name = '']) => ({ status, name }))
  })
}

const inLine = (codes: readonly { status: string; name: string }[]) =>
  Object.entries(Object.groupBy(codes, ({ status }) => status))
    .map(
      ([status, group = []]) =>
        `${status} ${group.map(({ name }) => `[${name}](errors.md#${name})`).join(', ')}`,
    )
    .join('; ')

/** Errors that most operations share need not be repeated with each. */
function commonCodes(document: OpenApiDocument): { status: string; name: string }[] {
  const operations = listed(document)
  const all = operations.flatMap(({ operation }) => codesOf(document, operation))
  const found = Map.groupBy(all, ({ status, name }) => `${status} ${name}`)
  return [...found.values()]
    .filter((group) => group.length > operations.length / 2)
    .flatMap(([first]) => first ?? [])
    .sort((a, b) => a.status.localeCompare(b.status))
}

function errorsOf(document: OpenApiDocument, operation: OperationObject): string {
  const common = new Set(commonCodes(document).map(({ status, name }) => `${status} ${name}`))
  const own = codesOf(document, operation).filter(({ status, name }) => !common.has(`${status} ${name}`))
  return own.length === 0 ? '' : `Errors of its own: ${inLine(own)}.\n`
}

function section(document: OpenApiDocument, { method, path, operation }: Listed): string {
  const { operationId, summary, description } = operation as OperationObject & Words
  const scope: unknown = Reflect.get(operation, 'x-required-scope')
  const told = description === undefined || description === `${summary}.` ? '' : ` ${prose(description)}`
  const needs = typeof scope === 'string' ? `, scope ${code(scope)}` : ''
  return `### ${method} ${path}

${code(operationId)}${needs}. ${prose(summary)}.${told}

${parameterTable(operation)}${bodyOf(operation)}${successOf(operation)}
${errorsOf(document, operation)}`
}

const conventions = `Paths are relative to \`{baseUrl}/svc/v1\` unless they begin with \`{baseUrl}\`. Every request carries
\`Authorization: Bearer <token>\`, apart from the webhook for print-ready files. Every GET route also responds to HEAD. A
success is \`{"success": true, "data": …, "meta": …}\`, an [error](errors.md) \`{"success": false, "code": …, "message": …}\`.
[errors.md](errors.md) names the operations of each code; these most operations share, and they are not repeated below: COMMON.`

export function routesPage(document: OpenApiDocument): string {
  const all = listed(document)
  const tags = document.tags as { name: string; description: string }[]
  const overview = all.map(({ method, path, operation }) => [
    method,
    code(path),
    `[${operation.operationId}](#${operation.tags[0]})`,
  ])
  const groups = tags.map(({ name, description }) => {
    const operations = all.filter(({ operation }) => operation.tags[0] === name)
    return `## ${name}\n\n${prose(description)}\n\n${operations.map((each) => section(document, each)).join('\n')}`
  })
  const resources = Object.entries(document.components.schemas as unknown as Record<string, Schema>).map(
    ([name, schema]) =>
      `### ${name}\n\n${lines(prose(schema.description ?? ''))}${schemaTable(schema, 'Always') || `${typeOf(schema)}\n`}`,
  )
  return `${pageHead('Routes', 'the schemas of the routes', conventions.replace('COMMON', inLine(commonCodes(document))))}
${table(['Method', 'Path', 'Operation'], overview)}
${groups.join('\n')}
## Schemas

\`Always\` tells which properties a body must have and a response has, unless \`fields\` or \`Prefer: return=minimal\` selects some.

${resources.join('\n')}`
}
