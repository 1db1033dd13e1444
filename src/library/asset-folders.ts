// Keeps the index of assets in step with the folders of uploads, which the CMS writes to as well: before a list, changed folders
// are read again, and new files are inspected.
import { withoutDeadline } from '../core/deadline.ts'
import { endsWithin } from '../core/ends-within.ts'
import { typeByExtension } from '../files/file-types.ts'
import { svcFolders } from '../files/folders.ts'
import { probe, probeBytes } from '../files/probe.ts'
import { extensionOf } from '../files/sniff.ts'
import type { LocalStorage } from '../storage/local.ts'
import type { AssetRows } from './asset-rows.ts'
import type { IndexRow } from './asset-tombstones.ts'

const root = svcFolders.assets

type ComparedRow = Pick<IndexRow, 'key' | 'size' | 'modified'>

/** Milliseconds after which the folders are looked at again. */
const maxAge = 900
/** Milliseconds that a list waits for them. */
const maxWait = 2500
/** Milliseconds within which two changes of a folder may have the same time. */
const clockResolution = 2000
/** Milliseconds after the last change of a file in which another process may still be writing it. */
const writingTime = 10_000
const filesAtOnce = 16
const rowsPerInsert = 200

/** Characters of the column. */
const maxKey = 255
const isAsset = (name: string) => typeByExtension(extensionOf(name), 'asset') !== undefined
/** Whether a time is so many milliseconds ago; a future time counts as past, because clocks may be set back. */
const isOlder = (time: number, milliseconds: number) => Math.abs(Date.now() - time) > milliseconds
/** Joins two paths, one of which may be empty. */
const join = (folder: string, name: string) => [folder, name].filter((part) => part !== '').join('/')
const folderOf = (key: string) => key.slice(0, Math.max(key.lastIndexOf('/'), 0))

/** The folders of one context. @param index the functions of asset-rows.ts that this file calls */
export function uploadFolders(
  storage: LocalStorage,
  index: Pick<AssetRows, 'keys' | 'add' | 'renew' | 'dropRows'>,
) {
  /** By path: the folders that were read, with the time of their last change then; NaN reads a folder again. */
  const readFolders = new Map<string, { changed: number; folders: string[] }>()
  let readAt = Number.NEGATIVE_INFINITY
  /** The scan that runs. */
  let running: Promise<void> | undefined
  /** Keys of rows that were compared with their files since the folders were last read. */
  let compared = new Set<string>()

  /** The row of a file; undefined if it does not exist. */
  async function readFile(key: string): Promise<IndexRow | undefined> {
    const head = await storage.head(`${root}/${key}`, probeBytes)
    if (!head) return undefined
    const { bytes, ...stat } = head
    const name = key.slice(folderOf(key).length).replace('/', '')
    const properties = await probe(name, bytes)
    return {
      key,
      title: name,
      ...stat,
      width: properties?.width ?? null,
      height: properties?.height ?? null,
      mime_type: properties?.mimeType ?? '',
    }
  }

  /** The rows of files, several of which are read at once. */
  async function readFiles(keys: readonly string[]): Promise<IndexRow[]> {
    const rows: IndexRow[] = []
    // The workers share the iterator, so that each file is read by one of them.
    const remaining = keys.values()
    const worker = async () => {
      for (const key of remaining) {
        const row = await readFile(key)
        if (row) rows.push(row)
      }
    }
    await Promise.all(Array.from({ length: filesAtOnce }, worker))
    return rows
  }

  /** Adds rows for new files. @returns false if a file is not an asset yet, but another process may still be writing it */
  async function addFiles(keys: string[]): Promise<boolean> {
    let isComplete = true
    for (let start = 0; start < keys.length; start += rowsPerInsert) {
      const rows = await readFiles(keys.slice(start, start + rowsPerInsert))
      const isUnfinished = (row: IndexRow) =>
        row.mime_type === '' && !isOlder(row.modified * 1000, writingTime)
      if (rows.some(isUnfinished)) isComplete = false
      await index.add(rows.filter((row) => !isUnfinished(row)))
    }
    return isComplete
  }

  /** Reads a folder if it has changed, then those inside it. */
  async function walk(folder: string): Promise<void> {
    const path = join(root, folder)
    const changed = await storage.changed(path)
    if (changed === undefined) return
    let folders = readFolders.get(folder)?.folders ?? []
    if (readFolders.get(folder)?.changed !== changed) {
      // Rows are read before the folder: then a row whose file is not in the folder is that of a removed file.
      const indexedKeys = await index.keys(folder)
      const content = await storage.inside(path)
      folders = content.folders
      const files = content.files
        .map((name) => join(folder, name))
        .filter((key) => isAsset(key) && key.length <= maxKey)
      const present = new Set([...files, ...folders.map((name) => join(folder, name))])
      const depth = folder === '' ? 1 : folder.split('/').length + 1
      const isPresent = (key: string) => present.has(key.split('/', depth).join('/'))
      await index.dropRows([...indexedKeys].filter((key) => !isPresent(key)))
      const isComplete = await addFiles(files.filter((key) => !indexedKeys.has(key)))
      // A folder that changed just now is read again: another change within the same clock tick would not be noticed.
      readFolders.set(folder, {
        changed: isComplete && isOlder(changed, clockResolution) ? changed : Number.NaN,
        folders,
      })
    }
    for (const name of folders) await walk(join(folder, name))
  }

  /** Updates the row of a file that was overwritten or removed. @returns whether it was */
  async function compare({ key, size, modified }: ComparedRow): Promise<boolean> {
    const stat = await storage.stat(`${root}/${key}`)
    if (stat?.size === size && stat.modified === modified) return false
    const row = await readFile(key)
    // While the disk is not mounted, rows stay, because they contain the titles of the uploads.
    if (!row && (await storage.changed(root)) === undefined) return false
    await (row ? index.renew(row) : index.dropRows([key]))
    return true
  }

  return {
    /**
     * Resolves when the index is at most one second old, or after `maxWait`: a first scan of very many files continues after
     * the response, which lists the files that were added until then.
     */
    async settle(): Promise<void> {
      const now = performance.now()
      if (!running && now - readAt < maxAge) return
      if (!running) {
        readAt = now
        compared = new Set()
        running = withoutDeadline(() => walk('')).finally(() => {
          running = undefined
        })
        running.catch(() => {
          readAt = Number.NEGATIVE_INFINITY
        })
      }
      await endsWithin(maxWait, running)
    },

    /**
     * Updates those rows of a list whose files were overwritten or removed: the time of a folder does not change when a file in
     * it is overwritten. @returns whether there were any, so that the list must be read again
     */
    async refresh(rows: readonly ComparedRow[]): Promise<boolean> {
      const unchecked = rows.filter(({ key }) => !compared.has(key))
      for (const { key } of unchecked) compared.add(key)
      return (await Promise.all(unchecked.map(compare))).includes(true)
    },

    /** Call it if a write may have left index and folder different. */
    forget(key: string): void {
      readFolders.delete(folderOf(key))
      readAt = Number.NEGATIVE_INFINITY
    },
  }
}
