// Keeps the index of assets in step with the folders, which the CMS writes to as well: changed files are read again.
import { setTimeout as delay } from 'node:timers/promises'
import { outsideRequest } from '../core/deadline.ts'
import { typeByExtension } from '../files/file-types.ts'
import { svcFolders } from '../files/folders.ts'
import { probe, probeBytes } from '../files/probe.ts'
import { extensionOf } from '../files/sniff.ts'
import type { LocalStorage } from '../storage/local.ts'
import type { IndexRow } from './asset-marks.ts'
import type { AssetRows } from './asset-rows.ts'

const root = svcFolders.assets

type Compared = Pick<IndexRow, 'key' | 'size' | 'modified'>

/**
 * Milliseconds: maximum age of the index, maximum wait of a list for it, resolution of file system clocks, and how long a
 * file without a change may still be being written.
 */
const maxAge = 900
const maxWait = 2500
const coarse = 2000
const writing = 10_000
const atOnce = 16
const batch = 200

const maxKey = 255
const isAsset = (name: string) => typeByExtension(extensionOf(name), 'asset') !== undefined
/** Whether `than` milliseconds have passed; a future time counts as past, because clocks may be set back. */
const isOlder = (time: number, than: number) => Math.abs(Date.now() - time) > than
/** Joins two paths, one of which may be empty. */
const join = (folder: string, name: string) => [folder, name].filter((part) => part !== '').join('/')
const folderOf = (key: string) => key.slice(0, Math.max(key.lastIndexOf('/'), 0))

export function uploadFolders(
  storage: LocalStorage,
  index: Pick<AssetRows, 'keys' | 'add' | 'renew' | 'drop'>,
) {
  const seen = new Map<string, { changed: number; folders: string[] }>()
  let readAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  /** Keys of rows that were compared with their files since the folders were last read. */
  let compared = new Set<string>()

  async function inspect(key: string): Promise<IndexRow | undefined> {
    const head = await storage.head(`${root}/${key}`, probeBytes)
    if (!head) return undefined
    const { bytes, ...stat } = head
    const name = key.slice(folderOf(key).length).replace('/', '')
    const found = await probe(name, bytes)
    return {
      key,
      title: name,
      ...stat,
      width: found?.width ?? null,
      height: found?.height ?? null,
      mime_type: found?.mimeType ?? '',
    }
  }

  /** False if a file is not an asset yet, but may still be being written. */
  async function addAll(keys: string[]): Promise<boolean> {
    let isWhole = true
    for (let at = 0; at < keys.length; at += batch) {
      const rows: IndexRow[] = []
      const remaining = keys.slice(at, at + batch).values()
      const worker = async () => {
        for (const key of remaining) {
          const row = await inspect(key)
          if (row?.mime_type === '' && !isOlder(row.modified * 1000, writing)) isWhole = false
          else if (row) rows.push(row)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, worker))
      await index.add(rows)
    }
    return isWhole
  }

  /** Reads a folder if it has changed, then those inside it. */
  async function walk(folder: string): Promise<void> {
    const path = join(root, folder)
    const changed = await storage.changed(path)
    if (changed === undefined) return
    let folders = seen.get(folder)?.folders ?? []
    if (seen.get(folder)?.changed !== changed) {
      // In this order: a row that existed before the folder is read has its file, unless that was removed.
      const indexedKeys = await index.keys(folder)
      const found = await storage.inside(path)
      folders = found.folders
      const files = found.files
        .map((name) => join(folder, name))
        .filter((key) => isAsset(key) && key.length <= maxKey)
      const present = new Set([...files, ...folders.map((name) => join(folder, name))])
      const depth = folder === '' ? 1 : folder.split('/').length + 1
      const isThere = (key: string) => present.has(key.split('/', depth).join('/'))
      await index.drop([...indexedKeys].filter((key) => !isThere(key)))
      const isWhole = await addAll(files.filter((key) => !indexedKeys.has(key)))
      // A change within the same clock tick would not be noticed.
      seen.set(folder, { changed: isWhole && isOlder(changed, coarse) ? changed : Number.NaN, folders })
    }
    for (const name of folders) await walk(join(folder, name))
  }

  /** Reads the file again if it differs from the row; true if it did. */
  async function compare({ key, size, modified }: Compared): Promise<boolean> {
    const stat = await storage.stat(`${root}/${key}`)
    if (stat?.size === size && stat.modified === modified) return false
    const row = await inspect(key)
    // While the disk is not mounted, rows stay, because they contain the titles of the uploads.
    if (!row && (await storage.changed(root)) === undefined) return false
    await (row ? index.renew(row) : index.drop([key]))
    return true
  }

  return {
    /**
     * Resolves when the index is at most one second old. A first scan of very many files continues after the response,
     * which then lists the known files.
     */
    async settle(): Promise<void> {
      const now = performance.now()
      if (!running && now - readAt < maxAge) return
      if (!running) {
        readAt = now
        compared = new Set()
        running = outsideRequest(() => walk('')).finally(() => {
          running = undefined
        })
        running.catch(() => {
          readAt = Number.NEGATIVE_INFINITY
        })
      }
      const waited = new AbortController()
      await Promise.race([
        running,
        delay(maxWait, undefined, { ref: false, signal: waited.signal }).catch(() => {}),
      ])
      waited.abort()
    },

    /**
     * Finds, among the rows that are about to be shown, those whose files were replaced or removed: a folder does not
     * show that a file in it was overwritten. True if there were some; their rows are updated.
     */
    async refresh(rows: readonly Compared[]): Promise<boolean> {
      const unchecked = rows.filter(({ key }) => !compared.has(key))
      for (const { key } of unchecked) compared.add(key)
      return (await Promise.all(unchecked.map(compare))).includes(true)
    },

    /** Call it if a write may have left index and folder different. */
    forget(key: string): void {
      seen.delete(folderOf(key))
      readAt = Number.NEGATIVE_INFINITY
    },
  }
}
