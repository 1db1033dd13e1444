// The storage below the uploads folder of the CMS, on the disk of this machine. Files are written under a temporary name, flushed, and
// renamed, so that each is complete or absent even after a crash.
import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../core/foreign.ts'
import {
  factsOf,
  flush,
  flushFolder,
  inFolder,
  linkInTheWay,
  makeFolder,
  moveTo,
  noFile,
  openFile,
  timeOfFiles,
  undefinedFor,
} from './local-files.ts'
import { assertKey, type FileSource, type FileStorage, isKey, type StoredFile, urlPath } from './storage.ts'

/** A file that is being received, under a temporary name in the folder where it may be stored later. */
export interface Incoming {
  /** Appends bytes. */
  write(chunk: Uint8Array): Promise<void>
  /** The whole file so far. */
  read(): Promise<Uint8Array>
  /** Removes it; may be called again. */
  discard(): Promise<void>
}

/** What this storage does in addition to others. */
export interface LocalStorage extends FileStorage {
  url(key: string): string
  /** The files of `inside` alone. */
  list(folder: string): Promise<string[]>
  /** Creates a temporary file in a folder, which is created if it is missing. */
  receive(folder: string): Promise<Incoming>
  /** Names of the files and folders directly inside a folder, without links, hidden files and names that keys cannot have. */
  inside(folder: string): Promise<{ files: string[]; folders: string[] }>
  /** When an entry was last added to a folder or removed from it, in Unix milliseconds; undefined if there is no such folder. */
  changed(folder: string): Promise<number | undefined>
  /** A file with its first bytes, without following a link; undefined if there is no such file. */
  head(key: string, length: number): Promise<(StoredFile & { bytes: Uint8Array }) | undefined>
  /** Removes temporary files of processes that have died, in a folder and below it. */
  sweep(folder: string): Promise<void>
}

/**
 * Checks an option that is the path of a folder, which need not exist.
 * @returns whether it exists
 * @throws Error with a sentence that begins with `option`, if the path is not a folder, or cannot be read
 */
export async function assertFolder(option: string, path: string): Promise<boolean> {
  const code = await stat(path).then(
    (stats) => (stats.isDirectory() ? undefined : 'ENOTDIR'),
    (error) => errorCode(error) ?? 'unreadable',
  )
  if (code === undefined || code === 'ENOENT') return code === undefined
  throw new Error(`${option}: must be a folder that this process can read, and "${path}" is none (${code}).`)
}

/** Ending of temporary names. They begin with a dot, as names in keys cannot. */
const temporaryEnding = '.part'
/** Matches temporary names. */
const temporaryName = /^\..+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/
/** Milliseconds without a change after which the process that writes a temporary file must have died. */
const abandonedAfter = 5 * 60_000

/**
 * The storage in a folder.
 * @param dir the uploads folder; links below it are never followed
 * @param url its public URL
 */
