// The MCP server: lists the tools, and calls the API for them. Its package is optional, and loaded by `loadMcp` and `serveStdio`.
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

/** What every agent reads first. */
const instructions =
  'Tools of a web-to-print product customizer. Start with get_system_info. The tools are those that the token permits; svc_insufficient_scope names what it lacks. Lists are paginated: see meta.total and page or offset. Use fields (names separated by commas) to select properties, since products and views can be large, and include to select ids. search finds a part of the name, whatever its case. Before writing elements read the prompt design-rules or the resource svc://design-schema; meta.warnings of a write says what cannot be drawn.'

/** The package `@modelcontextprotocol/server`. */
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

/** Runs the work of a call, at once or after other calls. */
type Schedule = <T>(work: () => Promise<T>) => Promise<T>

const atOnce: Schedule = (work) => work()

/** A schedule that runs one call after the other. */
export function oneAtATime(): Schedule {
  let previous: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = previous.then(work)
    previous = result.catch(() => {})
    return result
  }
}

/**
 * A factory of servers, one for each connection or request.
 * @param tools returns the current tools; called for each list and each call
 * @param scheduleRead runs the calls of a batch that only read: their results may be large, so they may have to wait for each other
 */
export function serverFactory(
  { Server }: Mcp,
  tools: () => Promise<readonly ApiTool[]>,
  send: Send,
  scheduleRead = atOnce,
): McpServerFactory {
  return () => {
    const capabilities = { tools: {}, resources: {}, prompts: {} }
    const server = new Server({ name: 'svc-api', version }, { capabilities, instructions })
    // The package types schemas more narrowly, but sends any JSON.
    const list = async () => ({ tools: (await tools()).map(({ tool }) => tool as unknown as SdkTool) })
    server.setRequestHandler('tools/list', list)
    server.setRequestHandler('tools/call', async ({ params }) =>
      callTool(await tools(), { name: params.name, args: params.arguments ?? {} }, send, scheduleRead),
    )
    serveDesignRules(server)
    return server
  }
}

/** Serves the schema of the design format as a resource, and its rules as a prompt. */
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

/** The arguments with aliases replaced by the names of parameters, unless the parameter itself was sent, too. */
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

/** Some agents send the entries of the argument `body`, such as a map of settings, as arguments: collects them in `body`. */
function withBody(args: Record<string, unknown>, properties: object): Record<string, unknown> {
  const { declared = [], undeclared = [] } = Object.groupBy(Object.entries(args), ([name]) =>
    Object.hasOwn(properties, name) ? 'declared' : 'undeclared',
  )
  if (!Object.hasOwn(properties, 'body') || args.body !== undefined || undeclared.length === 0) return args
  return { ...Object.fromEntries(declared), body: Object.fromEntries(undeclared) }
}

/** Whether a value is nested deeper than so many levels. Looks at one level at a time, because a recursion could overflow the stack. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
    if (level.length === 0) return false
  }
  return true
}

/** The message for an unknown tool: it suggests tools that have all words of the name, such as get_order_preflight for preflight_order. */
function unknownTool(tools: readonly ApiTool[], name: string): string {
  const nameWords = name.toLowerCase().split(/[^a-z]+/)
  const similar = tools
    .map(({ tool }) => tool.name)
    .filter((toolName) => nameWords.every((word) => toolName.split('_').includes(word)))
  if (similar.length > 0)
    return `There is no tool ${name} here. Did you mean ${similar.slice(0, 3).join(', ')}?`
  return `There is no tool ${name} here. It may be switched off, outside the scopes of this token, or this server only reads.`
}

/** Checks the arguments of a call, sends its request, and returns the result. Never rejects for a failure of the API: that is a result. */
async function callTool(
  tools: readonly ApiTool[],
  { name, args: sentArgs }: { name: string; args: Record<string, unknown> },
  send: Send,
  scheduleRead: Schedule,
): Promise<ToolResult> {
  const apiTool = tools.find(({ tool }) => tool.name === name)
  if (!apiTool) return refusal(unknownTool(tools, name.slice(0, 100)))
  const { properties = {}, required = [] } = apiTool.tool.inputSchema
  const args = withParsedText(withBody(withoutAliases(sentArgs, apiTool.aliases), properties), properties)
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
    const { listTool, restHint, tool } = apiTool
    const call = async () =>
      resultOf({ listTool, restHint, isSelected: Boolean(args.fields) }, await send(apiTool.request(args)))
    return await (tool.annotations.readOnlyHint ? scheduleRead(call) : call())
  } catch (error) {
    return refusal(error instanceof Error ? error.message : 'The API could not be called.')
  }
}

/**
 * Serves a client on stdin and stdout until it closes stdin.
 * @param report is called with a line for each failure of the connection
 * @throws Error with a sentence if the package is not installed
 */
export async function serveStdio(
  tools: () => Promise<readonly ApiTool[]>,
  send: Send,
  report: (line: string) => void,
): Promise<void> {
  const sdk = await loadMcp()
  const { serveStdio: serve } = await optionalPackage<typeof import('@modelcontextprotocol/server/stdio')>(
    '@modelcontextprotocol/server/stdio',
  )
  serve(serverFactory(sdk, tools, send), {
    transport: stdioTransport(sdk.parseJSONRPCMessage),
    onerror: (error) => report(error.message),
  })
}
