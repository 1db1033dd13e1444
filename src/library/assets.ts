// Assets: files below svc/uploads, on this machine's disk or pushed to a remote storage, and their rows in `svc_assets`.
import { randomBytes } from 'node:crypto'
import { onBehalfOf, upkeep } from '../core/change.ts'
import { DeadlineExceeded, outsideRequest, pushTimeOf, requestTime, within } from '../core/deadline.ts'
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
import type { AssetRow } from './asset-marks.ts'
import { assetRows, nameOf, type RowQuery } from './asset-rows.ts'

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

/** Cannot be guessed. Starts with the time, so that the later of two uploads within one second is the newer. */
function newKey(extension: string): string {
  const now = new Date()
  const name = now.getTime().toString(16).padStart(12, '0') + randomBytes(10).toString('hex')
  return `${now.toISOString().slice(0, 7).replace('-', '/')}/${name}.${extension}`
}

const pathOf = (key: string) => `${svcFolders.assets}/${key}`

/** Milliseconds between two searches for abandoned deletions, and for one attempt to remove a file after a failure. */
const betweenFinishes = 20_000
const removing = 2000
/** How often a list is read again because files differ from their rows. */
const refreshes = 5

export function assetsRepository(database: Database, totals: Totals, storages: Storages) {
  const rows = assetRows(database, totals)
  const { local } = storages
  const folders = local && uploadFolders(local, rows)
  let finishedAt = Number.NEGATIVE_INFINITY
  let finishing: Promise<void> | undefined

  /** @throws SvcError 503 if there is neither an uploads folder nor another storage */
  async function settle(): Promise<void> {
    if (folders) await folders.settle()
    else await storages.current()
  }

  async function toAssets(found: AssetRow[]): Promise<Asset[]> {
    const urls = await storages.urls(found.map((row) => ({ ...row, key: pathOf(row.key) })))
    return found.map(({ storage: _, location: __, url: ___, ...row }, i) => ({
      ...row,
      url: urls[i] ?? '',
      filename: nameOf(row.key),
    }))
  }

  const toAsset = async (row: AssetRow) => (await toAssets([row]))[0] as Asset

  /** Stores the file on disk, then its row. Removes the file if that fails. */
  async function keep(key: string, files: Target['files'], accepted: AcceptedAsset): Promise<Asset> {
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
   * Stores the file at a remote storage, and returns its permanent URL, if it has one. Removes the file if that
   * fails, even if it is stored late.
   */
  async function store({ files }: Target, key: string, bytes: Uint8Array): Promise<string | null> {
    const milliseconds = pushTimeOf(bytes.length)
    const signal = AbortSignal.timeout(milliseconds)
    const putting = files.put(key, bytes, { signal })
    try {
      await within(milliseconds + removing, () => putting)
      return files.lastingUrls ? await within(requestTime.handler, async () => files.url(key)) : null
    } catch (error) {
      const removed = outsideRequest(() => putting.catch(() => {}).then(() => files.remove(key)))
      await within(removing, () => removed).catch(() => {})
      if (signal.aborted || error instanceof DeadlineExceeded) throw storageSilent(error)
      throw error instanceof SvcError ? error : new SvcError('svc_storage_unavailable', { cause: error })
    }
  }

  /** Pushes the file to a remote storage. Its row is marked first, so that a crash leaves no file behind. */
  async function push(key: string, target: Target, accepted: AcceptedAsset): Promise<Asset> {
    const { storage, location } = target
    const seconds = Math.ceil(pushTimeOf(accepted.bytes.length) / 1000)
    await within(requestTime.handler, () => rows.reserve(key, target, seconds))
    try {
      const url = await store(target, pathOf(key), accepted.bytes)
      const modified = await within(requestTime.handler, () => databaseTime(database))
      const row = { ...rowOf(key, accepted), size: accepted.bytes.length, modified }
      return await within(requestTime.handler, async () => {
        if (!(await rows.confirm(row, storage, url))) throw new SvcError('svc_storage_unavailable')
        return toAsset({ ...row, storage, location, url })
      })
    } catch (error) {
      await within(removing, () => rows.release(key)).catch(() => {})
      throw error
    }
  }

  return {
    async find(key: string): Promise<Asset | undefined> {
      const row = await rows.find(key)
      return row && toAsset(row)
    },

    /** Newest first; files that the CMS put into the folders are among them. */
    async list({ type, ...query }: AssetQuery): Promise<{ items: Asset[]; total: number }> {
      await settle()
      await finishDeletions()
      const wanted = { ...query, mimeType: type && fileTypes[type].mimeType }
      let found = await rows.list(wanted)
      // Removed rows pull in others to compare; after very many of them the next list continues.
      for (
        let round = 0;
        round < refreshes && (await folders?.refresh(found.rows.filter(isLocal)));
        round++
      ) {
        found = await rows.list(wanted)
      }
      return { items: await toAssets(found.rows), total: found.total }
    },

    /** Those last changed before a time in Unix seconds, oldest first. */
    async before(modified: number, page: { offset: number; limit: number }): Promise<Asset[]> {
      await settle()
      const found = await rows.before(modified, page)
      const isStale = await folders?.refresh(found.filter(isLocal))
      return toAssets(isStale ? await rows.before(modified, page) : found)
    },

    /**
     * Stores and lists the file. When that fails, neither is left.
     * @throws SvcError 502 if the remote storage failed
     */
    async create(accepted: AcceptedAsset): Promise<Uploaded> {
      const key = newKey(accepted.extension)
      const target = await within(requestTime.gate, () => storages.current())
      const asset = isLocal(target)
        ? await within(requestTime.handler, () => keep(key, target.files, accepted))
        : await push(key, target, accepted)
      return { asset, found_by: { key, warning: accepted.warning ?? null } }
    },

    /**
     * Marks the row as deleted, which one of several processes can do, then removes file and row. Once marked,
     * the asset no longer exists: any process that finds an abandoned mark completes the deletion.
     * @returns false if there is no such asset
     */
    async remove(key: string): Promise<boolean> {
      await settle()
      await finishDeletions()
      const row = await rows.find(key)
      if (!row) return false
      folders?.forget(key)
      if (!(await rows.mark(row))) return false
      try {
        await finishDeletion({ ...row, wasListed: true })
      } catch (error) {
        // If that fails, the mark stays, and the deletion is completed later.
        await rows.unmark(row).catch(() => {})
        throw error
      }
      return true
    },
  }

  async function finishDeletion({
    key,
    wasListed,
    ...stored
  }: Pick<AssetRow, 'key' | 'storage' | 'location'> & { wasListed: boolean }): Promise<void> {
    const files = await storages.at(stored)
    await files.remove(pathOf(key))
    await rows.dropMarked(key, wasListed)
  }

  /** Completes the deletions of dead processes from time to time. */
  async function finishDeletions(): Promise<void> {
    if (finishing || performance.now() - finishedAt < betweenFinishes) return
    finishedAt = performance.now()
    const abandoned = await rows.abandoned()
    if (abandoned.length === 0 || finishing) return
    const finishAll = async () => {
      // A file that cannot be removed yet stays unlisted until the next attempt.
      for (const deletion of abandoned) await finishDeletion(deletion).catch(() => {})
    }
    const done = onBehalfOf(upkeep(), () => outsideRequest(finishAll)).finally(() => {
      finishing = undefined
    })
    finishing = done
    await within(removing, () => done).catch(() => {})
  }
}

function rowOf(key: string, { title, width, height, mimeType }: AcceptedAsset) {
  return { key, title, width, height, mime_type: mimeType }
}
