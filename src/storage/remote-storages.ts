// The remote storages that are built in. A new one is a line here and its own file.
import { dropboxRemote } from './dropbox.ts'
import type { RemoteStorage } from './remote-storage.ts'
import { s3Remote } from './s3.ts'

/** By name. The comments describe the options of `storage`. */
export const builtIn = {
  /** The Dropbox, for `dropbox`. Default: as the shop's settings say. */
  dropbox: dropboxRemote,
  /** The bucket, for `s3`. Default: as the shop's settings say. */
  s3: s3Remote,
}

export type RemoteStorageName = keyof typeof builtIn

export const remoteStorages: readonly (RemoteStorage & { name: RemoteStorageName })[] = Object.values(builtIn)

export const remoteStorage = (name: string): RemoteStorage | undefined =>
  remoteStorages.find((storage) => storage.name === name)

/** Keys of the settings, whose rows are read before each use. */
export const cloudKeys: readonly string[] = [
  'svc_ae_cloud',
  ...remoteStorages.flatMap(({ settings }) => settings.map(({ id }) => id)),
]

/** Whether the key is one of a setting that decides where files are stored. */
export const isStorageKey = (key: string): boolean =>
  key === 'svc_ae_cloud' || remoteStorages.some(({ name }) => key.startsWith(`svc_ae_${name}_`))
