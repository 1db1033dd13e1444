// Assets: files below svc/uploads, on this machine's disk or pushed to a remote storage, and their rows in `svc_assets`.
import { randomBytes } from 'node:crypto'
import { onBehalfOf, upkeep } from '../core/change.ts'
import { DeadlineExceeded, pushTimeOf, requestTime, within, withoutDeadline } from '../core/deadline.ts'
import { SvcError } from '../core/errors.ts'
import { storageSilent } from '../core/unavailable.ts'
import type { Database } from '../db/connect.ts'
import { databaseTime } from '../db/time.ts'
import type { Totals } from '../db/totals.ts'
import type { AcceptedAsset } from '../files/accept.ts'
import { fileTypes, type TypeFor } from '../files/file-types.ts'
import { svcFolders } from '../files/folders.ts'
import { isLocal, localLocation, type Storages, type Target } from '../storage/storages.ts'
import { uploadFolders } from './asset-folders.ts'
import { assetRows, type RowQuery, storedNameOf } from './asset-rows.ts'
import type { AssetRow } from './asset-tombstones.ts'

/** An asset as the API returns it. */
interface Asset {
  key: string
  url: string
  filename: string
  /** Name under which the file was uploaded. */
  title: string
  /** Pixels; null where the type has none. */
  width: number | null
  height: number | null
  /** Bytes. */
  size: number
  /** Unix seconds. */
  modified: number
  mime_type: string
}

interface AssetQuery extends Omit<RowQuery, 'mimeType'> {
  type?: TypeFor<'asset'> | undefined
}

/** A new asset, and what a repeated request needs for the same response. */
export interface Uploaded {
  asset: Asset
  found_by: { key: string; warning: string | null }
}

/** A key that cannot be guessed. It starts with the time, so that of two uploads within one second the later one is newer. */
function newKey(extension: string): string {
  const now = new Date()
  const name = now.getTime().toString(16).padStart(12, '0') + randomBytes(10).toString('hex')
  return `${now.toISOString().slice(0, 7).replace('-', '/')}/${name}.${extension}`
}

/** The key of an asset in its storage. */
const pathOf = (key: string) => `${svcFolders.assets}/${key}`

/** Milliseconds between two searches for abandoned tombstones. */
const betweenFinishes = 20_000
/** Milliseconds to wait for a removal: of a file or row after a failure, or of what dead processes left. */
const removalTime = 2000
/** How often a list is read again at most because files differ from their rows. */
const maxRefreshes = 5

