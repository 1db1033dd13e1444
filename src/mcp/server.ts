// The MCP server: lists the tools and calls the API for them. Its package is optional and loaded when a server is made.
import type { McpServerFactory, Tool as SdkTool } from '@modelcontextprotocol/server'
import { optionalPackage } from '../core/installed.ts'
import { version } from '../core/version.ts'
import { refusal, resultOf, type ToolResponse, type ToolResult } from './results.ts'
import { stdioTransport } from './stdio.ts'
import type { ApiTool, ToolRequest } from './tools.ts'

/** Sends the request of a tool to the API. */
export type Send = (request: ToolRequest) => Promise<ToolResponse>

const instructions =
  'Tools of a web-to-print product customizer. Start with get_system_info. The tools are those that the token permits; svc_insufficient_scope names what it lacks. Lists are paginated: see meta.total and page or offset. Use fields (names separated by commas) to select properties, since products and views can be large, and include to select ids. search finds a part of the name, whatever its case.'

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
    const server = new Server({ name: 'svc-api', version }, { capabilities: { tools: {} }, instructions })
    // The schemas are plain JSON.
    const list = async () => ({ tools: (await tools()).map(({ tool }) => tool as unknown as SdkTool) })
    server.setRequestHandler('tools/list', list)
    server.setRequestHandler('tools/call', async ({ params }) =>
      callTool(await tools(), params.name, params.arguments ?? {}, send, readTurn),
    )
    return server
  }
}

/** Arrays and objects within each other, as in the body of a request. */
const maxDepth = 512

/** One level at a time, because a recursion would end with the stack. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
    if (level.length === 0) return false
  }
  return true
}

async function callTool(
  tools: readonly ApiTool[],
  name: string,
  args: Record<string, unknown>,
  send: Send,
  readTurn: Turn,
): Promise<ToolResult> {
  const called = tools.find(({ tool }) => tool.name === name)
  if (!called)
    return refusal(
      `There is no tool ${name.slice(0, 100)} here. It may be switched off, outside the scopes of this token, or this server only reads.`,
    )
  const { properties = {}, required = [] } = called.tool.inputSchema
  const missing = required.filter((each) => args[each] === undefined)
  if (missing.length > 0) return refusal(`Missing parameters: ${missing.join(', ')}.`)
  const unknown = Object.keys(args).filter((each) => !Object.hasOwn(properties, each))
  if (unknown.length > 0) {
    const known = Object.keys(properties).join(', ')
    return refusal(`Unknown parameters: ${unknown.join(', ').slice(0, 200)}. Known are ${known}.`)
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
