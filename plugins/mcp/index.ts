// POST /mcp: the operations of this API as tools for agents, by the Model Context Protocol (Streamable HTTP, without sessions).
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

/** Maximum bytes of a message: an upload of 10 MB in base64. */
const maxMessage = 16 * 1024 * 1024

/**
 * The MCP server as a plugin, under the API's own token. Needs the optional package `@modelcontextprotocol/server`.
 * @example scope.register(mcpServer({ mode: 'read' }), { prefix: '/wp-json/svc/v1/mcp' })
 */
export const mcpServer = ({ mode: maxMode = 'full', origins = [] }: McpOptions = {}) =>
  unscopedGroup('mcp', (app, context) => {
    const sdk = loadMcp()
    // The hook below reports a package that is not installed; until then the rejection must not count as unhandled.
    sdk.catch(() => {})
    app.addHook('onReady', async () => {
      await sdk
    })
    const toolsByMode = {
      read: apiTools('read', { takesPath: false }),
      write: apiTools('write', { takesPath: false }),
      full: apiTools('full', { takesPath: false }),
    }
    const allowedOrigins = new Set([new URL(context.site.url).origin, ...origins])

    /** @throws SvcError 403 for a page of another site (MCP, Security of Streamable HTTP) */
    function assertOrigin({ headers: { origin } }: FastifyRequest): void {
      if (origin !== undefined && !allowedOrigins.has(origin))
        throw new SvcError('svc_forbidden', { message: 'This origin may not connect.' })
    }

    /** Sends the requests of tools through the host, in the name of the sender of this one, so that all hooks and checks apply. */
    function transportOf(request: FastifyRequest): Transport {
      const { authorization = '' } = request.headers
      const principal = principalOf(request)
      const { url = '' } = request.routeOptions
      const base = url.slice(0, Math.max(0, url.lastIndexOf('/svc/v1/')))
      return async ({ method, path, headers, body }: RawRequest) => {
        const send = async (senderHeaders: Record<string, string>) =>
          app.inject({
            // Its type lists the methods.
            method: method as 'GET',
            url: base + path,
            headers: { ...headers, ...senderHeaders, authorization, 'x-request-id': requestIdOf(request) },
            remoteAddress: request.ip,
            // Otherwise a body of any size would be decoded at once.
            payloadAsStream: true,
            ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : Buffer.from(body) }),
          })
        // The host has admitted a login already; a token is checked once more.
        const response = await (principal.kind === 'host' ? sendAs(context, principal, send) : send({}))
        const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
        const chunks: Uint8Array[] = []
        for await (const chunk of response.stream()) chunks.push(chunk)
        return {
          status: response.statusCode,
          headers: new Headers(Object.fromEntries(received)),
          // A large response arrives as a single chunk, which is not copied.
          bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks),
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
        const { mode: requestedMode } = request.query as { mode?: unknown }
        const mode = narrowedMode(maxMode, requestedMode)
        // The parser above returns the bytes; a request without a body has none.
        const bytes = (request.body ?? new Uint8Array()) as Uint8Array<ArrayBuffer>
        const { message, file } = readMessage(bytes)
        const transport = transportOf(request)
        const mcp = await sdk
        const factory = serverFactory(
          mcp,
          () => toolsByMode[mode](transport),
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

/**
 * The requested mode, or the largest one, whichever offers fewer tools.
 * @throws SvcError 400 for an unknown mode, so that a misspelled `read` does not offer all tools
 */
function narrowedMode(maxMode: Mode, requested: unknown): Mode {
  if (requested === undefined) return maxMode
  // Modes are in the order of what they offer.
  const names: readonly unknown[] = modes
  const index = names.indexOf(requested)
  if (index < 0) throw invalidParams({ mode: `must be one of ${modes.join(', ')}` })
  return modes[Math.min(index, modes.indexOf(maxMode))] ?? maxMode
}

/** The request as the MCP package reads it, without its body. */
function webRequest({ headers, url }: FastifyRequest): Request {
  const readHeaders = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    /^(accept|content-type|mcp-.*)$/.test(name) && typeof value === 'string' ? [[name, value]] : [],
  )
  const accepted = new Headers(readHeaders)
  // Some clients accept JSON alone, which is what they get.
  accepted.set('accept', 'application/json, text/event-stream')
  return new Request(new URL(url, 'http://host.invalid'), { method: 'POST', headers: accepted })
}
