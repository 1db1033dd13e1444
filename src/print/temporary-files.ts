// The temporary files of print files in one folder: downloads, and complete files until they are stored. Names that are made from a key
// let another process continue with a complete file; a sweep removes what killed processes left.
import { createHash, randomUUID } from 'node:crypto'
import { open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { sync, timeOfFiles } from '../storage/local-files.ts'

/** A file on this machine's disk. */
export interface LocalFile {
  path: string
}

/** Prefix of all names, so that the sweep finds the files. */
const prefix = 'svc-print-'
/**
 * The sweep removes files that nobody has written for so many times the limit of a download: a file of another process is in use while
 * it is downloaded, and while it is stored afterwards.
 */
const abandonedAfter = 1.6

export const temporaryPath = (folder: string): string => join(folder, prefix + randomUUID())

/** The temporary files of one folder, as one process uses them. @param downloadSeconds limit of a download */
export function temporaryFiles(folder: string, downloadSeconds: number) {
  /** Paths of files that this process uses, which its sweep leaves. */
  const inUse = new Set<string>()

  const stagedPath = (key: string) =>
    join(folder, prefix + createHash('sha256').update(key).digest('hex').slice(0, 32))

  /** The present time by which the files of the folder are dated. */
  const now = () => timeOfFiles(temporaryPath(folder))

  return {
    /** The path of a new file, which is in use until it is discarded or released. */
    reserve(): string {
      const path = temporaryPath(folder)
      inUse.add(path)
      return path
    },

    /** Leaves a file to the sweep. */
    release: (path: string) => void inUse.delete(path),

    /** Removes a file; harmless if it was moved. */
    async discard({ path }: LocalFile): Promise<void> {
      try {
        await rm(path, { force: true })
      } finally {
        inUse.delete(path)
      }
    },

    /**
     * Renames a complete file to a name made from `key`, so that another process finds it by `staged` if this one is killed
     * before it stores the file.
     */
    async stage(file: LocalFile, key: string): Promise<LocalFile> {
      const path = stagedPath(key)
      inUse.add(path)
      if (path === file.path) return file
      // The new name means complete content, even after a power failure.
      const handle = await open(file.path, 'r+')
      await sync(handle).finally(() => handle.close())
      await rename(file.path, path)
      inUse.delete(file.path)
      return { path }
    },

    /** The file staged for a key on this machine, which is in use then; undefined if there is none. */
    async staged(key: string): Promise<LocalFile | undefined> {
      const path = stagedPath(key)
      try {
        // Keeps the sweep of another process from removing it.
        const seconds = (await now()) / 1000
        await utimes(path, seconds, seconds)
      } catch {
        return undefined
      }
      inUse.add(path)
      return { path }
    },

    /** Removes the staged file of a key, if there is one. */
    unstage: (key: string) => rm(stagedPath(key), { force: true }),

    /** Removes files left by killed processes and by abandoned downloads. */
    async sweep(): Promise<void> {
      let oldest: number | undefined
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name)
        if (!name.startsWith(prefix) || inUse.has(path)) continue
        oldest ??= (await now()) - abandonedAfter * downloadSeconds * 1000
        const stats = await stat(path).catch(() => undefined)
        if (stats && stats.mtimeMs < oldest) await rm(path, { force: true })
      }
    },
  }
}
