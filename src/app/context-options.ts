// The options of a registration, and what its listeners are called with. The documents and declarations are generated from the comments.
import { type TSchema, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { type ChangeOptions, changeOptions } from '../changes/options.ts'
import {
  baseUrlOption,
  booleanOption,
  fastifyOptions,
  functionOption,
  httpUrl,
  type OptionsOf,
  optionsObject,
  seconds,
  stringOption,
  valueOption,
  wholeNumber,
} from '../core/check-options.ts'
import { problemInTemplate } from '../core/print-name.ts'
import type { Scope } from '../core/scopes.ts'
import type { Listener } from '../db/after-commit.ts'
import { type DatabaseSettings, databaseOptions, migrationOptions } from '../db/options.ts'
import { autoPrintOption } from '../orders/auto-print-options.ts'
import type { MetaChange } from '../orders/source.ts'
import type { PrintJobChange } from '../print/complete-job.ts'
import { type DeliverOptions, deliverOptions } from '../print/delivery-options.ts'
import {
  type ExportOptions,
  type ExportServiceOptions,
  exportOptions,
  exportServiceOptions,
  type PrintfulOptions,
  type PrintReadyOptions,
  printfulOptions,
  printProvider,
  printReadyOptions,
} from '../print/options.ts'
import type { PrintProvider } from '../print/providers/provider.ts'
import { rendererOption } from '../renderer/renderer-options.ts'
import { type Setting, textFormats } from '../settings/setting.ts'
import {
  type StorageOptions,
  storageOptions,
  type UploadsOptions,
  uploadsOptions,
} from '../storage/options.ts'

/** An order that this API created, reported after commit. */
export interface OrderCreated {
  type: 'shortcode'
  id: number
}

/** A login of the host. */
export interface HostPrincipal {
  /** The user's name for logs and change events: 1 to 200 characters without control characters. */
  name: string
  /** `all`, or what the user may do. An empty array grants nothing. @example ['read', 'products:write'] */
  scopes: 'all' | readonly Scope[]
}

/** What `authenticate` returns: the sender of the request, false to refuse it, undefined for an unknown sender. */
export type AuthenticateResult = HostPrincipal | false | undefined

/** The type of the method, which unlike that of a function admits functions that expect a narrower type of request. */
type Authenticate = {
  authenticate(request: FastifyRequest): AuthenticateResult | Promise<AuthenticateResult>
}['authenticate']

/** Maximum bytes of a body: larger values could not be read again once they are stored. */
const bytes = wholeNumber('a number of bytes', 32 * 1024 * 1024)
const text = (must: string) => Type.String({ must })

/** A setting of the host. */
const setting = optionsObject(
  {
    id: text('be a key that starts with "svc_"'),
    type: text('be the type of the setting'),
    label: text('be a name'),
    description: text('be a sentence'),
    default: valueOption((value) => value !== undefined, 'be the value when nothing is stored'),
    choices: Type.Optional(Type.Array(stringOption, { must: 'be an array of strings' })),
    minimum: Type.Optional(Type.Number({ must: 'be a number' })),
    maximum: Type.Optional(Type.Number({ must: 'be a number' })),
    format: Type.Optional(text(`be one of ${textFormats.join(', ')}`)),
    secret: Type.Optional(booleanOption),
    readOnly: Type.Optional(booleanOption),
    tab: text('be the slug of a tab'),
    section: text('be the slug of a section'),
    sectionLabel: text('be the name of the section'),
  } satisfies Record<keyof Setting, TSchema>,
  'be an object that describes a setting',
)

/** Options that are defined here, beside those of the database and of changes. */
const registrationOptions = {
  /** Path of the REST root in this app. Default `/wp-json`. @example '/api' */
  baseUrl: Type.Optional(baseUrlOption),
  /** Public URL of the site, base of URLs in responses. Default: the CMS option `home`. @example 'https://shop.example' */
  siteUrl: Type.Optional(
    httpUrl('', 'be an absolute http or https URL without credentials, query and fragment'),
  ),
  /**
   * The CMS's uploads folder and its public URL. Without it `/fonts` responds 503, and so does
   * `/assets` unless a remote storage is used.
   * @example { dir: '/var/www/wp-content/uploads', url: 'https://shop.example/wp-content/uploads' }
   */
  uploads: Type.Optional(Type.Unsafe<UploadsOptions>(uploadsOptions)),
  /**
   * Where uploads and print files are stored. Default: as the shop's settings say. See {@link StorageOptions}.
   * @example { use: 's3', s3: { region: 'eu-central-1', bucket: 'shop-files' } }
   */
  storage: Type.Optional(Type.Unsafe<StorageOptions>(storageOptions)),
  /**
   * Creates missing tables and columns at startup, imports legacy rows. Default `false`, for a new SQLite file `true`.
   * @example { indexes: true }
   */
  migrate: Type.Optional(
    Type.Union(
      [
        Type.Boolean(),
        optionsObject({ indexes: migrationOptions.indexes }, 'be an object such as { indexes: true }'),
      ],
      { must: 'be true, false or { indexes: true }' },
    ),
  ),
  /**
   * Maximum JSON body in bytes: 8 MiB on routes with blobs, 1 MiB elsewhere. `blob` may be up to 32 MiB: parsing a body
   * stops all other requests of the process, for up to 40 ms per MiB on slow machines. @example { blob: 16_777_216 }
   */
  bodyLimits: Type.Optional(
    optionsObject(
      {
        /** Bytes of bodies with designs: products, views, print profiles. Default 8 MiB. */
        blob: Type.Optional(bytes),
        /** Bytes of other bodies. Default 1 MiB. */
        json: Type.Optional(bytes),
      },
      'be an object with the numbers blob and json',
    ),
  ),
  /**
   * Seconds in which an upload must be received. Default 60. Other bodies, and clients that do not read, are limited by your
   * Fastify's `requestTimeout` and `connectionTimeout`. @example 120
   */
  uploadSeconds: Type.Optional(seconds(86_400)),
  /**
   * Your own settings, which behave like ours. Their ids start with `svc_`. See {@link Setting}.
   * @example [{ id: 'svc_shop_note', type: 'text', label: 'Note', description: 'Shown in the cart.', default: '',
   *   tab: 'general', section: 'shop', sectionLabel: 'Shop' }]
   */
  settings: Type.Optional(
    Type.Unsafe<readonly Setting[]>(Type.Array(setting, { must: 'be an array of settings' })),
  ),
  /**
   * Called after commit with the changed option keys. Drop `alloptions`, `notoptions` and each key from the CMS's object
   * cache. Listeners may be async; the response waits for them up to two seconds. Their errors are only logged.
   * @example async (keys) => { await redis.del(['alloptions', 'notoptions', ...keys].map((key) => `wp:options:${key}`)) }
   */
  onOptionsChanged: Type.Optional(functionOption<Listener<string[]>>()),
  /**
   * Called after commit with the changed meta of an object of the CMS, once for each table: `postmeta`,
   * `woocommerce_order_itemmeta`, `wc_orders_meta`, `gf_entry_meta`. Drop the object's entry from the groups `post_meta` and
   * `order_item_meta` of the CMS's object cache, and WooCommerce's own: `wc_object_{id}_cache_prefix` of the group
   * `object_{id}` and, for `wc_orders_meta` with HPOS data caching, the order's entry of the group `orders_meta`.
   * @example ({ table, objectId }) => cache.del(`${table}:${objectId}`)
   */
  onMetaChanged: Type.Optional(functionOption<Listener<MetaChange>>()),
  /** The webhook for print-ready files, strict by default. See {@link PrintReadyOptions}. @example { secret: 'whsec_…' } */
  printReady: Type.Optional(Type.Unsafe<PrintReadyOptions>(printReadyOptions)),
  /** Creates print files from orders. Without it and without `renderer`, exports respond with 503. @example { url: 'https://export.example' } */
  exportService: Type.Optional(Type.Unsafe<ExportServiceOptions>(exportServiceOptions)),
  /**
   * Draws print files and previews on this machine, so that no export service is needed: `true`, or its settings. Needs
   * the package `pdfkit`. Default false.
   */
  renderer: Type.Optional(rendererOption),
  /**
   * States of shop orders that are printed by default: by lists of what is to print, and by `svc-api impose
   * --since`. Default: the setting `svc_printable_statuses`, or else the paid states. @example ['processing', 'packed']
   */
  printableStatuses: Type.Optional(
    Type.Array(stringOption, { must: 'be an array of states such as "processing"' }),
  ),
  /**
   * Names of print files in downloads, archives, storages and delivery folders: a template of the tags `{number}`, `{order}`,
   * `{item}`, `{sku}`, `{product}`, `{attributes}`, `{quantity}`, `{customer}`, `{status}`, `{view}`, `{date}` and `{job}`. Default: the
   * setting `svc_file_name`, or else `{number}-{item}-{sku}`. @example '{date}-{number}-{sku}-{quantity}'
   */
  fileName: Type.Optional(
    Type.String({
      minLength: 1,
      holds: (template: unknown) => problemInTemplate(String(template)) === undefined,
      must: 'be a template of tags such as "{number}-{item}-{sku}", without slashes',
    }),
  ),
  /**
   * Public address of the desk, which the QR codes of tickets name. Default: the address by which the tickets were
   * requested; tickets of exports have no QR code then. @example 'https://shop.example/desk'
   */
  deskUrl: Type.Optional(
    Type.String({ pattern: '^https?://[^\\s/]\\S*$', maxLength: 500, must: 'be an http or https URL' }),
  ),
  /**
   * Makes the print files of orders as soon as they reach a printable state, each item once: `true`, or what is printed and
   * how. Needs `renderer` or `exportService`, and the table `svc_auto_prints`. Default: as the shop's settings say, which is
   * off. See {@link AutoPrintOption}. @example { types: ['wc'], statuses: ['processing'] }
   */
  autoPrint: Type.Optional(autoPrintOption),
  /**
   * Copies finished print files into a folder, such as the hot folder of a press or cutter, or to an SFTP server. See
   * {@link DeliverOptions}. @example { folder: '/mnt/press/in', path: '{date}/{product}' }
   */
  deliver: Type.Optional(Type.Unsafe<DeliverOptions>(deliverOptions)),
  /** How long an export waits for its file. See {@link ExportOptions}. @example { wait: 60 } */
  export: Type.Optional(Type.Unsafe<ExportOptions>(exportOptions)),
  /**
   * Orders print jobs that have a provider's variation. Default: Printful. See {@link PrintProvider}.
   * @example { upsertDraft: async (item) => ({ providerOrder: await shop.order(item) }) }
   */
  printProvider: Type.Optional(Type.Unsafe<PrintProvider>(printProvider)),
  /**
   * Printful, used while the setting `svc_printful_api_key` is set. Without it these jobs fail.
   * @example { url: 'https://api.printful.com' }
   */
  printful: Type.Optional(Type.Unsafe<PrintfulOptions>(printfulOptions)),
  /** Called after commit when this API has created an order. @example ({ id }) => queue.add('order', { id }) */
  onOrderCreated: Type.Optional(functionOption<Listener<OrderCreated>>()),
  /**
   * Called after commit when the status of a print job has changed.
   * @example ({ guid, status }) => log.info({ guid, status })
   */
  onPrintJobChanged: Type.Optional(functionOption<Listener<PrintJobChange>>()),
  /**
   * Your own authentication, for requests that carry no token of this API. Called before the body is read, for at most
   * 3 seconds. Return who sends the request and what they may do, `undefined` if that is nobody you know (then 401 or
   * 403, as without this option), or `false` to refuse with 403. Writes that a browser sends for a page of another site
   * are refused. If it throws, the request fails.
   * @example async (request) => {
   *   const user = await sessionOf(request.headers.cookie)
   *   return user && { name: user.email, scopes: user.isAdministrator ? 'all' : ['read'] }
   * }
   */
  authenticate: Type.Optional(functionOption<Authenticate>()),
}

/** Schemas of all options of the context plugin, without those of Fastify. */
export const contextProperties = { ...databaseOptions, ...changeOptions, ...registrationOptions }

/** The options of the context plugin: the database, and what its groups need. */
export interface SvcContextOptions
  extends DatabaseSettings,
    ChangeOptions,
    OptionsOf<typeof registrationOptions> {}

/** Schema of the options of the context plugin. */
export const contextOptions = optionsObject(
  { ...contextProperties, ...fastifyOptions },
  'be an object that names the database',
)
