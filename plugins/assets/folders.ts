// Keeps the index of assets in step with the folders, which the CMS writes to as well: what has changed is read again.
import { setTimeout as delay } from 'node:timers/promises'
import { beyondRequests } from '../../src/deadline.ts'
import { PROBE_BYTES, probe } from '../../src/files/probe.ts'
import { extensionOf } from '../../src/files/sniff.ts'
import type { LocalStorage } from '../../src/storage/local.ts'
import { isKey } from '../../src/storage/storage.ts'

export const root = 'svc/uploads'

export interface IndexRow {
  key: string
  title: string
  size: number
  width: number | null
  height: number | null
  /** '' for a file that was looked at and is no asset. */
  mime_type: string
  modified: number
}

export interface Index {
  /** Keys of the files directly inside a folder, or of all. */
  keys(folder?: string): Promise<Set<string>>
  /** Rows that are there already stay as they are. */
  add(rows: IndexRow[]): Promise<void>
  drop(keys: string[]): Promise<void>
}

/** Milliseconds: how old the index may be, how long a list waits for it, how coarse the clocks of file systems are. */
const maxAge = 900
const patience = 2500
const coarse = 2000
const atOnce = 16
const batch = 200

const extensions = new Set(['png', 'jpg', 'jpeg', 'svg', 'pdf'])
/** One path from two, of which one may be empty. */
const join = (folder: string, name: string) => [folder, name].filter((part) => part !== '').join('/')
const folderOf = (key: string) => key.slice(0, Math.max(key.lastIndexOf('/'), 0))

export function uploadFolders(storage: LocalStorage, index: Index) {
  const seen = new Map<string, { changed: number; folders: string[] }>()
  let readAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  let isFirst = true

  async function look(key: string): Promise<IndexRow | undefined> {
    const head = await storage.head(`${root}/${key}`, PROBE_BYTES)
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

  async function addAll(keys: string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += batch) {
      const rows: IndexRow[] = []
      const left = keys.slice(at, at + batch).values()
      const worker = async () => {
        for (const key of left) {
          const row = await look(key)
          if (row) rows.push(row)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, worker))
      await index.add(rows)
    }
  }

  /** Reads a folder if it has changed, then those inside it. */
  async function walk(folder: string): Promise<void> {
    const path = join(root, folder)
    const changed = await storage.changed(path)
    if (changed === undefined) return
    let folders = seen.get(folder)?.folders ?? []
    if (seen.get(folder)?.changed !== changed) {
      // In this order: a row that was there before the folder is read had its file, unless that is gone.
      const known = await index.keys(folder)
      const found = await storage.inside(path)
      folders = found.folders
      const files = found.files
        .map((name) => join(folder, name))
        .filter((key) => extensions.has(extensionOf(key)) && key.length <= 255 && isKey(key))
      const present = new Set(files)
      await index.drop([...known].filter((key) => !present.has(key)))
      await addAll(files.filter((key) => !known.has(key)))
      // What changes within the tick of the clock in which it was read would not be noticed.
      const isSettled = Date.now() - changed > coarse
      seen.set(folder, { changed: isSettled ? changed : Number.NaN, folders })
    }
    for (const name of folders) if (isKey(name)) await walk(join(folder, name))
  }

  async function run(): Promise<void> {
    await walk('')
    if (!isFirst) return
    isFirst = false
    const lost = [...(await index.keys())].filter((key) => !seen.has(folderOf(key)))
    await index.drop(lost)
  }

  return {
    /**
     * Resolves when the index is as the folders were a second ago at most. A first reading of very many files goes on
     * behind the answer, which then lists those that are known.
     */
    async settle(): Promise<void> {
      const now = performance.now()
      if (!running && now - readAt < maxAge) return
      if (!running) {
        readAt = now
        running = beyondRequests(run).finally(() => {
          running = undefined
        })
        running.catch(() => {
          readAt = Number.NEGATIVE_INFINITY
        })
      }
      const given = new AbortController()
      await Promise.race([
        running,
        delay(patience, undefined, { ref: false, signal: given.signal }).catch(() => {}),
      ])
      given.abort()
    },

    /** To be called where a write may have left the index and the folder apart. */
    forget(key: string): void {
      seen.delete(folderOf(key))
      readAt = Number.NEGATIVE_INFINITY
    },
  }
}
