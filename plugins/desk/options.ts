// Schema of the desk options, checked at start.
import { type Static, type TObject, Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { baseUrlOption, fastifyOptions, functionOption, optionsObject } from '../../src/core/check-options.ts'
import type { Scope } from '../../src/core/scopes.ts'

/** Somebody who may use the desk, as far as their scopes go: with `orders:read` alone they see orders and no buttons. */
export interface DeskUser {
  /** For the audit trail: 1 to 200 characters. @example 'anna' */
  name: string
  /** As tokens have them. @example ['orders:write', 'print_jobs:write'] */
  scopes: 'all' | readonly Scope[]
}

type Admission = boolean | string | DeskUser | undefined | FastifyReply

/** Written as a method, so that a host's function may expect a request of a narrower type. */
type Authorize = {
  authorize(request: FastifyRequest, reply: FastifyReply): Admission | Promise<Admission>
}['authorize']

const properties = {
  /**
   * Who sends this request; called before anything else for every page and post. Return `true`, or the name or session of the
   * user, for somebody who may do everything here; a {@link DeskUser} for somebody with limited rights; anything else is
   * refused with 403. To ask for a login instead, return a reply that you have sent, or throw an error with `statusCode`
   * and `headers`.
   */
  authorize: functionOption<Authorize>(),
  /** Path of the REST root of the API whose orders are shown, prefix included; needed only where the app serves several. */
  baseUrl: Type.Optional(baseUrlOption),
  /**
   * Key of at least 32 characters that signs forms. Default: a random one, made at start. Processes that serve one desk
   * together must have the same.
   */
  secret: Type.Optional(Type.String({ minLength: 32, must: 'be a string of at least 32 characters' })),
}

export type DeskOptions = Static<TObject<typeof properties>>

export const deskOptions = optionsObject(
  { ...properties, ...fastifyOptions },
  'be an object with the function authorize',
)
