// Makes a tool for each operation of an OpenAPI document.
import { outline } from './compact.ts'
import { type ApiDocument, type DocumentedOperation, type Json, resolved, type Schema } from './document.ts'
import { inputOf, pathOf } from './input.ts'

/** Which tools a server offers: those that only read, those that also write, or all, which also delete. */
export type Mode = (typeof modes)[number]
/** All modes, from the one with the fewest tools on. */
export const modes = ['read', 'write', 'full'] as const

/** A tool as `tools/list` of the protocol describes it. */
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

/** The request to the API that a call of a tool sends. */
export interface ToolRequest {
  method: string
  /** Below the REST root, with its query. */
  path: string
  body: unknown
  /** Form fields instead of a body; `file` is the file. */
  isForm: boolean
}

/** A tool with what is needed to call it. */
export interface ApiTool {
  tool: Tool
  /** The tool that lists the resources whose ids the tool takes, if there is one. */
  listTool: string | undefined
  /** A sentence for a result that was cut: how to get the rest. */
  restHint: string
  /** Names of parameters by further names that agents use: `id` by `product_id`. */
  aliases: ReadonlyMap<string, string>
  /** The request for arguments, which are named as parameters and as properties of the body. */
  request(args: Json): ToolRequest
}

/** Operations that only the mode `full` offers, in addition to every DELETE. */
const destructive = new Set(['clear_category'])
/** Operations that call another server. */
const outbound = new Set(['export_order', 'retry_print_job', 'announce_print_file'])
/** Operations that do the same as `announce_print_file` by other methods. */
const duplicates = new Set(['put_print_file', 'patch_print_file'])
/** POSTs that change a resource instead of creating one. */
const changingPosts = new Set(['clear_category', 'set_print_profile_master', 'announce_print_file'])

/** Where an operation stands in the document. */
interface Route {
  path: string
  /** In capitals. */
  method: string
}

/** The tools of a mode. @param takesPath whether uploads take the path of a file instead of its content */
export function toolsOf(document: ApiDocument, mode: Mode, { takesPath }: { takesPath: boolean }): ApiTool[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { operationId, responses }]) => !duplicates.has(operationId) && contentOf(responses))
      .map(([method, operation]) =>
        toolOf(document, { path, method: method.toUpperCase() }, operation, takesPath),
      )
      .filter(({ tool: { annotations, name } }) => isOffered(mode, name, annotations)),
  )
}

/** The content that becomes the result of a tool: JSON, or the picture of a preview. Undefined without such content. */
function contentOf(responses: DocumentedOperation['responses']) {
  const content = (responses[200] ?? responses[201])?.content ?? {}
  return (
    content['application/json'] ?? Object.entries(content).find(([type]) => type.startsWith('image/'))?.[1]
  )
}

/** Whether a mode has a tool. */
function isOffered(mode: Mode, name: string, { readOnlyHint }: Tool['annotations']): boolean {
  if (mode === 'full') return true
  if (mode === 'read') return readOnlyHint === true
  return !name.startsWith('delete_') && !destructive.has(name)
}

function toolOf(
  document: ApiDocument,
  { path, method }: Route,
  operation: DocumentedOperation,
  takesPath: boolean,
): ApiTool {
  const { operationId: name, summary, description } = operation
  const parameters = (operation.parameters ?? []).filter(
    (parameter) => parameter.in !== 'header' && parameter.name !== '_fields',
  )
  const { 'multipart/form-data': form, 'application/json': json } = operation.requestBody?.content ?? {}
  const body = resolved(document, (form ?? json)?.schema)
  const input = inputOf(document, { parameters, body, isForm: form !== undefined, takesPath })
  const pathResource = pathResourceOf(path)
  const { properties } = input.schema
  const key = pathResource && properties[pathResource.parameter]
  if (pathResource && key)
    properties[pathResource.parameter] = { ...key, description: idDescription(pathResource, key) }
  const tool: Tool = {
    name,
    description: description === `${summary}.` ? description : `${summary}. ${description}`,
    inputSchema: input.schema,
    ...outputOf(document, operation, { isRead: method === 'GET' }),
    annotations: annotationsOf(method, name),
  }
  const request = (args: Json): ToolRequest => ({
    method,
    path: pathOf(path, parameters, args),
    body: input.bodyOf(args),
    isForm: form !== undefined,
  })
  const allAliases = [...pathAliases(pathResource), ...(properties.body ? bodyAliases(name) : [])]
  const aliases = new Map(allAliases.filter(([alias]) => !properties[alias]))
  return { tool, listTool: listToolOf(document, path), restHint: restHintOf(tool), aliases, request }
}

