// Who sends a request: a property of the request, which the gate sets before the body is read.
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { type Principal, tokenPrincipal } from '../core/principal.ts'

const principalKey: unique symbol = Symbol('svc-api principal')

declare module 'fastify' {
  interface FastifyRequest {
    [principalKey]?: Principal | undefined
  }
}

/** Prepares the requests of this scope. */
export const decoratePrincipal = (app: FastifyInstance) => app.decorateRequest(principalKey, undefined)

/** Who sends this request, once it has passed the gate, which sets no principal for the API token. */
export const principalOf = (request: FastifyRequest): Principal => request[principalKey] ?? tokenPrincipal

/** Called by the gate, for named tokens and logins of the host. */
export function setPrincipal(request: FastifyRequest, principal: Principal): void {
  request[principalKey] = principal
}

/** The header by which the gate recognizes a request that this process sends itself. */
const senderHeader = 'x-svc-sender'

/**
 * Sends one request to the API in the name of the sender of another one, whose login the host has already checked.
 * @param send sends it with these headers: a random id, which the gate accepts once and only while `send` runs
 */
export async function sendAs<T>(
  { senders }: SvcContext,
  principal: Principal,
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  const id = randomUUID()
  senders.set(id, principal)
  try {
    return await send({ [senderHeader]: id })
  } finally {
    senders.delete(id)
  }
}

/** The sender of a request that this process sends itself; undefined for any other request. */
export function takeSender({ senders }: SvcContext, { headers }: FastifyRequest): Principal | undefined {
  const id = String(headers[senderHeader])
  const principal = senders.get(id)
  senders.delete(id)
  return principal
}
