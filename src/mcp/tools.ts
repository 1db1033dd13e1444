// The API's operations as MCP tools, made from its OpenAPI document.

/** Which tools a server offers: those that only read, those that also write, or all, which also delete. */
export type Mode = 'read' | 'write' | 'full'
export const modes = ['read', 'write', 'full'] as const

type Json = Record<string, unknown>

interface Schema extends Json {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: unknown
  description?: string
  items?: Schema
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

interface DocumentedOperation {
  operationId: string
  summary: string
  description: string
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: { 'application/json': { schema: Schema } } }>
}

/** What is read of an OpenAPI document. */
export interface ApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema> }
}

export interface Tool {
  name: string
  description: string
  inputSchema: Schema & { type: 'object' }
  outputSchema: Schema & { type: 'object' }
  /** Destructive and idempotent mean nothing for what only reads, and are absent there. */
  annotations: {
    readOnlyHint: boolean
    destructiveHint?: boolean
    idempotentHint?: boolean
    openWorldHint: boolean
  }
}

/** The request that a call of a tool stands for. */
export interface ToolRequest {
  method: string
  /** Below the REST root, with its query. */
  path: string
  body: unknown
  /** Form fields instead of a body; `file` is the file. */
  isForm: boolean
}

export interface ApiTool {
  tool: Tool
  /** The names of its path parameters, query parameters and properties of the body. */
  request(args: Json): ToolRequest
}

/** Operations that only the mode `full` offers, in addition to every DELETE. */
const destructive = new Set(['clear_category'])
/** Operations that call another server. */
const outbound = new Set(['export_order', 'announce_print_file', 'put_print_file', 'patch_print_file'])
/** POSTs that may be repeated. */
const idempotentPosts = new Set(['clear_category', 'set_print_profile_master'])

/** @param takesPath whether uploads take the path of a file instead of its content */
export function toolsOf(document: ApiDocument, mode: Mode, takesPath: boolean): ApiTool[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => returnsJson(operation))
      .map(([method, operation]) => toolOf(document, path, method.toUpperCase(), operation, takesPath))
      .filter(({ tool: { annotations, name } }) => isOffered(mode, name, annotations)),
  )
}

/** Tools return JSON; previews are pictures. */
function returnsJson({ responses }: DocumentedOperation): boolean {
  return Object.hasOwn((responses[200] ?? responses[201])?.content ?? {}, 'application/json')
}

function isOffered(mode: Mode, name: string, { readOnlyHint }: Tool['annotations']): boolean {
  if (mode === 'full') return true
  if (mode === 'read') return readOnlyHint
  return !name.startsWith('delete_') && !destructive.has(name)
}

function toolOf(
  document: ApiDocument,
  path: string,
  method: string,
  operation: DocumentedOperation,
  takesPath: boolean,
): ApiTool {
  const { operationId: name, summary, description } = operation
  const parameters = (operation.parameters ?? []).filter(
    (parameter) => parameter.in !== 'header' && parameter.name !== '_fields',
  )
  const { 'multipart/form-data': form, 'application/json': json } = operation.requestBody?.content ?? {}
  const body = resolved(document, (form ?? json)?.schema)
  const input = inputOf(document, parameters, body, form !== undefined, takesPath)
  const tool: Tool = {
    name,
    description: description === `${summary}.` ? description : `${summary}. ${description}`,
    inputSchema: input.schema,
    outputSchema: outputOf(document, operation),
    annotations: annotationsOf(method, name),
  }
  const request = (args: Json): ToolRequest => ({
    method,
    path: pathOf(path, parameters, args),
    body: input.bodyOf(args),
    isForm: form !== undefined,
  })
  return { tool, request }
}

function annotationsOf(method: string, name: string): Tool['annotations'] {
  if (method === 'GET') return { readOnlyHint: true, openWorldHint: false }
  return {
    readOnlyHint: false,
    destructiveHint: method !== 'POST' || destructive.has(name),
    idempotentHint: method !== 'POST' || idempotentPosts.has(name),
    openWorldHint: outbound.has(name),
  }
}

/** Parameters that the server's instructions explain once for all tools. */
const explained = new Set(['fields', 'include', 'search', 'page', 'offset'])

