// What a host may pass to the functions of this room.
import { type Static, type TObject, Type } from '@sinclair/typebox'
import { changeOptions } from '../changes/options.ts'
import { booleanOption, functionOption, optionsObject } from '../core/check-options.ts'
import type { Listener } from '../db/after-commit.ts'
import { databaseOptions, listenerOptions, migrationOptions } from '../db/options.ts'
import type { MetaChange } from '../orders/source.ts'
import { storageOptions, uploadsOptions } from '../storage/options.ts'

const must = 'be an object that names the database'

const installation = {
  ...databaseOptions,
  /** The CMS's uploads folder and its public URL. Files that lie elsewhere are out of reach. */
  uploads: Type.Optional(uploadsOptions),
  /** As the API has it. Default: as the shop's settings say. */
  storage: Type.Optional(storageOptions),
}

/** The location of an installation, as in the options of the API. */
export type InstallationSettings = Static<TObject<typeof installation>>

export const installationOptions = optionsObject(installation, must)

export const eraseCustomerOptions = optionsObject(
  {
    ...installation,
    ...changeOptions,
    /** The customer's e-mail address. Upper and lower case of ASCII letters and surrounding whitespace do not count. */
    mail: Type.String({ must: 'be an e-mail address' }),
    /** Only reports what would be done. Default false. */
    dryRun: Type.Optional(booleanOption),
    /** Called after commit with the changed meta of an order or account of the CMS, as the API's option of this name. */
    onMetaChanged: Type.Optional(functionOption<Listener<MetaChange>>()),
    /** Called now and then with what is being done, for example `wp_postmeta` or `order 3 of 70`. */
    onProgress: Type.Optional(functionOption<(state: string) => void>()),
  },
  'be an object that names the database and the e-mail address',
)

/**
 * Whose data is erased, where it lies, and who hears of it. Pass `audit` and `webhooks` as the API has them: events are
 * written with each order, and a running server delivers them.
 */
export type EraseCustomerOptions = Static<typeof eraseCustomerOptions>

export const migrateOptions = optionsObject(
  { ...databaseOptions, ...changeOptions, ...listenerOptions, ...migrationOptions },
  must,
)

export const tokenOptions = optionsObject(
  {
    ...databaseOptions,
    ...changeOptions,
    ...listenerOptions,
    token: Type.Optional(Type.String({ pattern: '^[0-9A-Fa-f]{64}$', must: 'be 64 hexadecimal digits' })),
  },
  must,
)

export const cmsUrlOptions = optionsObject(databaseOptions, must)
