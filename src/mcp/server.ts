// The MCP server: lists the tools and calls the API for them. Its package is optional and loaded when a server is made.
import type { McpServerFactory, Tool as SdkTool } from '@modelcontextprotocol/server'
import { optionalPackage } from '../core/installed.ts'
import { version } from '../core/version.ts'
import { maxDepth } from '../json/text.ts'
import { designRules, designSchema, schemaUri } from './design.ts'
import { refusal, resultOf, type ToolResponse, type ToolResult } from './results.ts'
import { stdioTransport } from './stdio.ts'
import { withParsedText } from './text-arguments.ts'
import type { ApiTool, ToolRequest } from './tools.ts'

/** Sends the request of a tool to the API. */
export type Send = (request: ToolRequest) => Promise<ToolResponse>

const instructions =
  'Tools of a web-to-print product customizer. Start with get_system_info. The tools are those that the token permits; svc_insufficient_scope names what it lacks. Lists are paginated: see meta.total and page or offset. Use fields (names separated by commas) to select properties, since products and views can be large, and include to select ids. search finds a part of the name, whatever its case. Before writing elements read the prompt design-rules or the resource svc://design-schema; meta.warnings of a write says what cannot be drawn.'

export type Mcp = typeof import('@modelcontextprotocol/server')
export type { McpServerFactory }

/** Loads the package. @throws Error with a sentence if it is not installed */
export async function loadMcp(): Promise<Mcp> {
  try {
    return await optionalPackage<Mcp>('@modelcontextprotocol/server')
  } catch (cause) {
    throw new Error('The MCP server needs the package @modelcontextprotocol/server: npm install it.', {
      cause,
    })
  }
}

/** When a call is worked on. */
type Turn = <T>(work: () => Promise<T>) => Promise<T>

const atOnce: Turn = (work) => work()

/** One call after the other. */
export function oneAtATime(): Turn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}

/**
 * Makes the server of one connection or request.
 * @param tools the tools at this moment
 * @param readTurn for calls that only read, whose results may be large: a batch has several
 */
export function serverFactory(
  { Server }: Mcp,
  tools: () => Promise<readonly ApiTool[]>,
  send: Send,
  readTurn = atOnce,
): McpServerFactory {
  return () => {
    const capabilities = { tools: {}, resources: {}, prompts: {} }
    const server = new Server({ name: 'svc-api', version }, { capabilities, instructions })
    // The schemas are plain JSON.
    const list = async () => ({ tools: (await tools()).map(({ tool }) => tool as unknown as SdkTool) })
    server.setRequestHandler('tools/list', list)
    server.setRequestHandler('tools/call', async ({ params }) =>
      callTool(await tools(), params.name, params.arguments ?? {}, send, readTurn),
    )
    serveDesignRules(server)
    return server
  }
}

/** What does not depend on the shop: how designs are written. */
function serveDesignRules(server: InstanceType<Mcp['Server']>): void {
  const schema = {
    uri: schemaUri,
    name: 'design-schema',
    description: 'JSON Schema of a view: its elements and their parameters, its options and print areas.',
    mimeType: 'application/schema+json',
  }
  const rules = { name: 'design-rules', description: 'How the elements and options of a view are written.' }
  server.setRequestHandler('resources/list', async () => ({ resources: [schema] }))
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    if (uri !== schemaUri) throw new Error(`There is no resource ${uri.slice(0, 100)}: see resources/list.`)
    return { contents: [{ uri, mimeType: schema.mimeType, text: JSON.stringify(designSchema) }] }
  })
  server.setRequestHandler('prompts/list', async () => ({ prompts: [rules] }))
  server.setRequestHandler('prompts/get', async ({ params: { name } }) => {
    if (name !== rules.name) throw new Error(`There is no prompt ${name.slice(0, 100)}: see prompts/list.`)
    const content = { type: 'text' as const, text: designRules }
    return { description: rules.description, messages: [{ role: 'user' as const, content }] }
  })
}

/** The arguments by their own names; one that is given by its own name is not overridden. */
function withoutAliases(
  sentArgs: Record<string, unknown>,
  aliases: ApiTool['aliases'],
): Record<string, unknown> {
  const args = { ...sentArgs }
  for (const [alias, name] of aliases) {
    if (args[alias] === undefined || args[name] !== undefined) continue
    args[name] = args[alias]
    delete args[alias]
  }
  return args
}

/** A body without properties of its own, such as a map of settings, may also be given side by side with the others. */
function withBody(args: Record<string, unknown>, properties: object): Record<string, unknown> {
  const { known: declared = [], others = [] } = Object.groupBy(Object.entries(args), ([name]) =>
    Object.hasOwn(properties, name) ? 'known' : 'others',
  )
  if (!Object.hasOwn(properties, 'body') || args.body !== undefined || others.length === 0) return args
  return { ...Object.fromEntries(declared), body: Object.fromEntries(others) }
}

/** One level at a time, because a recursion would end with the stack. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
    if (level.length === 0) return false
  }
  return true
}

/** Names the tools with the same words, such as get_order_preflight for preflight_order. */
function noTool(tools: readonly ApiTool[], name: string): string {
  const words = name.toLowerCase().split(/[^a-z]+/)
  const similar = tools
    .map(({ tool }) => tool.name)
    .filter((other) => words.every((word) => other.split('_').includes(word)))
  if (similar.length > 0)
    return `There is no tool ${name} here. Did you mean ${similar.slice(0, 3).join(', ')}?`
  return `There is no tool ${name} here. It may be switched off, outside the scopes of this token, or this server only reads.`
}

async function callTool(
  tools: readonly ApiTool[],
  name: string,
  sentArgs: Record<string, unknown>,
  send: Send,
  readTurn: Turn,
): Promise<ToolResult> {
  const called = tools.find(({ tool }) => tool.name === name)
  if (!called) return refusal(noTool(tools, name.slice(0, 100)))
  const { properties = {}, required = [] } = called.tool.inputSchema
  const args = withParsedText(withBody(withoutAliases(sentArgs, called.aliases), properties), properties)
  const missing = required.filter((name) => args[name] === undefined)
  if (missing.length > 0) return refusal(`Missing parameters: ${missing.join(', ')}.`)
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(properties, name))
  if (unknown.length > 0) {
    const parameterNames = Object.keys(properties).join(', ')
    return refusal(`Unknown parameters: ${unknown.join(', ').slice(0, 200)}. Known are ${parameterNames}.`)
  }
  if (isDeeperThan(maxDepth, args))
    return refusal(`The arguments are nested deeper than ${maxDepth} levels. Send flatter values.`)
  try {
    const { list, rest, tool } = called
    const call = async () =>
      resultOf({ list, rest, isSelected: Boolean(args.fields) }, await send(called.request(args)))
    return await (tool.annotations.readOnlyHint ? readTurn(call) : call())
  } catch (error) {
    return refusal(error instanceof Error ? error.message : 'The API could not be called.')
  }
}

/**
 * Serves a client on stdin and stdout until it closes stdin.
 * @param say gets a line for each failure of the connection
 * @throws Error with a sentence if the package is not installed
 */
export async function serveStdio(
  tools: () => Promise<readonly ApiTool[]>,
  send: Send,
  say: (line: string) => void,
): Promise<void> {
  const sdk = await loadMcp()
  const { serveStdio: serve } = await optionalPackage<typeof import('@modelcontextprotocol/server/stdio')>(
    '@modelcontextprotocol/server/stdio',
  )
  serve(serverFactory(sdk, tools, send), {
    transport: stdioTransport(sdk.parseJSONRPCMessage),
    onerror: (error) => say(error.message),
  })
}
