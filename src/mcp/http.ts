// A message over HTTP, stateless: every request has a server of its own, and its response is one JSON body.
import type { Mcp, McpServerFactory } from './server.ts'

/** Responds to a message in either generation of the protocol. */
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
    // Received before the server closes.
    return new Response(body && (await new Response(body).arrayBuffer()), { status, headers })
  } finally {
    await handler.close()
  }
}

/** Not by the handler of the package, which always streams to these clients. */
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

/** Of a batch, the requests. No notification means anything here, and a request that one cancels would get no response. */
function withoutNotifications(message: unknown): unknown {
  if (!Array.isArray(message)) return message
  const requests = message.filter((part) => Object.hasOwn(Object(part), 'id'))
  return requests.length > 0 ? requests : message
}
