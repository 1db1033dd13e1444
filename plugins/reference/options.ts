// The options of the reference page.
import { Type } from '@sinclair/typebox'
import {
  baseUrlOption,
  fastifyOptions,
  type OptionsOf,
  optionsObject,
  stringOption,
} from '../../src/core/check-options.ts'

const properties = {
  /** Path of the REST root in this app. Default `/wp-json`. */
  baseUrl: Type.Optional(baseUrlOption),
  /** Title of the page. Default "API reference". */
  title: Type.Optional(stringOption),
}

/** The options of the reference page. */
export interface ReferenceOptions extends OptionsOf<typeof properties> {}

export const referenceOptions = optionsObject(
  { ...properties, ...fastifyOptions },
  'be an object with baseUrl and title',
)