/** All parameters side by side; the body as a property `body` where it has no properties of its own. */
function inputOf(
  document: ApiDocument,
  parameters: Parameter[],
  body: Schema | undefined,
  isForm: boolean,
  takesPath: boolean,
) {
  const properties: Record<string, Schema> = {}
  const required: string[] = []
  for (const parameter of parameters) {
    const name = parameter.name.replace('[]', '')
    const description = explained.has(name) ? undefined : parameter.description
    properties[name] = compact(document, { ...parameter.schema, ...describe(description) })
    if (parameter.required) required.push(name)
  }
  const fields = Object.entries(body?.properties ?? {}).filter(
    ([name, field]) => !field.readOnly && !properties[name] && !(isForm && name === 'file'),
  )
  const isWhole = body !== undefined && fields.length === 0 && body.type !== undefined
  if (isForm) {
    Object.assign(
      properties,
      Object.fromEntries(fields.map(([name, field]) => [name, compact(document, field)])),
    )
    Object.assign(properties, fileProperties(takesPath))
    required.push(...(takesPath ? ['path'] : ['file', 'filename']))
  } else if (isWhole) {
    properties.body = compact(document, body)
    required.push('body')
  } else {
    for (const [name, field] of fields) properties[name] = compact(document, field)
    required.push(...(body?.required ?? []).filter((name) => properties[name]))
  }
  const schema: Tool['inputSchema'] = {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
  }
  const names = fields.map(([name]) => name)
  const bodyOf = (args: Json): unknown => {
    if (body === undefined) return undefined
    if (isWhole && !isForm) return args.body
    const kept = isForm ? [...names, 'file', 'filename', 'path'] : names
    return Object.fromEntries(
      kept.filter((name) => args[name] !== undefined).map((name) => [name, args[name]]),
    )
  }
  return { schema, bodyOf }
}

function fileProperties(takesPath: boolean): Record<string, Schema> {
  if (takesPath) return { path: { type: 'string', description: 'Path of the file.' } }
  return {
    file: { type: 'string', description: 'The file, base64-encoded.' },
    filename: { type: 'string', description: 'Its name with extension.' },
  }
}

const describe = (description: string | undefined) => (description === undefined ? {} : { description })

function pathOf(path: string, parameters: Parameter[], args: Json): string {
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => pathPart(name, args[name]))
  const query = new URLSearchParams()
  for (const { name, in: place } of parameters) {
    const value = args[name.replace('[]', '')]
    if (place !== 'query' || value === undefined || value === null) continue
    if (name.endsWith('[]')) for (const item of [value].flat()) query.append(name, String(item))
    else query.set(name, String(value))
  }
  return query.size > 0 ? `${filled}?${query}` : filled
}

/** @throws Error for a value with which the path would be that of another operation */
function pathPart(name: string, value: unknown): string {
  const text = String(value ?? '')
  if (/^\.{0,2}$/.test(text))
    throw new Error(`The parameter ${name} must not be ${JSON.stringify(value ?? null)}.`)
  return encodeURIComponent(text)
}

function resolved(document: ApiDocument, schema: Schema | undefined): Schema | undefined {
  if (schema?.$ref === undefined) return schema
  return document.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]
}

/** Keywords that cost tokens and tell an agent nothing. */
const dull = new Set(['maximum', 'maxLength', 'maxItems', 'pattern', 'default', 'readOnly', 'minLength'])

/** The schema for an agent: without references and limits, with the first sentence of each description. */
function compact(document: ApiDocument, schema: Schema, isOutput = false): Schema {
  const { description, ...rest } = resolved(document, schema) ?? {}
  const shown: Schema = {}
  for (const [key, value] of Object.entries(rest)) {
    if (dull.has(key) || (key === 'items' && Object.keys(Object(value)).length === 0)) continue
    // What is absent or was cut must not make a result invalid.
    if (key === 'required' && isOutput) continue
    if (key === 'minimum' && value === 1) continue
    shown[key] = nested(document, key, value, isOutput)
  }
  if (description !== undefined && description !== 'Id of the row.' && !isOutput)
    shown.description = firstSentence(description)
  return shown
}

function nested(document: ApiDocument, key: string, value: unknown, isOutput: boolean): unknown {
  if (key === 'items') return compact(document, value as Schema, isOutput)
  if (key === 'anyOf') return (value as Schema[]).map((each) => compact(document, each, isOutput))
  if (key !== 'properties') return value
  const properties = Object.entries(value as Record<string, Schema>)
  return Object.fromEntries(properties.map(([name, each]) => [name, compact(document, each, isOutput)]))
}

const firstSentence = (text: string) => text.replace(/\.\s[\s\S]*$/, '').replace(/\.$/, '')

/** `data` and `meta` of the success body. */
function outputOf(document: ApiDocument, { responses }: DocumentedOperation): Tool['outputSchema'] {
  const success = (responses[200] ?? responses[201])?.content?.['application/json'].schema
  const { data = {}, meta = {} } = success?.properties ?? {}
  return {
    type: 'object',
    properties: {
      data: compact(document, data, true),
      meta: { ...compact(document, meta, true), additionalProperties: true },
    },
    required: ['data'],
  }
}
