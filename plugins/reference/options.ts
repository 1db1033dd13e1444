// The options of the reference page.
import { Type } from '@sinclair/typebox'
import {
  baseUrlOption,
  fastifyOptions,
  type OptionsOf,
  optionsObject,
  stringOption,
} from '../../src/core/check-options.ts'
import { homeProperties, pageUrlOption } from '../../src/pages/options.ts'

const properties = {
  /** Path of the REST root in this app. Default `/wp-json`. */
  baseUrl: Type.Optional(baseUrlOption),
  /** Title of the page. Default "API reference". */
  title: Type.Optional(stringOption),
  ...homeProperties,
  /** URL or path of the desk, to which the page links. @example '/desk/' */
  deskUrl: Type.Optional(pageUrlOption),
  /** URL or path of the settings screen, to which the page links. @example '/settings/' */
  settingsUrl: Type.Optional(pageUrlOption),
}

/** The options of the reference page. */
export interface ReferenceOptions extends OptionsOf<typeof properties> {}

/** The schema of the options of the reference page, checked when it is registered. */
export const referenceOptions = optionsObject(
  { ...properties, ...fastifyOptions },
  'be an object with baseUrl and title',
)