/** The assets of one context. */
export function assetsRepository(database: Database, totals: Totals, storages: Storages) {
  const rows = assetRows(database, totals)
  const { local } = storages
  const folders = local && uploadFolders(local, rows)
  /** When abandoned tombstones were last searched for, on the clock of performance.now(). */
  let searchedAt = Number.NEGATIVE_INFINITY
  /** The completion of abandoned deletions, while it runs. */
  let finishing: Promise<void> | undefined

  /** Brings the index up to date. @throws SvcError 503 if there is neither an uploads folder nor another storage */
  async function settle(): Promise<void> {
    if (folders) await folders.settle()
    else await storages.current()
  }

  async function toAssets(assetRows: AssetRow[]): Promise<Asset[]> {
    const urls = await storages.urls(assetRows.map((row) => ({ ...row, key: pathOf(row.key) })))
    return assetRows.map(({ storage: _, location: __, url: ___, ...row }, i) => ({
      ...row,
      url: urls[i] ?? '',
      filename: storedNameOf(row.key),
    }))
  }

  const toAsset = async (row: AssetRow) => (await toAssets([row]))[0] as Asset

  /** Stores the file on disk, then its row. Removes the file if that fails. */
  async function storeLocally(key: string, files: Target['files'], accepted: AcceptedAsset): Promise<Asset> {
    try {
      await files.put(pathOf(key), accepted.bytes)
      const stat = await files.stat(pathOf(key))
      if (!stat) throw new Error('A file that was just stored is gone.')
      const row = { ...rowOf(key, accepted), ...stat }
      await rows.insert(row)
      return await toAsset({ ...row, ...localLocation, url: null })
    } catch (error) {
      // A file that cannot be removed is listed like one of the CMS.
      await files.remove(pathOf(key)).catch(() => {})
      throw error
    }
  }

  /**
   * Stores the file at a remote storage, and returns its permanent URL; null if the storage has none. If that fails, the file is
   * removed, even if it is stored late.
   */
  async function storeRemotely({ files }: Target, key: string, bytes: Uint8Array): Promise<string | null> {
    const milliseconds = pushTimeOf(bytes.length)
    const signal = AbortSignal.timeout(milliseconds)
    const putting = files.put(key, bytes, { signal })
    try {
      await within(milliseconds + removalTime, () => putting)
      return files.lastingUrls ? await within(requestTime.handler, async () => files.url(key)) : null
    } catch (error) {
      const removed = withoutDeadline(() => putting.catch(() => {}).then(() => files.remove(key)))
      await within(removalTime, () => removed).catch(() => {})
      if (signal.aborted || error instanceof DeadlineExceeded) throw storageSilent(error)
      throw error instanceof SvcError ? error : new SvcError('svc_storage_unavailable', { cause: error })
    }
  }

  /** Stores the file at a remote storage under a row with a tombstone, so that a crash leaves no file behind. */
  async function reserveAndStore(key: string, target: Target, accepted: AcceptedAsset): Promise<Asset> {
    const { storage, location } = target
    const seconds = Math.ceil(pushTimeOf(accepted.bytes.length) / 1000)
    await within(requestTime.handler, () => rows.reserve(key, target, seconds))
    try {
      const url = await storeRemotely(target, pathOf(key), accepted.bytes)
      const modified = await within(requestTime.handler, () => databaseTime(database))
      const row = { ...rowOf(key, accepted), size: accepted.bytes.length, modified }
      return await within(requestTime.handler, async () => {
        if (!(await rows.confirm(row, storage, url))) throw new SvcError('svc_storage_unavailable')
        return toAsset({ ...row, storage, location, url })
      })
    } catch (error) {
      await within(removalTime, () => rows.release(key)).catch(() => {})
      throw error
    }
  }

  return {
    /** The asset; undefined when there is none. */
    async find(key: string): Promise<Asset | undefined> {
      const row = await rows.find(key)
      return row && toAsset(row)
    },

    /** A page, newest first, with files that the CMS put into the folders, and the number of assets on all pages. */
    async list({ type, ...query }: AssetQuery): Promise<{ items: Asset[]; total: number }> {
      await settle()
      await finishDeletions()
      const rowQuery = { ...query, mimeType: type && fileTypes[type].mimeType }
      let page = await rows.list(rowQuery)
      // When rows are removed, other rows move into the page, and are compared, too. After `maxRefreshes`, the next list continues.
      for (let round = 0; round < maxRefreshes; round++) {
        if (!(await folders?.refresh(page.rows.filter(isLocal)))) break
        page = await rows.list(rowQuery)
      }
      return { items: await toAssets(page.rows), total: page.total }
    },

    /** A page of the assets that were last changed before a time in Unix seconds, oldest first. */
    async before(modified: number, page: { offset: number; limit: number }): Promise<Asset[]> {
      await settle()
      const pageRows = await rows.before(modified, page)
      const isStale = await folders?.refresh(pageRows.filter(isLocal))
      return toAssets(isStale ? await rows.before(modified, page) : pageRows)
    },

    /**
     * Stores the file, and inserts its row. If that fails, neither remains.
     * @throws SvcError 502 if the remote storage failed
     */
    async create(accepted: AcceptedAsset): Promise<Uploaded> {
      const key = newKey(accepted.extension)
      const target = await within(requestTime.gate, () => storages.current())
      const asset = isLocal(target)
        ? await within(requestTime.handler, () => storeLocally(key, target.files, accepted))
        : await reserveAndStore(key, target, accepted)
      return { asset, found_by: { key, warning: accepted.warning ?? null } }
    },

    /**
     * Sets a tombstone on the row, which only one process can do, then removes file and row. From the tombstone on, the asset is
     * not found any more; if this process dies, the next one that finds the tombstone completes the deletion.
     * @returns false if there is no such asset
     */
    async remove(key: string): Promise<boolean> {
      await settle()
      await finishDeletions()
      const row = await rows.find(key)
      if (!row) return false
      folders?.forget(key)
      if (!(await rows.bury(row))) return false
      try {
        await finishDeletion({ ...row, wasListed: true })
      } catch (error) {
        // If that fails, the tombstone stays, and the deletion is completed later.
        await rows.restore(row).catch(() => {})
        throw error
      }
      return true
    },
  }

  /** Removes the file and the row of a tombstone. */
  async function finishDeletion({
    key,
    wasListed,
    ...stored
  }: Pick<AssetRow, 'key' | 'storage' | 'location'> & { wasListed: boolean }): Promise<void> {
    const files = await storages.at(stored)
    await files.remove(pathOf(key))
    await rows.dropTombstone(key, { wasListed })
  }

  /** Completes the deletions of processes that died, at most once in `betweenFinishes`. Waits for it at most `removalTime`. */
  async function finishDeletions(): Promise<void> {
    if (finishing || performance.now() - searchedAt < betweenFinishes) return
    searchedAt = performance.now()
    const abandoned = await rows.abandoned()
    if (abandoned.length === 0 || finishing) return
    const finishAll = async () => {
      // A file that cannot be removed yet stays unlisted until the next attempt.
      for (const deletion of abandoned) await finishDeletion(deletion).catch(() => {})
    }
    const done = onBehalfOf(upkeep(), () => withoutDeadline(finishAll)).finally(() => {
      finishing = undefined
    })
    finishing = done
    await within(removalTime, () => done).catch(() => {})
  }
}

function rowOf(key: string, { title, width, height, mimeType }: AcceptedAsset) {
  return { key, title, width, height, mime_type: mimeType }
}
