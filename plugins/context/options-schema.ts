// What the plugins take as options: one schema, checked at start in JavaScript as in TypeScript.
import { type TSchema, Type } from '@sinclair/typebox'
import {
  aBoolean,
  aFunction,
  aPath,
  httpUrl,
  optionsObject,
  seconds,
  wholeNumber,
} from '../../src/check-options.ts'
import type { SvcContextOptions } from '../../src/context.ts'
import { databaseOptions } from '../../src/db/options-schema.ts'
import {
  exportOptions,
  exportServiceOptions,
  printProvider,
  printReadyOptions,
} from '../../src/print/options-schema.ts'
import { rendererOption } from '../../src/renderer/options-schema.ts'
import type { Setting } from '../../src/settings/setting.ts'

const bytes = wholeNumber('a number of bytes', 512 * 1024 * 1024)
const text = (must: string) => Type.String({ must })

const setting = optionsObject(
  {
    id: text('be a key that starts with "svc_"'),
    type: text('be the type of the setting'),
    label: text('be a name'),
    description: text('be a sentence'),
    default: Type.Any({
      holds: (value: unknown) => value !== undefined,
      must: 'be the value while nothing is stored',
    }),
    choices: Type.Optional(
      Type.Array(Type.String({ must: 'be a string' }), { must: 'be an array of strings' }),
    ),
    secret: Type.Optional(aBoolean),
    readOnly: Type.Optional(aBoolean),
    tab: text('be the slug of a tab'),
    section: text('be the slug of a section'),
    sectionLabel: text('be the name of the section'),
  } satisfies Record<keyof Setting, TSchema>,
  'be an object that describes a setting',
)

/** What Fastify itself takes when a plugin is registered. */
const ofFastify = {
  prefix: Type.Optional(Type.String({ must: 'be a string' })),
  logLevel: Type.Optional(Type.String({ must: 'be a string' })),
  logSerializers: Type.Optional(Type.Any()),
}

const properties = {
  ...databaseOptions,
  baseUrl: Type.Optional(
    Type.String({
      pattern: '^(/[A-Za-z0-9._~/-]*)?$',
      must: 'be a path that starts with "/", such as "/wp-json"',
    }),
  ),
  siteUrl: Type.Optional(
    httpUrl('', 'be an absolute http or https address without credentials, query and fragment'),
  ),
  uploads: Type.Optional(
    optionsObject(
      {
        dir: aPath,
        url: httpUrl('', 'be an absolute http or https address without credentials, query and fragment'),
      },
      'be an object with dir and url',
    ),
  ),
  migrate: Type.Optional(
    Type.Union(
      [
        Type.Boolean(),
        optionsObject({ indexes: Type.Optional(aBoolean) }, 'be an object such as { indexes: true }'),
      ],
      { must: 'be true, false or { indexes: true }' },
    ),
  ),
  bodyLimits: Type.Optional(
    optionsObject(
      { blob: Type.Optional(bytes), json: Type.Optional(bytes) },
      'be an object with the numbers blob and json',
    ),
  ),
  uploadSeconds: Type.Optional(seconds(86_400)),
  bodySeconds: Type.Optional(seconds(86_400)),
  settings: Type.Optional(Type.Array(setting, { must: 'be an array of settings' })),
  onOptionsChanged: Type.Optional(aFunction),
  onMetaChanged: Type.Optional(aFunction),
  onOrderCreated: Type.Optional(aFunction),
  onPrintJobChanged: Type.Optional(aFunction),
  printReady: Type.Optional(printReadyOptions),
  exportService: Type.Optional(exportServiceOptions),
  renderer: Type.Optional(rendererOption),
  export: Type.Optional(exportOptions),
  printProvider: Type.Optional(printProvider),
} satisfies Record<keyof SvcContextOptions | 'export', TSchema>

const must = 'be an object that names the database'

export const contextOptions = optionsObject({ ...properties, ...ofFastify }, must)

/** Those of the root plugin. */
export const apiOptions = optionsObject(
  {
    ...properties,
    readinessPath: Type.Optional(
      Type.String({ pattern: '^/[^\\s?#:*]*$', must: 'be a path that starts with "/", such as "/ready"' }),
    ),
    ...ofFastify,
  },
  must,
)
