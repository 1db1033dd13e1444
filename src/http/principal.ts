// Who sends a request. The gate sets it before the body is read; it travels on the request.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Principal, tokenPrincipal } from '../principal.ts'

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
