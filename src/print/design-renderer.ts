// Creates the renderer with access to the files of an installation: fonts and pictures in its storages, pictures of other hosts.
import type { Readable } from 'node:stream'
import type { Database } from '../db/connect.ts'
import { svcFolders } from '../files/folders.ts'
import { createRenderer } from '../renderer/renderer.ts'
import type { RendererOptions } from '../renderer/renderer-options.ts'
import { isLocal, type Storages } from '../storage/storages.ts'
import { type DownloadSettings, downloader } from './download.ts'

/** The files that designs may use. */
export interface DesignFiles {
  database: Database
  storages: Storages
  /** Public URL of the uploads folder. */
  uploadsUrl: string | undefined
  siteUrl: string
  download: DownloadSettings
  /** The maximum megapixels of a picture. */
  pictureMegapixels: () => Promise<number>
  /** Called for failures outside of requests. */
  warn: (error: unknown, message: string) => void
}

/** Limits of downloading a picture of a design; all of them together have less time. */
const pictureLimits = { bytes: 64 * 1024 * 1024, seconds: 30 }
/** Keys of uploads that are tried for one URL. */
const maxCandidates = 10

/** The renderer; the caller stops it. @throws Error with a sentence if a package is missing */
export function designRenderer(files: DesignFiles, options: RendererOptions) {
  const { database, storages, uploadsUrl, siteUrl, download, pictureMegapixels, warn } = files
  const pictures = downloader({
    ...download,
    policy: { ...download.policy, urlName: 'Its URL' },
    limits: pictureLimits,
  })
  return createRenderer({
    options,
    storage: storages.local,
    uploadsUrl,
    siteUrl,
    tempDir: download.tempDir,
    pictureMegapixels,
    warn,
    openStored: remotePictures(database, storages),
    download: async (url, signal, budget) => {
      const file = await pictures.fetch(pictures.checkUrl(url), signal, budget)
      return { path: file.path, discard: () => pictures.discard(file) }
    },
  })
}

/**
 * Returns a function that opens an upload in a remote storage by its public URL; undefined for any other URL. It is read from the
 * storage, because the URL may not be public. The function throws if the storage fails.
 */
function remotePictures({ db, t }: Database, storages: Storages) {
  return async (url: string): Promise<Readable | undefined> => {
    const path = pathOf(url)
    const candidates = keysIn(path)
    if (candidates.length === 0) return undefined
    const rows = await db
      .selectFrom(t.assets)
      .select(['key', 'storage', 'location', 'url'])
      .where('key', 'in', candidates)
      // Rows without a type are no assets: tombstones, and other files.
      .where('mime_type', '!=', '')
      .execute()
    for (const { key: name, ...row } of rows) {
      if (isLocal(row)) continue
      const key = `${svcFolders.assets}/${name}`
      const [storedUrl] = await storages.urls([{ ...row, key }])
      if (storedUrl && pathOf(storedUrl) === path) return (await storages.at(row)).open(key)
    }
    return undefined
  }
}

/** Host and path of a URL, which identify a file: signed URLs differ in their queries. */
function pathOf(url: string): string {
  const { host, pathname } = new URL(url)
  try {
    return `${host}${decodeURIComponent(pathname)}`
  } catch {
    return `${host}${pathname}`
  }
}

/** The possible keys of an asset in a path: what follows each folder of assets, because a storage may have one within another. */
function keysIn(path: string): string[] {
  const parts = path.split(`/${svcFolders.assets}/`)
  return parts
    .slice(1, maxCandidates + 1)
    .map((_, index) => parts.slice(index + 1).join(`/${svcFolders.assets}/`))
    .filter((key) => key !== '')
}
