// What a host may say when it checks an installation, or erases a customer's data.

import { changeOptions } from '../changes/options-schema.ts'
import { booleanOption, functionOption, optionsObject } from '../check-options.ts'
import { databaseOptions } from '../db/options-schema.ts'
import { storageOptions, uploadsOptions } from '../storage/options-schema.ts'
import { Type } from '../typebox.ts'

const installation = {
  ...databaseOptions,
  uploads: Type.Optional(uploadsOptions),
  storage: Type.Optional(storageOptions),
}

export const checkOptionsSchema = optionsObject(installation, 'be an object that names the database')

export const eraseCustomerSchema = optionsObject(
  {
    ...installation,
    ...changeOptions,
    mail: Type.String({ must: 'be an e-mail address' }),
    dryRun: Type.Optional(booleanOption),
    onProgress: Type.Optional(functionOption),
  },
  'be an object that names the database and the e-mail address',
)
