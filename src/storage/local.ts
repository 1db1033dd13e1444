// Files under the CMS's uploads folder on this machine's disk.
import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  codeOf,
  flush,
  flushFolder,
  inFolder,
  linkInTheWay,
  makeFolder,
  moveTo,
  noFile,
  openFile,
  storedFile,
  unless,
} from './local-files.ts'
import { assertKey, type FileSource, type FileStorage, isKey, type StoredFile, urlPath } from './storage.ts'

/** A file under a temporary name in the folder where it may be stored later. */
export interface Incoming {
  write(chunk: Uint8Array): Promise<void>
  /** The whole file so far. */
  read(): Promise<Uint8Array>
  /** Removes it; harmless when that was done before. */
  discard(): Promise<void>
}

export interface LocalStorage extends FileStorage {
  url(key: string): string
  /** Names of the files directly inside a folder. */
  list(folder: string): Promise<string[]>
  receive(folder: string): Promise<Incoming>
  /** Names of what is directly inside a folder, without links, hidden files and what cannot be a key. */
  inside(folder: string): Promise<{ files: string[]; folders: string[] }>
  /** When something was last added to a folder or taken out, in milliseconds; undefined when there is none. */
  changed(folder: string): Promise<number | undefined>
  /** A file with its first bytes, without following a link; undefined when there is no such file. */
  head(key: string, length: number): Promise<(StoredFile & { bytes: Uint8Array }) | undefined>
  /** Removes what uploads and writes of dead processes left in a folder and below it. */
  sweep(folder: string): Promise<void>
}

/**
 * A folder that does not exist is created with the first file.
 * @throws Error with a sentence that begins with `option`, when the path is something else than a folder
 */
export async function assertFolder(option: string, path: string): Promise<void> {
  const code = await stat(path).then(
    (found) => (found.isDirectory() ? undefined : 'ENOTDIR'),
    (error) => codeOf(error),
  )
  if (code === undefined || code === 'ENOENT') return
  throw new Error(`${option}: must be a folder that this process can read, and "${path}" is none (${code}).`)
}

/** Files that are not whole yet; names of keys cannot begin with a dot. */
const unfinished = '.part'
const temporaryName = /^\..+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/
/** Milliseconds without a change after which no living process can be at work on such a file. */
const abandoned = 5 * 60_000

/**
 * @param dir the uploads folder; links below it are never followed
 * @param url its public URL
 */
export function localStorage(dir: string, url = ''): LocalStorage {
  /** The path of a key, after making sure that every folder on the way is one. */
  async function pathOf(key: string, create = false): Promise<string> {
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

  const tempPath = (folder: string, name: string) => join(folder, `.${name}.${randomUUID()}${unfinished}`)

  /** What is inside a folder; nothing when it does not exist. */
  async function entries(folder: string) {
    try {
      const path = dirname(await pathOf(`${folder}/x`))
      return { path, list: await readdir(path, { withFileTypes: true }) }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return { path: dir, list: [] }
      throw error
    }
  }

  async function inside(folder: string): Promise<{ files: string[]; folders: string[] }> {
    const list = (await entries(folder)).list.filter((entry) => isKey(entry.name))
    const names = (some: typeof list) => some.map((entry) => entry.name)
    return {
      files: names(list.filter((entry) => entry.isFile())),
      folders: names(list.filter((entry) => entry.isDirectory())),
    }
  }

  async function write(key: string, source: FileSource): Promise<void> {
    const path = await pathOf(key, true)
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
      const found = await pathOf(key)
        .then((path) => lstat(path))
        .catch(unless(...noFile))
      return found?.isFile() ? storedFile(found) : undefined
    },

    async remove(key) {
      try {
        const path = await pathOf(key)
        await rm(path, { force: true })
        // A removed file must not reappear after a power failure.
        await flushFolder(dirname(path))
        // A process that was killed may have left parts of this file.
        for (const name of await readdir(dirname(path))) {
          const isPart = name.startsWith(`.${basename(path)}.`) && name.endsWith(unfinished)
          if (isPart) await rm(join(dirname(path), name), { force: true })
        }
        await rmdir(dirname(path)).catch(unless('ENOTEMPTY', 'EEXIST', 'ENOENT'))
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error
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
        const path = tempPath(dirname(await pathOf(`${folder}/x`, true)), 'upload')
        return { path, file: await open(path, 'wx', 0o600) }
      })
      let closed: Promise<void> | undefined
      return {
        async write(chunk) {
          for (let at = 0; at < chunk.length; )
            at += (await file.write(chunk, at, chunk.length - at)).bytesWritten
        },
        read: () => readFile(path),
        async discard() {
          // What could not be written any more is of no use anyway.
          closed ??= file.close().catch(() => {})
          await closed
          await rm(path, { force: true })
        },
      }
    },

    async changed(folder) {
      const found = await pathOf(`${folder}/x`)
        .then((path) => lstat(dirname(path)))
        .catch(unless('ENOENT'))
      return found?.mtimeMs
    },

    async head(key, length) {
      try {
        const { file, found } = await openFile(await pathOf(key))
        try {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(length, found.size)))
          return { bytes: buffer.subarray(0, bytesRead), ...storedFile(found) }
        } finally {
          await file.close()
        }
      } catch (error) {
        return unless(...noFile)(error)
      }
    },

    async sweep(folder) {
      const { path, list } = await entries(folder)
      for (const entry of list) {
        if (entry.isDirectory() && !entry.name.startsWith('.')) await this.sweep(`${folder}/${entry.name}`)
        if (!entry.isFile() || !temporaryName.test(entry.name)) continue
        const found = await lstat(join(path, entry.name)).catch(unless('ENOENT'))
        if (found && found.mtimeMs < Date.now() - abandoned) await rm(join(path, entry.name), { force: true })
      }
    },
  }
}
