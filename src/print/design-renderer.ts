// The renderer with the files of an installation: fonts and pictures in its storages, and pictures of other hosts.
import type { Database } from '../db/connect.ts'
import { createRenderer } from '../renderer/renderer.ts'
import type { RendererOptions } from '../renderer/renderer-options.ts'
import type { Storages } from '../storage/storages.ts'
import { type DownloadSettings, downloader } from './download.ts'
import { ownPictures } from './own-pictures.ts'

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

/** Limits of downloading a picture of a design. */
const pictureLimits = { bytes: 64 * 1024 * 1024, seconds: 30 }

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
    download: async (url, signal) => {
      const file = await pictures.fetch(pictures.checkUrl(url), signal)
      return { path: file.path, discard: () => pictures.discard(file) }
    },
  })
}
