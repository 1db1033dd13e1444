// The options of the plugins as one schema, so that a host in JavaScript gets them checked at startup too.

import type { TSchema } from '@sinclair/typebox'
import type { SvcContextOptions } from '../../src/app/context-options.ts'
import { changeOptions } from '../../src/changes/options-schema.ts'
import {
  booleanOption,
  fastifyOptions,
  functionOption,
  httpUrl,
  optionsObject,
  seconds,
  wholeNumber,
} from '../../src/core/check-options.ts'
import { Type } from '../../src/core/typebox.ts'
import { databaseOptions } from '../../src/db/options-schema.ts'
import {
  exportOptions,
  exportServiceOptions,
  printfulOptions,
  printProvider,
  printReadyOptions,
} from '../../src/print/options-schema.ts'
import { rendererOption } from '../../src/renderer/options-schema.ts'
import { type Setting, textFormats } from '../../src/settings/setting.ts'
import { storageOptions, uploadsOptions } from '../../src/storage/options-schema.ts'

/** Of a body: larger values could not be read again. */
const bytes = wholeNumber('a number of bytes', 32 * 1024 * 1024)
const string = (must: string) => Type.String({ must })

const setting = optionsObject(
  {
    id: string('be a key that starts with "svc_"'),
    type: string('be the type of the setting'),
    label: string('be a name'),
    description: string('be a sentence'),
    default: Type.Any({
      holds: (value: unknown) => value !== undefined,
      must: 'be the value when nothing is stored',
    }),
    choices: Type.Optional(
      Type.Array(Type.String({ must: 'be a string' }), { must: 'be an array of strings' }),
    ),
    minimum: Type.Optional(Type.Number({ must: 'be a number' })),
    maximum: Type.Optional(Type.Number({ must: 'be a number' })),
    format: Type.Optional(string(`be one of ${textFormats.join(', ')}`)),
    secret: Type.Optional(booleanOption),
    readOnly: Type.Optional(booleanOption),
    tab: string('be the slug of a tab'),
    section: string('be the slug of a section'),
    sectionLabel: string('be the name of the section'),
  } satisfies Record<keyof Setting, TSchema>,
  'be an object that describes a setting',
)

const properties = {
  ...databaseOptions,
  ...changeOptions,
  baseUrl: Type.Optional(
    Type.String({
      pattern: '^(/[A-Za-z0-9._~/-]*)?$',
      must: 'be a path that starts with "/", such as "/wp-json"',
    }),
  ),
  siteUrl: Type.Optional(
    httpUrl('', 'be an absolute http or https URL without credentials, query and fragment'),
  ),
  uploads: Type.Optional(uploadsOptions),
  storage: Type.Optional(storageOptions),
  migrate: Type.Optional(
    Type.Union(
      [
        Type.Boolean(),
        optionsObject({ indexes: Type.Optional(booleanOption) }, 'be an object such as { indexes: true }'),
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
  onOptionsChanged: Type.Optional(functionOption),
  onMetaChanged: Type.Optional(functionOption),
  onOrderCreated: Type.Optional(functionOption),
  onPrintJobChanged: Type.Optional(functionOption),
  authenticate: Type.Optional(functionOption),
  printReady: Type.Optional(printReadyOptions),
  exportService: Type.Optional(exportServiceOptions),
  renderer: Type.Optional(rendererOption),
  export: Type.Optional(exportOptions),
  printProvider: Type.Optional(printProvider),
  printful: Type.Optional(printfulOptions),
} satisfies Record<keyof SvcContextOptions | 'export', TSchema>

const must = 'be an object that names the database'

export const contextOptions = optionsObject({ ...properties, ...fastifyOptions }, must)

const mcpOptions = optionsObject(
  {
    mode: Type.Optional(
      Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('full')], {
        must: 'be "read", "write" or "full"',
      }),
    ),
    origins: Type.Optional(
      Type.Array(Type.String({ must: 'be an origin such as https://agent.example' }), {
        must: 'be an array of origins',
      }),
    ),
  },
  'be an object with mode and origins',
)

/** Options of the root plugin. */
export const apiOptions = optionsObject(
  {
    ...properties,
    readinessPath: Type.Optional(
      Type.String({ pattern: '^/[^\\s?#:*]*$', must: 'be a path that starts with "/", such as "/ready"' }),
    ),
    mcp: Type.Optional(
      Type.Union([Type.Boolean(), mcpOptions], {
        must: 'be true, false or an object such as { mode: "read" }',
      }),
    ),
    ...fastifyOptions,
  },
  must,
)