/** The resource that the first parameter of a path identifies. */
interface PathResource {
  parameter: string
  /** Such as `design_category`. */
  name: string
}

/** Undefined for a path without parameters. */
function pathResourceOf(path: string): PathResource | undefined {
  const [, collection = '', parameter] = /\/([\w-]+)\/\{(\w+)\}/.exec(path) ?? []
  if (parameter === undefined) return undefined
  const name = collection.replaceAll('-', '_').replace(/ies$/, 'y').replace(/s$/, '')
  return { parameter, name }
}

const idDescription = ({ name }: PathResource, { description }: Schema): string =>
  description ?? `Of the ${name.replaceAll('_', ' ')}`

/** Aliases of the first parameter of a path: `design_category_id` and `category_id` for `id`. */
function pathAliases(resource: PathResource | undefined): [alias: string, name: string][] {
  if (!resource) return []
  const { parameter, name } = resource
  const names = new Set([name, name.slice(name.lastIndexOf('_') + 1)])
  const ends = new Set([parameter, 'id'])
  return [...names].flatMap((prefix) =>
    [...ends].map((end): [string, string] => [`${prefix}_${end}`, parameter]),
  )
}

/** Aliases of the argument `body`: `color_library` and `library` for `save_color_library`. */
function bodyAliases(operation: string): [alias: string, name: string][] {
  const nouns = operation.split('_').slice(1)
  return nouns.map((_, index) => [nouns.slice(index).join('_'), 'body'])
}

/** See `ApiTool.restHint`. */
function restHintOf({ annotations, inputSchema: { properties = {} } }: Tool): string {
  if (!annotations.readOnlyHint) return 'It has been done: do not call again, but read it with fields.'
  const alternatives = [
    properties.limit && `a smaller limit and the next ${properties.offset ? 'offset' : 'page'}`,
    properties.include && 'include to select ids',
    properties.fields && 'fields to select properties',
  ].filter(Boolean)
  return `Call again with ${alternatives.join(', ').replace(/, (?=[^,]*$)/, ' or ')}.`
}

/**
 * See `ApiTool.listTool`: the operation `list_…` of the last collection in the path that has one. Only those before the first parameter
 * count; a path without a parameter may have ids in its query or body.
 */
function listToolOf({ paths }: ApiDocument, path: string): string | undefined {
  const [start = ''] = path.split('{', 1)
  for (const collection of start.split('/').filter(Boolean).reverse()) {
    const lists = Object.entries(paths).flatMap(([candidate, { get }]) =>
      nameOf(candidate.split('/').at(-1)) === nameOf(collection) ? (get?.operationId ?? []) : [],
    )
    const listTool = lists.find((operationId) => operationId.startsWith('list_'))
    if (listTool !== undefined) return listTool
  }
  return undefined
}

/** The same text for `print-jobs` and `print_job`. */
const nameOf = (segment = '') => segment.replaceAll('_', '-').replace(/s$/, '')

/** Hints about a tool. By default of the protocol, a tool that writes is destructive, not idempotent, and reaches other servers. */
function annotationsOf(method: string, name: string): Tool['annotations'] {
  const openWorld = outbound.has(name) ? {} : { openWorldHint: false }
  if (method === 'GET') return { readOnlyHint: true, ...openWorld }
  const isChange = method !== 'POST' || changingPosts.has(name)
  // A repeated change has no further effect.
  return { ...(isChange ? { idempotentHint: true } : { destructiveHint: false }), ...openWorld }
}

/** The schema of the result: `data` one level deep, without `meta`. None for pictures. */
function outputOf(
  document: ApiDocument,
  { responses }: DocumentedOperation,
  { isRead }: { isRead: boolean },
): Pick<Tool, 'outputSchema'> {
  const { type, properties: { data = {} } = {} } = contentOf(responses)?.schema ?? {}
  if (type !== 'object') return {}
  return {
    outputSchema: { type, properties: { data: outline(document, data, { hasDesignerValues: isRead }) } },
  }
}
