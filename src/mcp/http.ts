// Responds to a message of the Model Context Protocol over HTTP. There are no sessions: each request gets a server of its own, and its
// response is one JSON body.
import { membersOf } from '../core/foreign.ts'
import type { Mcp, McpServerFactory } from './server.ts'

/** The response to a message of either generation of the protocol. @param request without its body, which `message` is, parsed */
export async function httpResponse(
  mcp: Mcp,
  factory: McpServerFactory,
  request: Request,
  message: unknown,
): Promise<Response> {
  if (await mcp.isLegacyRequest(request, message)) return legacyResponse(mcp, factory, request, message)
  const handler = mcp.createMcpHandler(factory, { legacy: 'reject' })
  try {
    const { status, headers, body } = await handler.fetch(request, { parsedBody: message })
    // The body is read here, before the server closes.
    return new Response(body && (await new Response(body).arrayBuffer()), { status, headers })
  } finally {
    await handler.close()
  }
}

/** The response to a client of the older protocol. The handler of the package would stream it. */
async function legacyResponse(mcp: Mcp, factory: McpServerFactory, requestInfo: Request, message: unknown) {
  const server = await factory({ era: 'legacy', requestInfo })
  const transport = new mcp.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(requestInfo, { parsedBody: withoutNotifications(message) })
  } finally {
    await server.close()
  }
}

/** The requests of a batch. Notifications have no effect without a session, and a request that one cancels would get no response. */
function withoutNotifications(message: unknown): unknown {
  if (!Array.isArray(message)) return message
  const requests = message.filter((entry) => Object.hasOwn(membersOf(entry), 'id'))
  return requests.length > 0 ? requests : message
}
