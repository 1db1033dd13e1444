// Finds where an asset is used: the rows and settings that contain its path or its URL.
import type { Database } from '../db/connect.ts'
import { svcFolders } from '../files/folders.ts'
import { encodingSafePart, jsonForm, type Terms } from './usage-scans.ts'
import { usageSearch } from './usage-search.ts'

/** Returns a function that finds the usages of an asset. @param rows a smaller limit, for tests */
export function assetUsages(database: Database, rows?: number) {
  const search = usageSearch(database, rows)
  return (asset: AssetName) => search(termsOf(asset))
}

/** What identifies an asset in rows. */
export interface AssetName {
  key: string
  url: string
}

/** The path and the URL in every form in which rows contain it. */
export function termsOf({ key, url }: AssetName): Terms {
  const path = `${svcFolders.assets}/${key}`
  const [urlWithoutQuery = ''] = url.replace(/^https?:/, '').split('?')
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return {
    name: encodingSafePart(path.slice(path.lastIndexOf('/') + 1)),
    forms: [...new Set([path, encodeURI(path), encoded, jsonForm(path), urlWithoutQuery])].filter(
      (form) => form !== '',
    ),
  }
}
