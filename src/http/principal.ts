// Who sends a request. The gate sets it before the body is read; it is kept on the request.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { type Principal, tokenPrincipal } from '../core/principal.ts'
import { requestScope, withScope } from '../core/request-scope.ts'

const principalKey: unique symbol = Symbol('svc-api principal')

declare module 'fastify' {
  interface FastifyRequest {
    [principalKey]?: Principal | undefined
  }
}

/** Prepares the requests of this scope. */
export const decoratePrincipal = (app: FastifyInstance) => app.decorateRequest(principalKey, undefined)

/** Who sends this request, once it has passed the gate. */
export const principalOf = (request: FastifyRequest): Principal => request[principalKey] ?? tokenPrincipal

export function setPrincipal(request: FastifyRequest, principal: Principal): void {
  request[principalKey] = principal
}

declare module '../core/request-scope.ts' {
  interface RequestScope {
    /** The sender of the next request that this process sends itself, without credentials. It is taken once. */
    sender?: { context: SvcContext; principal: Principal | undefined }
  }
}

/** Sends one request to the API in the name of the sender of another one, whose login the host has already checked. */
export const sendAs = <T>(context: SvcContext, principal: Principal, send: () => T): T =>
  withScope({ sender: { context, principal } }, send)

/** The sender of a request that this process sends itself; undefined for any other request. */
export function takeSender(context: SvcContext): Principal | undefined {
  const { sender } = requestScope()
  if (sender?.context !== context) return undefined
  const { principal } = sender
  sender.principal = undefined
  return principal
}
