// The options of the reference page.

import { fastifyOptions, optionsObject } from '../../src/core/check-options.ts'
import { Type } from '../../src/core/typebox.ts'

export const referenceOptions = optionsObject(
  {
    baseUrl: Type.Optional(Type.String({ must: 'be a path such as /wp-json' })),
    title: Type.Optional(Type.String({ must: 'be a string' })),
    ...fastifyOptions,
  },
  'be an object with baseUrl and title',
)
