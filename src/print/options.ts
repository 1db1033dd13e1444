// The host's options about print files, exports and providers, their schemas, and their defaults.
import { isIPv6 } from 'node:net'
import { tmpdir } from 'node:os'
import { Type } from '@sinclair/typebox'
import {
  folderOption,
  functionOption,
  httpUrl,
  type OptionsOf,
  optionsObject,
  seconds,
  wholeNumber,
} from '../core/check-options.ts'
import type { Lookup } from '../outbound/guarded-request.ts'
import { webhookSecret } from '../outbound/signature.ts'
import type { DownloadSettings } from './download.ts'
import { hostPort } from './file-url.ts'

const pair = Type.String({ must: 'be a pair like "router.internal:9000"' })
const hostName = Type.String({
  holds: (name: unknown) =>
    typeof name === 'string' && (isIPv6(name) || /^(\*\.)?[^\s/:@*?#[\]]+$/.test(name)),
  must: 'be the name of a host, or "*." and the end of a name, without a port',
})
const port = wholeNumber('a port', 65535)

/** The schema of {@link PrintReadyOptions}. */
export const printReadyOptions = optionsObject(
  {
    /** Pairs `host:port` from which downloads are allowed although they are private, on any port. Default: none. */
    allow: Type.Optional(Type.Array(pair, { must: 'be an array of pairs like "router.internal:9000"' })),
    /** The only hosts from which downloads are allowed; `*.router.example` matches every name below it. Default: all public ones. */
    allowedHosts: Type.Optional(
      Type.Array(hostName, { minItems: 1, must: 'be an array of at least one host name' }),
    ),
    /** Ports of public servers; default 80, 443, 8080. */
    ports: Type.Optional(Type.Array(port, { minItems: 1, must: 'be an array of at least one port' })),
    /** Shared secret (`whsec_` + base64): only notifications with a valid Standard Webhooks signature are accepted. Default: none. */
    secret: Type.Optional(
      Type.String({
        pattern: '^(whsec_)?[A-Za-z0-9+/_-]{22,}={0,2}$',
        must: 'be "whsec_" and at least 16 bytes in base64',
      }),
    ),
    /** Largest print file in bytes; default 512 MiB. */
    maxBytes: Type.Optional(wholeNumber('a number of bytes', Number.MAX_SAFE_INTEGER)),
    /** Seconds for a whole download, redirects included; default 300. */
    maxSeconds: Type.Optional(seconds(86_400)),
    /** Downloads at once in this process; more get 503. Default 4. */
    downloads: Type.Optional(wholeNumber('a number of downloads', 1000)),
    /** Seconds after which another process may resume the work of one that died; default 15. */
    leaseSeconds: Type.Optional(seconds(3600)),
    /** Folder of files that are not stored yet; default: the system's temporary folder. */
    tempDir: Type.Optional(folderOption),
    /** Replaces the system's resolver. Every address is still checked. */
    lookup: Type.Optional(functionOption<Lookup>()),
  },
  'be an object with the settings of the webhook',
)

/** Which print files the webhook fetches, and from where. */
export interface PrintReadyOptions extends OptionsOf<(typeof printReadyOptions)['properties']> {}

export type PrintReadySettings = ReturnType<typeof printReadySettings>

/** The options with their defaults. @throws Error with a sentence if an option is wrong */
export function printReadySettings(options: PrintReadyOptions = {}) {
  const { maxSeconds = 300 } = options
  const download: DownloadSettings = {
    policy: {
      trusted: new Set(options.allow?.map(hostPort)),
      allowedHosts: options.allowedHosts,
      ports: options.ports ?? [80, 443, 8080],
    },
    limits: { bytes: options.maxBytes ?? 512 * 1024 * 1024, seconds: maxSeconds },
    tempDir: options.tempDir ?? tmpdir(),
    lookup: options.lookup,
  }
  return {
    download,
    downloads: options.downloads ?? 4,
    leaseSeconds: options.leaseSeconds ?? 15,
    /** Seconds that the local disk may take for a file. */
    storingSeconds: Math.max(10, Math.min(60, maxSeconds / 2)),
    /** Seconds that a remote storage may take, because an upload may be as slow as the download. */
    pushSeconds: maxSeconds,
    /** Seconds that the print provider may take for an order. */
    providerSeconds: 60,
    /** Seconds between sweeps of abandoned files, so that none remains for longer than twice the download timeout. */
    sweepSeconds: Math.max(1, maxSeconds / 8),
    /** Undefined if signatures are not required. */
    secret: options.secret === undefined ? undefined : webhookSecret('printReady.secret', options.secret),
  }
}

/** The schema of {@link ExportServiceOptions}. */
export const exportServiceOptions = optionsObject(
  {
    /** URL that receives the request as a JSON POST. */
    url: httpUrl('(\\?[^\\s#]*)?', 'be an http or https URL without credentials'),
    /** Seconds to wait for its response; default 10. */
    seconds: Type.Optional(seconds(180)),
  },
  'be an object with the url of the service',
)

/** A service that draws print files, to which exports are sent. */
export interface ExportServiceOptions extends OptionsOf<(typeof exportServiceOptions)['properties']> {}

/** Maximum seconds that an export may wait. */
export const maxWait = 180

/** The schema of {@link ExportOptions}. */
export const exportOptions = optionsObject(
  {
    /** Seconds that an export waits for its file, 0 to 180; a client may override it. Default 30. */
    wait: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: maxWait,
        must: `be a number of seconds from 0 to ${maxWait}`,
      }),
    ),
  },
  'be an object such as { wait: 30 }',
)

/** How long an export waits for its file. */
export interface ExportOptions extends OptionsOf<(typeof exportOptions)['properties']> {}

/** The schema of a host's print provider: an object with the method `upsertDraft`, further properties allowed. */
export const printProvider = Type.Object(
  { upsertDraft: functionOption('be a method of the provider') },
  { must: 'be an object with the method upsertDraft' },
)

/** The schema of {@link PrintfulOptions}. */
export const printfulOptions = optionsObject(
  {
    /** Base URL of the API. Default: https://api.printful.com. */
    url: Type.Optional(httpUrl('', 'be an http or https URL without credentials and query')),
  },
  'be an object with the url of the API',
)

/** Where Printful is reached. */
export interface PrintfulOptions extends OptionsOf<(typeof printfulOptions)['properties']> {}
