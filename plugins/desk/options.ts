// Schema of the desk options, checked at start.
import { Type } from '@sinclair/typebox'
import {
  fastifyOptions,
  functionOption,
  type OptionsOf,
  optionsObject,
} from '../../src/core/check-options.ts'
import type { Scope } from '../../src/core/scopes.ts'
import { type Authorize, type PageOptions, pageProperties, pageUrlOption } from '../../src/pages/options.ts'

/** A user of the desk, as far as their scopes go: with `orders:read` alone they see orders and no buttons. */
export interface DeskUser {
  /** For the audit trail: 1 to 200 characters. @example 'anna' */
  name: string
  /** As tokens have them. @example ['orders:write', 'print_jobs:write'] */
  scopes: 'all' | readonly Scope[]
}

const properties = {
  /**
   * Who sends this request; called before anything else for every page and post. Return `true`, or the name or session of the
   * user, for a user with all rights; a {@link DeskUser} for a user with limited rights; anything else is
   * refused with 403. To ask for a login instead, return a reply that you have sent, or throw an error with `statusCode`
   * and `headers`.
   */
  authorize: functionOption<Authorize<boolean | string | DeskUser>>(),
  /** URL or path of the settings screen, to which the pages link where a setting is missing. @example '/settings' */
  settingsUrl: Type.Optional(pageUrlOption),
}

/** The options of the desk. */
export interface DeskOptions extends PageOptions, OptionsOf<typeof properties> {}

/** The schema of `DeskOptions`, with which the plugin checks them when it is registered. */
export const deskOptions = optionsObject(
  { ...properties, ...pageProperties, ...fastifyOptions },
  'be an object with the function authorize',
)
