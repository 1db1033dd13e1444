// Pictures of designs that are in a remote storage of this installation: they are read there, because the public may not.
import type { Readable } from 'node:stream'
import type { Database } from '../db/connect.ts'
import { svcFolders } from '../files/folders.ts'
import { isLocal, type Storages } from '../storage/storages.ts'

/** Keys of uploads that are tried for one URL. */
const maxCandidates = 10

export function ownPictures({ db, t }: Database, storages: Storages) {
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
      const [known] = await storages.urls([{ ...row, key }])
      if (known && pathOf(known) === wanted) return (await storages.at(row)).open(key)
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
