// What a host may pass to the functions of this room.

import { changeOptions } from '../changes/options-schema.ts'
import { booleanOption, functionOption, optionsObject } from '../core/check-options.ts'
import { Type } from '../core/typebox.ts'
import { databaseOptions } from '../db/options-schema.ts'
import { storageOptions, uploadsOptions } from '../storage/options-schema.ts'

const installation = {
  ...databaseOptions,
  uploads: Type.Optional(uploadsOptions),
  storage: Type.Optional(storageOptions),
}

const must = 'be an object that names the database'

export const checkOptionsSchema = optionsObject(installation, must)

export const eraseCustomerSchema = optionsObject(
  {
    ...installation,
    ...changeOptions,
    mail: Type.String({ must: 'be an e-mail address' }),
    dryRun: Type.Optional(booleanOption),
    onProgress: Type.Optional(functionOption),
    onMetaChanged: Type.Optional(functionOption),
  },
  'be an object that names the database and the e-mail address',
)

const listeners = { ...changeOptions, onOptionsChanged: Type.Optional(functionOption) }

export const migrateOptions = optionsObject(
  {
    ...databaseOptions,
    ...listeners,
    indexes: Type.Optional(booleanOption),
    dryRun: Type.Optional(booleanOption),
  },
  must,
)

export const tokenOptions = optionsObject(
  {
    ...databaseOptions,
    ...listeners,
    token: Type.Optional(Type.String({ pattern: '^[0-9A-Fa-f]{64}$', must: 'be 64 hexadecimal digits' })),
  },
  must,
)

export const cmsUrlOptions = optionsObject({ ...databaseOptions }, must)
