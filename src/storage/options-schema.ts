// Schemas of the storage options.
import type { TSchema } from '@sinclair/typebox'
import { booleanOption, folderOption, httpUrl, optionsObject, wholeNumber } from '../core/check-options.ts'
import { Type } from '../core/typebox.ts'
import type { DropboxOptions, S3Options, StorageOptions } from './cloud-settings.ts'

const name = Type.String({ minLength: 1, must: 'be a string that is not empty' })
const url = httpUrl('', 'be an absolute http or https URL without credentials, query and fragment')

/** Names of storages stand in a column of 32 characters, some with a mark in front. */
const ownName = /^[a-z][a-z0-9-]{0,19}$/
const taken = ['none', 'local', 's3', 'dropbox', 'own', 'deleted']
const operations = ['put', 'open', 'stat', 'list', 'keys', 'remove', 'url']

const isStorage = (value: unknown) =>
  operations.every((operation) => typeof Reflect.get(Object(value), operation) === 'function')

const areStorages = (value: object) =>
  Object.entries(value).every(([key, files]) => ownName.test(key) && !taken.includes(key) && isStorage(files))

export const uploadsOptions = optionsObject(
  {
    dir: folderOption,
    url: httpUrl('', 'be an absolute http or https URL without credentials, query and fragment'),
  },
  'be an object with dir and url',
)

export const storageOptions = optionsObject(
  {
    use: Type.Optional(
      Type.String({
        pattern: ownName.source,
        must: 'be "none", "s3", "dropbox" or a name in storage.own',
      }),
    ),
    s3: Type.Optional(
      optionsObject(
        {
          endpoint: Type.Optional(url),
          region: Type.Optional(name),
          bucket: Type.Optional(name),
          rootDir: Type.Optional(Type.String({ must: 'be a path in the bucket' })),
          accessKeyId: Type.Optional(name),
          secretAccessKey: Type.Optional(name),
          pathStyle: Type.Optional(booleanOption),
          publicUrl: Type.Optional(url),
          presignSeconds: Type.Optional(wholeNumber('a number of seconds', 604_800)),
        } satisfies Record<keyof S3Options, TSchema>,
        'be an object with the settings of S3',
      ),
    ),
    dropbox: Type.Optional(
      optionsObject(
        {
          clientId: Type.Optional(name),
          clientSecret: Type.Optional(name),
          refreshToken: Type.Optional(name),
          rootDir: Type.Optional(Type.String({ must: 'be a path in the Dropbox' })),
          urls: Type.Optional(optionsObject({ api: url, content: url }, 'be an object with api and content')),
        } satisfies Record<keyof DropboxOptions, TSchema>,
        'be an object with the settings of Dropbox',
      ),
    ),
    own: Type.Optional(
      Type.Any({
        holds: (value: unknown) => typeof value === 'object' && value !== null && areStorages(value),
        must: `be an object of storages with the methods ${operations.join(', ')}, by names such as "vault"`,
      }),
    ),
  } satisfies Record<keyof StorageOptions, TSchema>,
  'be an object such as { use: "s3" }',
)
