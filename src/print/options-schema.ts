// Schemas of the print file and export options.
import { isIPv6 } from 'node:net'
import type { TSchema } from '@sinclair/typebox'
import {
  folderOption,
  functionOption,
  httpUrl,
  optionsObject,
  seconds,
  wholeNumber,
} from '../core/check-options.ts'
import { Type } from '../core/typebox.ts'
import type { ExportServiceOptions } from './export.ts'
import type { PrintfulOptions } from './providers/printful.ts'
import type { PrintProvider } from './providers/provider.ts'
import type { PrintReadyOptions } from './settings.ts'

const pair = Type.String({ must: 'be a pair like "router.internal:9000"' })
const hostName = Type.String({
  holds: (name: string) => isIPv6(name) || /^(\*\.)?[^\s/:@*?#[\]]+$/.test(name),
  must: 'be the name of a host, or "*." and the end of a name, without a port',
})
const port = wholeNumber('a port', 65535)

export const printReadyOptions = optionsObject(
  {
    allow: Type.Optional(Type.Array(pair, { must: 'be an array of pairs like "router.internal:9000"' })),
    allowedHosts: Type.Optional(
      Type.Array(hostName, { minItems: 1, must: 'be an array of at least one host name' }),
    ),
    ports: Type.Optional(Type.Array(port, { minItems: 1, must: 'be an array of at least one port' })),
    secret: Type.Optional(
      Type.String({
        pattern: '^(whsec_)?[A-Za-z0-9+/_-]{22,}={0,2}$',
        must: 'be "whsec_" and at least 16 bytes in base64',
      }),
    ),
    maxBytes: Type.Optional(wholeNumber('a number of bytes', Number.MAX_SAFE_INTEGER)),
    maxSeconds: Type.Optional(seconds(86_400)),
    downloads: Type.Optional(wholeNumber('a number of downloads', 1000)),
    leaseSeconds: Type.Optional(seconds(3600)),
    tempDir: Type.Optional(folderOption),
    lookup: Type.Optional(functionOption),
  } satisfies Record<keyof PrintReadyOptions, TSchema>,
  'be an object with the settings of the webhook',
)

export const exportServiceOptions = optionsObject(
  {
    url: httpUrl('(\\?[^\\s#]*)?', 'be an http or https URL without credentials'),
    seconds: Type.Optional(seconds(180)),
  } satisfies Record<keyof ExportServiceOptions, TSchema>,
  'be an object with the url of the service',
)

export const exportOptions = optionsObject(
  {
    wait: Type.Optional(
      Type.Number({ minimum: 0, maximum: 180, must: 'be a number of seconds from 0 to 180' }),
    ),
  },
  'be an object such as { wait: 30 }',
)

/** Any object that has the method. */
export const printProvider = Type.Object(
  { upsertDraft: Type.Function([], Type.Any(), { must: 'be a method of the provider' }) } satisfies Record<
    keyof PrintProvider,
    TSchema
  >,
  { must: 'be an object with the method upsertDraft' },
)

export const printfulOptions = optionsObject(
  {
    url: Type.Optional(httpUrl('', 'be an http or https URL without credentials and query')),
  } satisfies Record<keyof PrintfulOptions, TSchema>,
  'be an object with the url of the API',
)
