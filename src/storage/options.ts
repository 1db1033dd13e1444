// The options `uploads` and `storage` of a registration. The documents are generated from the comments.
import { type TOptional, Type } from '@sinclair/typebox'
import { folderOption, type OptionsOf, optionsObject, valueOption } from '../core/check-options.ts'
import { membersOf } from '../core/foreign.ts'
import { urlOption } from './remote-storage.ts'
import { type builtIn, type RemoteStorageName, remoteStorages } from './remote-storages.ts'
import type { FileStorage } from './storage.ts'

/** Matches the name of a storage. It is stored in a column of 32 characters, for some rows with a prefix. */
const storageName = /^[a-z][a-z0-9-]{0,19}$/
const remoteNames = remoteStorages.map(({ name }) => name)
/** Names that a storage of the host cannot have, because options, settings and rows store these words in the same places. */
const reservedNames: readonly string[] = ['none', 'local', ...remoteNames, 'own', 'deleted']
const operations = ['put', 'open', 'stat', 'keys', 'remove', 'url']

const isStorage = (value: unknown) =>
  operations.every((operation) => typeof membersOf(value)[operation] === 'function')

const areStorages = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(
    ([name, storage]) => storageName.test(name) && !reservedNames.includes(name) && isStorage(storage),
  )

/** Schema of the option `uploads`. */
export const uploadsOptions = optionsObject(
  {
    /** Path of the folder. @example '/var/www/wp-content/uploads' */
    dir: folderOption,
    /** URL under which a web server serves the folder. @example 'https://shop.example/wp-content/uploads' */
    url: urlOption,
  },
  'be an object with dir and url',
)

/** The CMS's uploads folder and its public URL. */
export interface UploadsOptions extends OptionsOf<(typeof uploadsOptions)['properties']> {}

type RemoteOptions = { [K in RemoteStorageName]: TOptional<(typeof builtIn)[K]['options']> }

/** The option of each remote storage. The type is asserted, because `Object.fromEntries` does not infer names. */
const remoteOptions = Object.fromEntries(
  remoteStorages.map(({ name, options }) => [name, Type.Optional(options)]),
) as RemoteOptions

/** Schema of the option `storage`. */
export const storageOptions = optionsObject(
  {
    /**
     * Where new uploads and print files go: `none` (the uploads folder), a remote storage, or a name in `own`. Default: the
     * setting `svc_ae_cloud`, which takes effect without a restart. Stored files stay where they are and remain accessible.
     */
    use: Type.Optional(
      Type.String({
        pattern: storageName.source,
        must: `be "none", ${remoteNames.map((name) => `"${name}"`).join(', ')} or a name in storage.own`,
      }),
    ),
    ...remoteOptions,
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
