// Schema of the settings screen options, checked at start.
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import {
  fastifyOptions,
  functionOption,
  type OptionsOf,
  optionsObject,
  valueOption,
} from '../../src/core/check-options.ts'
import {
  type Authorize,
  isPageUrl,
  type PageOptions,
  pageProperties,
  pageUrlOption,
} from '../../src/pages/options.ts'

const properties = {
  /**
   * Whether the sender of this request may administer the shop; called before anything else for every page and post. Return
   * `true`, or the name or session of the user, to which forms are bound then; anything else is refused with 403. To ask for
   * a login instead, return a reply that you have sent (`return reply.redirect('/login')`), or throw an error with
   * `statusCode` and `headers`.
   */
  authorize: functionOption<Authorize<boolean | string>>(),
  /** URL or path of an OpenAPI document of your own, shown in the API tab; default: that of the API. */
  documentUrl: Type.Optional(pageUrlOption),
  /**
   * URL or path of the desk, to which the print jobs of the status page link; or a function that returns it for users who may
   * open the desk, and undefined for all others. Default: no links. @example '/desk'
   */
  deskUrl: Type.Optional(
    valueOption<string | ((request: FastifyRequest) => string | undefined)>(
      (value) => typeof value === 'function' || isPageUrl(value),
      'be an http or https URL, a path that starts with "/", or a function',
    ),
  ),
}

/** The options of the settings screen. */
export interface SettingsScreenOptions extends PageOptions, OptionsOf<typeof properties> {}

/** The schema of `SettingsScreenOptions`, with which the plugin checks them when it is registered. */
export const screenOptions = optionsObject(
  { ...properties, ...pageProperties, ...fastifyOptions },
  'be an object with the function authorize',
)
