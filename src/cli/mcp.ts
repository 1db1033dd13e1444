// `svc-api mcp`: the operations of an API at any URL as tools for an agent, over stdin and stdout.
import { errorCode, membersOf } from '../core/foreign.ts'
import { version } from '../core/version.ts'
import { apiTools, type RawRequest, sendRequest, type Transport } from '../mcp/api.ts'
import { serveStdio } from '../mcp/server.ts'
import { modes, type ToolRequest } from '../mcp/tools.ts'
import { command, UsageError } from './command.ts'
import { httpUrl } from './environment.ts'
import { uploadFolder } from './upload-file.ts'

/** Reads a file that a tool names. */
type ReadUpload = Awaited<ReturnType<typeof uploadFolder>>

export const mcpCommand = command({
  summary: 'offers the operations of an API as tools for an agent (MCP on stdin and stdout)',
  help: `Usage: SVC_API_URL=… SVC_API_TOKEN=… svc-api mcp [--mode read|write|full] [--files DIR]

Speaks the Model Context Protocol on stdin and stdout. Needs the package @modelcontextprotocol/server.

  SVC_API_URL    URL of the REST root, such as https://shop.example/wp-json
  SVC_API_TOKEN  the API token
  --mode         read: tools that only read; write: also those that create and update; full (default): all
  --files        the folder from which the tools upload_asset and upload_font may take files; default: the working directory.
                 Links cannot leave it, and only files that are what their names say are sent`,
  options: { mode: { type: 'string', default: 'full' }, files: { type: 'string' } },
  async run({ flags, variables, say }) {
    const mode = modes.find((candidate) => candidate === flags.mode)
    if (!mode) throw new UsageError(`--mode must be one of ${modes.join(', ')}.`)
    const url = httpUrl('SVC_API_URL', variables.SVC_API_URL || undefined)
    if (url === undefined)
      throw new UsageError(
        'SVC_API_URL is not set: set it to the URL of the REST root, such as https://shop.example/wp-json.',
      )
    const token = variables.SVC_API_TOKEN || undefined
    // Visible ASCII only: anything else is no header value.
    if (token === undefined || !/^[\x21-\x7e]+$/.test(token))
      throw new UsageError('SVC_API_TOKEN must be the API token; "svc-api token" prints it.')
    const transport = apiTransport(url.replace(/\/svc\/v1$/, ''), token)
    const readUpload = await uploadFolder(flags.files)
    const tools = apiTools(mode, { takesPath: true })
    await serveStdio(
      () => tools(transport),
      async (request) =>
        sendRequest(transport, request.isForm ? await withFile(readUpload, request) : request),
      say,
    )
    return undefined
  },
})

/** The request with the file that its argument `path` names, in place of the path. */
async function withFile(readUpload: ReadUpload, request: ToolRequest): Promise<ToolRequest> {
  const { path, ...fields } = request.body as { path?: unknown }
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw new Error('path must be the path of a file on the machine of this server.')
  const use = /\/fonts(?:$|\?)/.test(request.path) ? 'font' : 'asset'
  return { ...request, body: { ...fields, ...(await readUpload(path, use)) } }
}

/** Milliseconds for a request: longer than an export may wait for its file. */
const timeout = 200_000

/**
 * Sends requests to an API at a URL. Every failure becomes a sentence that an agent or its operator can act on.
 * @param url of the REST root
 */
function apiTransport(url: string, token: string): Transport {
  const { origin } = new URL(url)
  const unreachable = (error: unknown) => {
    if (membersOf(error).name === 'TimeoutError')
      return new Error(`${origin} did not respond within ${timeout / 1000} seconds.`)
    const code = errorCode(membersOf(error).cause)
    return new Error(`${origin} cannot be reached${code ? ` (${code})` : ''}: check SVC_API_URL.`)
  }
  return async ({ method, path, headers, body }: RawRequest) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}`, 'user-agent': `svc-api/${version}` },
      // A redirect would lose the method, or the token.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      ...(body === undefined ? {} : { body }),
    }).catch((error) => {
      throw unreachable(error)
    })
    const target = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && target !== null) {
      await response.body?.cancel()
      throw new Error(`SVC_API_URL redirects to ${target}: set it to the URL of the API itself.`)
    }
    const bytes = await response.arrayBuffer().catch((error) => {
      throw unreachable(error)
    })
    return { status: response.status, headers: response.headers, bytes: new Uint8Array(bytes) }
  }
}
