// What is wrong with the properties of a request's body. It is kept on the request from the validation to the
// handler, because a PATCH may send back invalid values that others stored.
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** By property, what it must be: `{ limit: 'must be between 1 and 100' }`. */
export type BodyProblems = Readonly<Record<string, string>>

const problemsKey: unique symbol = Symbol('svc-api body problems')

declare module 'fastify' {
  interface FastifyRequest {
    [problemsKey]?: BodyProblems | undefined
  }
}

/** Prepares the requests of this scope. */
export const decorateBodyProblems = (app: FastifyInstance) => app.decorateRequest(problemsKey, undefined)

/** What the handler must look at. */
export const problemsOf = (request: FastifyRequest): BodyProblems => request[problemsKey] ?? {}

export function setProblems(request: FastifyRequest, problems: BodyProblems): void {
  request[problemsKey] = problems
}
