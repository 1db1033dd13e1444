// The options of the functions of this room, and the schemas that check them.
import { Type } from '@sinclair/typebox'
import { type ChangeOptions, changeOptions } from '../changes/options.ts'
import { booleanOption, functionOption, type OptionsOf, optionsObject } from '../core/check-options.ts'
import type { Listener } from '../db/after-commit.ts'
import { type DatabaseSettings, databaseOptions, listenerOptions, migrationOptions } from '../db/options.ts'
import type { MetaChange } from '../orders/source.ts'
import {
  type StorageOptions,
  storageOptions,
  type UploadsOptions,
  uploadsOptions,
} from '../storage/options.ts'

const must = 'be an object that names the database'

const files = {
  /** The CMS's uploads folder and its public URL. Files in other folders cannot be read. */
  uploads: Type.Optional(Type.Unsafe<UploadsOptions>(uploadsOptions)),
  /** As the API has it. Default: as the shop's settings say. */
  storage: Type.Optional(Type.Unsafe<StorageOptions>(storageOptions)),
}

const installation = { ...databaseOptions, ...files }

/** The location of an installation, as in the options of the API. */
export interface InstallationSettings extends DatabaseSettings, OptionsOf<typeof files> {}

/** The schema of {@link InstallationSettings}. */
export const installationOptions = optionsObject(installation, must)

const erasure = {
  /** The customer's e-mail address. Upper and lower case of ASCII letters and surrounding whitespace do not count. */
  mail: Type.String({ must: 'be an e-mail address' }),
  /** Only reports what would be done. Default false. */
  dryRun: Type.Optional(booleanOption),
  /** Called after commit with the changed meta of an order or account of the CMS, as the API's option of this name. */
  onMetaChanged: Type.Optional(functionOption<Listener<MetaChange>>()),
  /** Called now and then with what is being done, for example `wp_postmeta` or `order 3 of 70`. */
  onProgress: Type.Optional(functionOption<(state: string) => void>()),
}

/** The schema of {@link EraseCustomerOptions}. */
export const eraseCustomerOptions = optionsObject(
  { ...installation, ...changeOptions, ...erasure },
  'be an object that names the database and the e-mail address',
)

/**
 * Whose data is erased, the installation, and the listeners. Pass `audit` and `webhooks` as the API has them: events are
 * written with each order, and a running server delivers them.
 */
export interface EraseCustomerOptions
  extends InstallationSettings,
    ChangeOptions,
    OptionsOf<typeof erasure> {}

/** The schema of the argument of `migrate`. */
export const migrateOptions = optionsObject(
  { ...databaseOptions, ...changeOptions, ...listenerOptions, ...migrationOptions },
  must,
)

/** The schema of the argument of `ensureToken`. */
export const tokenOptions = optionsObject(
  {
    ...databaseOptions,
    ...changeOptions,
    ...listenerOptions,
    token: Type.Optional(Type.String({ pattern: '^[0-9A-Fa-f]{64}$', must: 'be 64 hexadecimal digits' })),
  },
  must,
)

/** The schema of the argument of `cmsUrl`. */
export const cmsUrlOptions = optionsObject(databaseOptions, must)
