// Schema of the settings screen options, checked at start.
import { type Static, type TObject, Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { baseUrlOption, fastifyOptions, functionOption, optionsObject } from '../../src/core/check-options.ts'

type Admission = boolean | string | undefined | FastifyReply

/** Written as a method, so that a host's function may expect a request of a narrower type. */
type Authorize = {
  authorize(request: FastifyRequest, reply: FastifyReply): Admission | Promise<Admission>
}['authorize']

const properties = {
  /**
   * Whether the sender of this request may administer the shop; called before anything else for every page and post. Return
   * `true`, or the name or session of the user, to which forms are bound then; anything else is refused with 403. To ask for
   * a login instead, return a reply that you have sent (`return reply.redirect('/login')`), or throw an error with
   * `statusCode` and `headers`.
   */
  authorize: functionOption<Authorize>(),
  /** Path of the REST root of the API to administer, prefix included; needed only where the app serves several. */
  baseUrl: Type.Optional(baseUrlOption),
  /** URL or path of an OpenAPI document of your own, shown in the API tab; default: that of the API. */
  documentUrl: Type.Optional(
    Type.String({
      pattern: '^(?:https?://[^\\s/]|/(?!/))\\S*$',
      must: 'be an http or https URL, or a path that starts with "/"',
    }),
  ),
  /**
   * Key of at least 32 characters that signs forms. Default: a random one, made at start. Processes that serve one screen
   * together must have the same.
   */
  secret: Type.Optional(Type.String({ minLength: 32, must: 'be a string of at least 32 characters' })),
}

export type SettingsScreenOptions = Static<TObject<typeof properties>>

export const screenOptions = optionsObject(
  { ...properties, ...fastifyOptions },
  'be an object with the function authorize',
)
