// What a host may say when it checks an installation.

import { optionsObject } from '../check-options.ts'
import { databaseOptions } from '../db/options-schema.ts'
import { storageOptions, uploadsOptions } from '../storage/options-schema.ts'
import { Type } from '../typebox.ts'

export const checkOptionsSchema = optionsObject(
  { ...databaseOptions, uploads: Type.Optional(uploadsOptions), storage: Type.Optional(storageOptions) },
  'be an object that names the database',
)
