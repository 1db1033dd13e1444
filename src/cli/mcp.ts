// `svc-api mcp`: the operations of an API at any URL as tools for an agent, over stdin and stdout.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { apiTools, sendRequest } from '../mcp/api.ts'
import { serveStdio } from '../mcp/server.ts'
import { type Mode, modes, type ToolRequest } from '../mcp/tools.ts'
import { apiTransport } from './api-transport.ts'
import { type Command, UsageError } from './command.ts'
import { httpUrl } from './environment.ts'

export const mcp: Command = {
  summary: 'offers the operations of an API as tools for an agent (MCP on stdin and stdout)',
  help: `Usage: SVC_API_URL=… SVC_API_TOKEN=… svc-api mcp [--mode read|write|full]

Speaks the Model Context Protocol on stdin and stdout. Needs the package @modelcontextprotocol/server.

  SVC_API_URL    URL of the REST root, such as https://shop.example/wp-json
  SVC_API_TOKEN  the API token
  --mode         read: tools that only read; write: also those that create and update; full (default): all

The tools upload_asset and upload_font take the path of a file on this machine.`,
  options: { mode: { type: 'string' } },
  async run({ flags, variables, say }) {
    const mode = modeOf(flags.mode)
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
    const tools = apiTools(mode, true)
    await serveStdio(
      () => tools(transport),
      async (request) => sendRequest(transport, request.isForm ? await withFile(request) : request),
      say,
    )
    return undefined
  },
}

function modeOf(given: unknown): Mode {
  const mode = modes.find((each) => each === (given ?? 'full'))
  if (!mode) throw new UsageError(`--mode must be one of ${modes.join(', ')}.`)
  return mode
}

/** The largest upload limit that an API can have. */
const maxBytes = 256 * 1024 * 1024

/** Reads the file that the argument `path` names. */
async function withFile(request: ToolRequest): Promise<ToolRequest> {
  const { path, ...fields } = request.body as { path?: unknown }
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw new Error('path must be the path of a file on the machine of this server.')
  const file = await read(resolve(path))
  return { ...request, body: { ...fields, file, filename: basename(path) } }
}

async function read(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error) => {
    throw new Error(`${path} cannot be read (${Reflect.get(Object(error), 'code')}).`)
  })
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new Error(`${path} is not a file.`)
    if (found.size > maxBytes) throw new Error(`${path} is larger than any upload limit.`)
    return new Uint8Array(await handle.readFile())
  } finally {
    await handle.close()
  }
}
