// The storages of an installation without a remote one.
import type { LocalStorage } from '../../src/storage/local.ts'
import type { FileStorage } from '../../src/storage/storage.ts'
import { type Storages, storages } from '../../src/storage/storages.ts'

/** @param files takes the place of the uploads folder; print files need no more than the contract of it */
export const onlyLocal = (files: FileStorage | LocalStorage): Storages =>
  storages({ local: files as LocalStorage, options: { use: 'none' }, read: async () => new Map() })
