// POST /mcp: the operations of this API as tools for agents, by the Model Context Protocol, stateless.
import type { FastifyRequest } from 'fastify'
import { invalidParams, SvcError } from '../../src/core/errors.ts'
import { unscopedGroup } from '../../src/http/group.ts'
import { requestIdOf } from '../../src/http/headers.ts'
import { principalOf, sendAs } from '../../src/http/principal.ts'
import { hidden } from '../../src/http/schema.ts'
import { apiTools, type RawRequest, sendRequest, type Transport } from '../../src/mcp/api.ts'
import { httpResponse } from '../../src/mcp/http.ts'
import { readMessage } from '../../src/mcp/message.ts'
import { loadMcp, oneAtATime, serverFactory } from '../../src/mcp/server.ts'
import { type Mode, modes, type ToolRequest } from '../../src/mcp/tools.ts'
import type { McpOptions } from './options.ts'

export type { McpOptions } from './options.ts'

/** Largest message in bytes: an upload of 10 MB in base64. */
const maxMessage = 16 * 1024 * 1024

/**
 * The MCP server as a plugin, under the API's own token. Needs the optional package `@modelcontextprotocol/server`.
 * @example scope.register(mcpServer({ mode: 'read' }), { prefix: '/wp-json/svc/v1/mcp' })
 */
export const mcpServer = ({ mode: most = 'full', origins = [] }: McpOptions = {}) =>
  unscopedGroup('mcp', (app, context) => {
    const sdk = loadMcp()
    sdk.catch(() => {})
    app.addHook('onReady', async () => {
      await sdk
    })
    const toolsIn = {
      read: apiTools('read', false),
      write: apiTools('write', false),
      full: apiTools('full', false),
    }
    const allowed = new Set([new URL(context.site.url).origin, ...origins])

    function assertOrigin({ headers: { origin } }: FastifyRequest): void {
      if (origin !== undefined && !allowed.has(origin))
        throw new SvcError('svc_forbidden', { message: 'This origin may not connect.' })
    }

    /** Calls go through the host as requests of the same sender, with everything that a request goes through. */
    function transportOf(request: FastifyRequest): Transport {
      const { authorization = '' } = request.headers
      const principal = principalOf(request)
      const { url = '' } = request.routeOptions
      const base = url.slice(0, Math.max(0, url.lastIndexOf('/svc/v1/')))
      return async ({ method, path, headers, body }: RawRequest) => {
        const send = () =>
          app
            .inject({
              method: method as 'GET',
              url: base + path,
              headers: { ...headers, authorization, 'x-request-id': requestIdOf(request) },
              remoteAddress: request.ip,
              // Otherwise it would be decoded at once, whatever its size.
              payloadAsStream: true,
              ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : Buffer.from(body) }),
            })
            // Without it the awaiting code would send the request, outside of the context that `send` runs in.
            .then((sent) => sent)
        // The host has checked its login; tokens are checked once more.
        const response = await (principal.kind === 'host' ? sendAs(context, principal, send) : send())
        const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
        const parts: Uint8Array[] = []
        for await (const part of response.stream()) parts.push(part)
        return {
          status: response.statusCode,
          headers: new Headers(Object.fromEntries(received)),
          // A large response arrives as a single part, which is not copied.
          bytes: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts),
        }
      }
    }

    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer' },
      async (_request: unknown, bytes: Buffer) => bytes,
    )

    app.post('/', {
      bodyLimit: maxMessage,
      config: { patient: true },
      schema: hidden,
      handler: async (request, reply) => {
        assertOrigin(request)
        const { mode: asked } = request.query as { mode?: unknown }
        const mode = narrower(most, asked)
        const bytes = (request.body ?? new Uint8Array()) as Uint8Array<ArrayBuffer>
        const { message, file } = readMessage(bytes)
        const transport = transportOf(request)
        const mcp = await sdk
        const factory = serverFactory(
          mcp,
          () => toolsIn[mode](transport),
          (call) => sendRequest(transport, file === undefined ? call : withFile(call, file)),
          oneAtATime(),
        )
        const response = await httpResponse(mcp, factory, webRequest(request), message)
        reply.code(response.status)
        const type = response.headers.get('content-type')
        if (type) reply.header('content-type', type)
        return response.text()
      },
    })

    app.get('/', { schema: hidden }, async (_request, reply) => {
      reply.code(405).header('allow', 'POST')
      return { success: false, code: 'rest_no_route', message: 'Use POST.', data: { status: 405 } }
    })
  })

const withFile = (call: ToolRequest, file: string): ToolRequest => ({
  ...call,
  body: { ...Object(call.body), file },
})

/** @throws SvcError 400 for an unknown mode, so that a misspelled `read` does not open all tools */
function narrower(most: Mode, asked: unknown): Mode {
  if (asked === undefined) return most
  const at = modes.indexOf(asked as Mode)
  if (at < 0) throw invalidParams({ mode: `must be one of ${modes.join(', ')}` })
  return modes[Math.min(at, modes.indexOf(most))] ?? most
}

/** The parts of a request that the handler reads, in addition to its body. */
function webRequest({ headers, url }: FastifyRequest): Request {
  const readHeaders = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    /^(accept|content-type|mcp-.*)$/.test(name) && typeof value === 'string' ? [[name, value]] : [],
  )
  const accepted = new Headers(readHeaders)
  // Some clients accept JSON alone, which is what they get.
  accepted.set('accept', 'application/json, text/event-stream')
  return new Request(new URL(url, 'http://host.invalid'), { method: 'POST', headers: accepted })
}
