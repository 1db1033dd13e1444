// What a host may say about storages.
import { Type } from '@sinclair/typebox'
import {
  booleanOption,
  folderOption,
  httpUrl,
  type OptionsOf,
  optionsObject,
  valueOption,
  wholeNumber,
} from '../core/check-options.ts'
import type { FileStorage } from './storage.ts'

const name = Type.String({ minLength: 1, must: 'be a string that is not empty' })
const url = httpUrl('', 'be an absolute http or https URL without credentials, query and fragment')

/** Names of storages stand in a column of 32 characters, some with a mark in front. */
const ownName = /^[a-z][a-z0-9-]{0,19}$/
const taken = ['none', 'local', 's3', 'dropbox', 'own', 'deleted']
const operations = ['put', 'open', 'stat', 'keys', 'remove', 'url']

const isStorage = (value: unknown) =>
  operations.every((operation) => typeof Reflect.get(Object(value), operation) === 'function')

const areStorages = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(([key, files]) => ownName.test(key) && !taken.includes(key) && isStorage(files))

export const uploadsOptions = optionsObject(
  {
    /** Path of the folder. @example '/var/www/wp-content/uploads' */
    dir: folderOption,
    /** URL under which a web server serves the folder. @example 'https://shop.example/wp-content/uploads' */
    url,
  },
  'be an object with dir and url',
)

/** The CMS's uploads folder and its public URL. */
export interface UploadsOptions extends OptionsOf<(typeof uploadsOptions)['properties']> {}

const s3Options = optionsObject(
  {
    /** Base URL of another vendor's storage; default: AWS in the region. */
    endpoint: Type.Optional(url),
    /** Region of the bucket. Default: the setting `svc_ae_s3_region`, else us-east-2. */
    region: Type.Optional(name),
    /** Name of the bucket. Default: the setting `svc_ae_s3_bucket`. */
    bucket: Type.Optional(name),
    /** Folder in the bucket; default: the setting `svc_ae_s3_root_dir`, else svc-print-ready-files. */
    rootDir: Type.Optional(Type.String({ must: 'be a path in the bucket' })),
    /** Id of the access key. Default: `svc_ae_s3_access_key`; where that is empty, the credentials of the environment (role, profile, variables). */
    accessKeyId: Type.Optional(name),
    /** Secret of the access key. Default: `svc_ae_s3_access_secret`. */
    secretAccessKey: Type.Optional(name),
    /** The bucket as the first part of the path. Default: true where `endpoint` is set. */
    pathStyle: Type.Optional(booleanOption),
    /** Base URL under which `rootDir` is public, e.g. a CDN. Default: the bucket's own URL. */
    publicUrl: Type.Optional(url),
    /** Seconds for which URLs are signed, where the bucket is private; at most a week. Default: they are not signed. */
    presignSeconds: Type.Optional(wholeNumber('a number of seconds', 604_800)),
  },
  'be an object with the settings of S3',
)

/** A bucket of S3, or of a storage that speaks its protocol. */
export interface S3Options extends OptionsOf<(typeof s3Options)['properties']> {}

const dropboxOptions = optionsObject(
  {
    /** Key of the app. Default: the setting `svc_ae_dropbox_client_id`. */
    clientId: Type.Optional(name),
    /** Secret of the app. Default: the setting `svc_ae_dropbox_client_secret`. */
    clientSecret: Type.Optional(name),
    /** Lasting permission of the Dropbox's owner. Default: the setting `svc_ae_dropbox_refresh_token`. */
    refreshToken: Type.Optional(name),
    /** Folder in the Dropbox, or in the app's own folder. Default: none. */
    rootDir: Type.Optional(Type.String({ must: 'be a path in the Dropbox' })),
    /** Base URLs of another server, which tests use. */
    urls: Type.Optional(optionsObject({ api: url, content: url }, 'be an object with api and content')),
  },
  'be an object with the settings of Dropbox',
)

/** A Dropbox, and the app that may write to it. */
export interface DropboxOptions extends OptionsOf<(typeof dropboxOptions)['properties']> {}

export const storageOptions = optionsObject(
  {
    /**
     * Where new uploads and print files go: `none` (the uploads folder), `s3`, `dropbox`, or a name in `own`. Default: the
     * setting `svc_ae_cloud`, which takes effect without a restart. Stored files stay where they are and remain accessible.
     */
    use: Type.Optional(
      Type.String({ pattern: ownName.source, must: 'be "none", "s3", "dropbox" or a name in storage.own' }),
    ),
    /** The bucket, for `s3`. Default: as the shop's settings say. */
    s3: Type.Optional(Type.Unsafe<S3Options>(s3Options)),
    /** The Dropbox, for `dropbox`. Default: as the shop's settings say. */
    dropbox: Type.Optional(Type.Unsafe<DropboxOptions>(dropboxOptions)),
    /** Storages of your own by name: 1 to 20 lower-case letters, digits and dashes. Test them with `svc-api/testing`. */
    own: Type.Optional(
      valueOption<Record<string, FileStorage>>(
        areStorages,
        `be an object of storages with the methods ${operations.join(', ')}, by names such as "vault"`,
      ),
    ),
  },
  'be an object such as { use: "s3" }',
)

/** Where uploads and print files are stored. */
export interface StorageOptions extends OptionsOf<(typeof storageOptions)['properties']> {}
