// Finds the storage for new files, the storage of a stored file, and its public URL, by the options of the host and the settings of the
// shop. Opened by app/open-storages.ts for a server, and by upkeep/installation.ts for the commands.
import { SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { guarded, traced } from './guarded.ts'
import type { LocalStorage } from './local.ts'
import type { StorageOptions } from './options.ts'
import { type RemoteConnection, type StoredSettings, storedText } from './remote-storage.ts'
import { cloudKeys, remoteStorage } from './remote-storages.ts'
import type { FileStorage } from './storage.ts'

/** Where a file is stored, as its row says. */
export interface FileLocation {
  /** `local`, `s3`, `dropbox` or the name of a storage of the host. */
  storage: string
  /** What a remote storage needs in addition to the key: bucket and folder when the file was stored; null for any other storage. */
  location: string | null
}

export interface StoredAt extends FileLocation {
  key: string
  /** The URL that was stored with it, for storages whose URLs are lasting. */
  url?: string | null
}

/** The storage for new files, with the location to store in their rows. */
export interface Target extends FileLocation {
  files: FileStorage
}

/** The location of files in the uploads folder. */
export const localLocation: FileLocation = { storage: 'local', location: null }
/** Whether a file is in the uploads folder. */
export const isLocal = ({ storage }: Pick<FileLocation, 'storage'>) => storage === localLocation.storage

interface Services {
  /** Undefined if the host has configured no uploads folder. */
  local: LocalStorage | undefined
  options: StorageOptions | undefined
  /** Reads the option rows. */
  readSettings(keys: readonly string[]): Promise<StoredSettings>
}

/** Maximum number of open clients; beyond it the least recently used one is closed. */
const maxClients = 10

/**
 * The storages of an installation. Each call reads the settings anew, so that changes take effect at once; clients with the same
 * settings are shared.
 */
export function storages({ local, options = {}, readSettings }: Services) {
  /** By name and settings, the least recently used one first. */
  const clients = new Map<string, { files: FileStorage; close(): Promise<void> }>()
  const settings = () => readSettings(cloudKeys)

  /** The client for these settings, which is opened on first use. */
  function client(name: string, { settings, open }: RemoteConnection): FileStorage {
    const id = JSON.stringify([name, settings])
    const cached = clients.get(id)
    if (cached) {
      clients.delete(id)
      clients.set(id, cached)
      return cached.files
    }
    const opened = open()
    const files = traced(guarded(opened))
    clients.set(id, { files, close: async () => opened.close?.() })
    const [oldest] = clients
    if (clients.size > maxClients && oldest) {
      clients.delete(oldest[0])
      oldest[1].close().catch(() => {})
    }
    return files
  }

  /** The storage of the host with this name, which the host closes; undefined if it has none. */
  function hostStorage(name: string): FileStorage | undefined {
    const files = Object.hasOwn(options.own ?? {}, name) ? options.own?.[name] : undefined
    return files && traced(guarded(files))
  }

  /** The value. @throws SvcError 503 if it is a sentence about a problem */
  function unlessProblem<T>(value: T | string): T {
    if (typeof value === 'string') throw new SvcError('svc_storage_not_configured', { message: value })
    return value
  }

  /** The storage for new files by the current settings. @throws SvcError 503 if they are incomplete */
  function targetOf(stored: StoredSettings): Target {
    const name = options.use ?? storedText(stored, 'svc_ae_cloud') ?? 'none'
    const storage = name === 'none' ? localLocation.storage : name
    if (storage === localLocation.storage && !local) throw new SvcError('svc_storage_not_configured')
    const place = { storage, location: connection(storage, stored)?.location ?? null }
    return { ...place, files: filesAt(place, stored) }
  }

  /** The settings of the remote storage with this name, for new files or those of a location; undefined if none is built in. */
  function connection(
    storage: string,
    stored: StoredSettings,
    location?: string | null,
  ): RemoteConnection | undefined {
    const remote = remoteStorage(storage)
    const remoteOptions = membersOf(membersOf(options)[storage])
    return remote && unlessProblem(remote.connect(remoteOptions, stored, location))
  }

  /** The storage at a location, with the current credentials. @throws SvcError 503 if it is not configured */
  function filesAt({ storage, location }: FileLocation, stored: StoredSettings): FileStorage {
    if (storage === localLocation.storage) return unlessProblem(local ?? notConfigured(storage))
    const remote = connection(storage, stored, location)
    return remote ? client(storage, remote) : unlessProblem(hostStorage(storage) ?? notConfigured(storage))
  }

  /** The public URL of a file; null if none is known. */
  async function urlAt({ key, url, ...place }: StoredAt, stored: StoredSettings): Promise<string | null> {
    try {
      const files = filesAt(place, stored)
      return files.lastingUrls && url ? url : await files.url(key)
    } catch (error) {
      // The storage is no longer configured, or fails, but the stored URL may still work.
      if (!(error instanceof SvcError)) throw error
      return url || null
    }
  }

  return {
    local,

    /** The storage for new files. @throws SvcError 503 `svc_storage_not_configured` */
    current: async (): Promise<Target> => targetOf(options.use === 'none' ? new Map() : await settings()),

    /** The storage of a stored file. @throws SvcError 503 `svc_storage_not_configured` if it is no longer configured */
    at: async (place: FileLocation): Promise<FileStorage> =>
      filesAt(place, isLocal(place) ? new Map() : await settings()),

    /** Public URLs of these files, in their order; null if none is known. */
    async urls(files: readonly (StoredAt | undefined)[]): Promise<(string | null)[]> {
      const stored = files.some((file) => file && !isLocal(file)) ? await settings() : new Map()
      return Promise.all(files.map((file) => (file ? urlAt(file, stored) : null)))
    },

    /** The name of the storage that takes new files; undefined if it is not configured. */
    async active(): Promise<string | undefined> {
      try {
        return targetOf(await settings()).storage
      } catch (error) {
        if (error instanceof SvcError) return undefined
        throw error
      }
    },

    /** Closes the clients of remote storages. The host closes its storages. */
    async close(): Promise<void> {
      await Promise.all([...clients.values()].map(({ close }) => close().catch(() => {})))
    },
  }
}

export type Storages = ReturnType<typeof storages>

const notConfigured = (name: string) => `The file storage "${name}" is not configured.`