export function localStorage(dir: string, url = ''): LocalStorage {
  /**
   * The path of a key. Every folder on the way must be a folder, not a link.
   * @param create creates missing folders
   */
  async function pathOf(key: string, { create = false } = {}): Promise<string> {
    assertKey(key)
    if (create) await mkdir(dir, { recursive: true })
    let path = dir
    for (const name of key.split('/').slice(0, -1)) {
      const parent = path
      path = join(path, name)
      if (create) await makeFolder(path, parent)
      if (!(await lstat(path)).isDirectory()) throw linkInTheWay()
    }
    return join(dir, key)
  }

  const tempPath = (folder: string, name: string) =>
    join(folder, `.${name}.${randomUUID()}${temporaryEnding}`)

  /** The entries of a folder, and its path; no entries if it does not exist. */
  async function entries(folder: string) {
    try {
      const path = dirname(await pathOf(`${folder}/x`))
      return { path, list: await readdir(path, { withFileTypes: true }) }
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return { path: dir, list: [] }
      throw error
    }
  }

  async function inside(folder: string): Promise<{ files: string[]; folders: string[] }> {
    const list = (await entries(folder)).list.filter((entry) => isKey(entry.name))
    return {
      files: list.filter((entry) => entry.isFile()).map(({ name }) => name),
      folders: list.filter((entry) => entry.isDirectory()).map(({ name }) => name),
    }
  }

  async function write(key: string, source: FileSource): Promise<void> {
    const path = await pathOf(key, { create: true })
    const temp = tempPath(dirname(path), basename(path))
    try {
      if ('path' in source) await moveTo(source.path, temp)
      else await writeFile(temp, source, { flag: 'wx' })
      await flush(temp)
      await rename(temp, path)
    } catch (error) {
      await rm(temp, { force: true })
      throw error
    }
    await flushFolder(dirname(path))
  }

  return {
    async put(key, source, { signal } = {}) {
      signal?.throwIfAborted()
      await inFolder(() => write(key, source))
    },

    async open(key) {
      const { file } = await openFile(await pathOf(key))
      return file.createReadStream()
    },

    async stat(key) {
      const stats = await pathOf(key)
        .then((path) => lstat(path))
        .catch(undefinedFor(...noFile))
      return stats?.isFile() ? factsOf(stats) : undefined
    },

    async remove(key) {
      try {
        const path = await pathOf(key)
        await rm(path, { force: true })
        // A removed file must not reappear after a power failure.
        await flushFolder(dirname(path))
        // A process that was killed may have left temporary files of this key. If one is being written, that `put` fails.
        for (const name of await readdir(dirname(path))) {
          const isPart = name.startsWith(`.${basename(path)}.`) && name.endsWith(temporaryEnding)
          if (isPart) await rm(join(dirname(path), name), { force: true })
        }
        await rmdir(dirname(path)).catch(undefinedFor('ENOTEMPTY', 'EEXIST', 'ENOENT'))
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error
      }
    },

    url: (key) => `${url}/${urlPath(key)}`,

    inside,

    list: async (folder) => (await inside(folder)).files,

    async *keys(folder) {
      const { files, folders } = await inside(folder)
      for (const name of files) yield `${folder}/${name}`
      for (const name of folders) yield* this.keys(`${folder}/${name}`)
    },

    async receive(folder) {
      const { path, file } = await inFolder(async () => {
        const path = tempPath(dirname(await pathOf(`${folder}/x`, { create: true })), 'upload')
        return { path, file: await open(path, 'wx', 0o600) }
      })
      let closed: Promise<void> | undefined
      return {
        async write(chunk) {
          for (let offset = 0; offset < chunk.length; )
            offset += (await file.write(chunk, offset, chunk.length - offset)).bytesWritten
        },
        read: () => readFile(path),
        async discard() {
          // The file is removed, so an error of its last write does not matter.
          closed ??= file.close().catch(() => {})
          await closed
          await rm(path, { force: true })
        },
      }
    },

    async changed(folder) {
      const stats = await pathOf(`${folder}/x`)
        .then((path) => lstat(dirname(path)))
        .catch(undefinedFor('ENOENT'))
      return stats?.mtimeMs
    },

    async head(key, length) {
      try {
        const { file, stats } = await openFile(await pathOf(key))
        try {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(length, stats.size)))
          return { bytes: buffer.subarray(0, bytesRead), ...factsOf(stats) }
        } finally {
          await file.close()
        }
      } catch (error) {
        return undefinedFor(...noFile)(error)
      }
    },

    async sweep(folder) {
      const { path, list } = await entries(folder)
      let now: number | undefined
      for (const entry of list) {
        if (entry.isDirectory() && !entry.name.startsWith('.')) await this.sweep(`${folder}/${entry.name}`)
        if (!entry.isFile() || !temporaryName.test(entry.name)) continue
        now ??= await timeOfFiles(join(path, `.clock.${randomUUID()}${temporaryEnding}`))
        const stats = await lstat(join(path, entry.name)).catch(undefinedFor('ENOENT'))
        if (stats && stats.mtimeMs < now - abandonedAfter) await rm(join(path, entry.name), { force: true })
      }
    },
  }
}
