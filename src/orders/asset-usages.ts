// Where an asset is used: rows and settings that contain its path or its URL.
import type { Database } from '../db/connect.ts'
import { svcFolders } from '../files/folders.ts'
import { inJson, lastingPart, type Terms } from './usage-scans.ts'
import { usageSearch } from './usage-search.ts'

/** @param rows a smaller limit, for tests */
export function assetUsages(database: Database, rows?: number) {
  const search = usageSearch(database, rows)
  return (asset: AssetName) => search(termsOf(asset))
}

export interface AssetName {
  key: string
  url: string
}

/** The path and the URL in every form in which rows contain it. */
export function termsOf({ key, url }: AssetName): Terms {
  const path = `${svcFolders.assets}/${key}`
  const [lasting = ''] = url.replace(/^https?:/, '').split('?')
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return {
    name: lastingPart(path.slice(path.lastIndexOf('/') + 1)),
    forms: [...new Set([path, encodeURI(path), encoded, inJson(path), lasting])].filter(
      (form) => form !== '',
    ),
  }
}
