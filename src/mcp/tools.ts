// The API's operations as MCP tools, made from its OpenAPI document.
import { outline } from './compact.ts'
import { type ApiDocument, type DocumentedOperation, type Json, resolved, type Schema } from './document.ts'
import { inputOf, pathOf } from './input.ts'

/** Which tools a server offers: those that only read, those that also write, or all, which also delete. */
export type Mode = 'read' | 'write' | 'full'
export const modes = ['read', 'write', 'full'] as const

export interface Tool {
  name: string
  description: string
  inputSchema: Schema & { type: 'object' }
  /** Absent for pictures. */
  outputSchema?: Schema & { type: 'object' }
  /** Hints that differ from the defaults of the protocol. */
  annotations: {
    readOnlyHint?: boolean
    destructiveHint?: boolean
    idempotentHint?: boolean
    openWorldHint?: boolean
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
  /** The tool that lists what the first id of its path names, if there is one. */
  list: string | undefined
  /** A sentence for a result that was cut: how an agent gets the rest. */
  rest: string
  /** Further names of parameters: `product_id` for the `id` of a product. */
  aliases: ReadonlyMap<string, string>
  /** The names of its path parameters, query parameters and properties of the body. */
  request(args: Json): ToolRequest
}

/** Operations that only the mode `full` offers, in addition to every DELETE. */
const destructive = new Set(['clear_category'])
/** Operations that call another server. */
const outbound = new Set(['export_order', 'retry_print_job', 'announce_print_file'])
/** The same as `announce_print_file` by other methods of HTTP. */
const repeated = new Set(['put_print_file', 'patch_print_file'])
/** POSTs that change what is there instead of adding to it. */
const changingPosts = new Set(['clear_category', 'set_print_profile_master', 'announce_print_file'])

/** @param takesPath whether uploads take the path of a file instead of its content */
export function toolsOf(document: ApiDocument, mode: Mode, takesPath: boolean): ApiTool[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { operationId, responses }]) => !repeated.has(operationId) && contentOf(responses))
      .map(([method, operation]) => toolOf(document, path, method.toUpperCase(), operation, takesPath))
      .filter(({ tool: { annotations, name } }) => isOffered(mode, name, annotations)),
  )
}

/** The content type that becomes the result of a tool: JSON, or the picture of a preview. */
function contentOf(responses: DocumentedOperation['responses']) {
  const content = (responses[200] ?? responses[201])?.content ?? {}
  return (
    content['application/json'] ?? Object.entries(content).find(([type]) => type.startsWith('image/'))?.[1]
  )
}

function isOffered(mode: Mode, name: string, { readOnlyHint }: Tool['annotations']): boolean {
  if (mode === 'full') return true
  if (mode === 'read') return readOnlyHint === true
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
  const pathOwner = ownerOf(path)
  const { properties } = input.schema
  const key = pathOwner && properties[pathOwner.parameter]
  if (pathOwner && key)
    properties[pathOwner.parameter] = { ...key, description: idDescription(pathOwner, key) }
  const tool: Tool = {
    name,
    description: description === `${summary}.` ? description : `${summary}. ${description}`,
    inputSchema: input.schema,
    ...outputOf(document, operation, method === 'GET'),
    annotations: annotationsOf(method, name),
  }
  const request = (args: Json): ToolRequest => ({
    method,
    path: pathOf(path, parameters, args),
    body: input.bodyOf(args),
    isForm: form !== undefined,
  })
  const ofBody = properties.body ? bodyAliases(name) : []
  const aliases = new Map([...aliasesOf(pathOwner), ...ofBody].filter(([alias]) => !properties[alias]))
  return { tool, list: listOf(document, path), rest: restOf(tool), aliases, request }
}

interface Owner {
  /** The first parameter of the path. */
  parameter: string
  /** What it identifies: `design_category`. */
  name: string
}

function ownerOf(path: string): Owner | undefined {
  const [, collection = '', parameter] = /\/([\w-]+)\/\{(\w+)\}/.exec(path) ?? []
  if (parameter === undefined) return undefined
  const name = collection.replaceAll('-', '_').replace(/ies$/, 'y').replace(/s$/, '')
  return { parameter, name }
}

const idDescription = ({ name }: Owner, { description }: Schema): string =>
  description ?? `Of the ${name.replaceAll('_', ' ')}`

/** `design_category_id` and `category_id`. */
function aliasesOf(pathOwner: Owner | undefined): [alias: string, name: string][] {
  if (!pathOwner) return []
  const { parameter, name } = pathOwner
  const owners = new Set([name, name.slice(name.lastIndexOf('_') + 1)])
  const ends = new Set([parameter, 'id'])
  return [...owners].flatMap((owner) =>
    [...ends].map((end): [string, string] => [`${owner}_${end}`, parameter]),
  )
}

/** What a body without properties of its own is also called: `color_library` and `library` of `save_color_library`. */
const bodyAliases = (operation: string): [alias: string, name: string][] =>
  operation
    .split('_')
    .slice(1)
    .map((_, index, parts) => [parts.slice(index).join('_'), 'body'])

function restOf({ annotations, inputSchema: { properties = {} } }: Tool): string {
  if (!annotations.readOnlyHint) return 'It has been done: do not call again, but read it with fields.'
  const alternatives = [
    properties.limit && `a smaller limit and the next ${properties.offset ? 'offset' : 'page'}`,
    properties.include && 'include to select ids',
    properties.fields && 'fields to select properties',
  ].filter(Boolean)
  return `Call again with ${alternatives.join(', ').replace(/, (?=[^,]*$)/, ' or ')}.`
}

/** The GET without an id at its end whose collection the first id of the path belongs to. */
function listOf({ paths }: ApiDocument, path: string): string | undefined {
  const collections = path.slice(0, path.indexOf('{')).split('/').filter(Boolean).reverse()
  for (const collection of collections) {
    const found = Object.entries(paths).find(
      ([other]) => nameOf(other.split('/').at(-1)) === nameOf(collection),
    )
    if (found?.[1].get) return found[1].get.operationId
  }
  return undefined
}

/** One spelling of `print-jobs` and `print_job`. */
const nameOf = (segment = '') => segment.replaceAll('_', '-').replace(/s$/, '')

/** Defaults of the protocol are left out: a tool that writes is destructive and not idempotent. */
function annotationsOf(method: string, name: string): Tool['annotations'] {
  const openWorld = outbound.has(name) ? {} : { openWorldHint: false }
  if (method === 'GET') return { readOnlyHint: true, ...openWorld }
  const isChange = method !== 'POST' || changingPosts.has(name)
  // A repeated change has no further effect.
  return { ...(isChange ? { idempotentHint: true } : { destructiveHint: false }), ...openWorld }
}

/** The schema of `data` in the success body, one level deep; `meta` may have anything. */
function outputOf(
  document: ApiDocument,
  { responses }: DocumentedOperation,
  isRead: boolean,
): Pick<Tool, 'outputSchema'> {
  const { type, properties: { data = {} } = {} } = contentOf(responses)?.schema ?? {}
  if (type !== 'object') return {}
  return { outputSchema: { type, properties: { data: outline(document, data, isRead) } } }
}
