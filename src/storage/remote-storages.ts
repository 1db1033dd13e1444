// The list of built-in remote storages. A new one is a file of its own and a line here.
import { dropboxRemote } from './dropbox.ts'
import type { RemoteStorage } from './remote-storage.ts'
import { s3Remote } from './s3.ts'

/** The declarations by name. The comments describe the options of `storage` in documents. */
export const builtIn = {
  /** The Dropbox, for `dropbox`. Default: as the shop's settings say. */
  dropbox: dropboxRemote,
  /** The bucket, for `s3`. Default: as the shop's settings say. */
  s3: s3Remote,
}

export type RemoteStorageName = keyof typeof builtIn

/** All declarations. */
export const remoteStorages: readonly (RemoteStorage & { name: RemoteStorageName })[] = Object.values(builtIn)

/** The declaration with this name; undefined if none is built in. */
export const remoteStorage = (name: string): RemoteStorage | undefined =>
  remoteStorages.find((storage) => storage.name === name)

/** Keys of all settings about storages. Their rows are read before each use of a remote storage, and to choose that of new files. */
export const cloudKeys: readonly string[] = [
  'svc_ae_cloud',
  ...remoteStorages.flatMap(({ settings }) => settings.map(({ id }) => id)),
]

/** Whether a key is that of a setting about storages. */
export const isStorageKey = (key: string): boolean =>
  key === 'svc_ae_cloud' || remoteStorages.some(({ name }) => key.startsWith(`svc_ae_${name}_`))
