// The renderer with the files of an installation: fonts and pictures in its storages, and pictures of other hosts.
import type { Readable } from 'node:stream'
import type { Database } from '../db/connect.ts'
import { svcFolders } from '../files/folders.ts'
import { createRenderer } from '../renderer/renderer.ts'
import type { RendererOptions } from '../renderer/renderer-options.ts'
import { isLocal, type Storages } from '../storage/storages.ts'
import { type DownloadSettings, downloader } from './download.ts'

export interface DesignFiles {
  database: Database
  storages: Storages
  /** Public URL of the uploads folder, and of the site. */
  uploadsUrl: string | undefined
  siteUrl: string
  download: DownloadSettings
  /** Called for failures outside of requests. */
  warn: (error: unknown, message: string) => void
}

/** Limits of downloading a picture of a design; all of them together have less time. */
const pictureLimits = { bytes: 64 * 1024 * 1024, seconds: 30 }
/** Keys of uploads that are tried for one URL. */
const maxCandidates = 10

/** @throws Error with a sentence if a package is missing */
export function designRenderer(files: DesignFiles, options: RendererOptions) {
  const { database, storages, uploadsUrl, siteUrl, download, warn } = files
  const pictures = downloader({ ...download, limits: pictureLimits })
  return createRenderer({
    options,
    storage: storages.local,
    uploadsUrl,
    siteUrl,
    tempDir: download.tempDir,
    warn,
    own: ownPictures(database, storages),
    download: async (url, signal, budget) => {
      const file = await pictures.fetch(pictures.checkUrl(url), signal, budget)
      return { path: file.path, discard: () => pictures.discard(file) }
    },
  })
}

/** Pictures of designs that are in a remote storage of this installation: they are read there, because the public may not. */
function ownPictures({ db, t }: Database, storages: Storages) {
  /** Opens the upload whose public URL this is; undefined for any other URL. @throws Error if the storage fails */
  return async (url: string): Promise<Readable | undefined> => {
    const wanted = pathOf(url)
    const candidates = keysIn(wanted)
    if (candidates.length === 0) return undefined
    const rows = await db
      .selectFrom(t.assets)
      .select(['key', 'storage', 'location', 'url'])
      .where('key', 'in', candidates)
      .where('mime_type', '!=', '')
      .execute()
    for (const { key: name, ...row } of rows) {
      if (isLocal(row)) continue
      const key = `${svcFolders.assets}/${name}`
      const [storedUrl] = await storages.urls([{ ...row, key }])
      if (storedUrl && pathOf(storedUrl) === wanted) return (await storages.at(row)).open(key)
    }
    return undefined
  }
}

/** Signed URLs differ in their queries. */
function pathOf(url: string): string {
  const { host, pathname } = new URL(url)
  try {
    return `${host}${decodeURIComponent(pathname)}`
  } catch {
    return `${host}${pathname}`
  }
}

/** The storage may hold the folder of uploads below any other. */
function keysIn(path: string): string[] {
  const parts = path.split(`/${svcFolders.assets}/`)
  return parts
    .slice(1, maxCandidates + 1)
    .map((_, index) => parts.slice(index + 1).join(`/${svcFolders.assets}/`))
    .filter((key) => key !== '')
}
