// File operations for the storages: those of the local one open regular files only, follow no links and flush to the disk; `sizeOf`,
// `readPart` and `readStream` read the local files that remote ones upload.
import { constants, createReadStream, fsync } from 'node:fs'
import { chmod, copyFile, type FileHandle, lstat, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { errorCode } from '../core/foreign.ts'
import type { StoredFile } from './storage.ts'

export const readStream = (path: string): Readable => createReadStream(path)

export const sizeOf = async (path: string): Promise<number> => (await stat(path)).size

/** Opens a file or a folder, runs `work` with it, and closes it. */
async function withOpen<T>(path: string, flags: number, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

/** Reads exactly these bytes of a file. @throws Error if the file is shorter */
export const readPart = (path: string, start: number, length: number): Promise<Uint8Array<ArrayBuffer>> =>
  withOpen(path, constants.O_RDONLY, async (file) => {
    const bytes = Buffer.alloc(length)
    for (let offset = 0; offset < length; ) {
      const { bytesRead } = await file.read(bytes, offset, length - offset, start + offset)
      if (bytesRead === 0) throw new Error('The file is shorter than it was.')
      offset += bytesRead
    }
    return bytes
  })

/**
 * The present time by which the file system dates its files, in Unix milliseconds: a file server has a clock of its own. If the file
 * cannot be made, as on a full disk, which needs the sweep most, the time of this machine.
 * @param path of a file that does not exist, which is made and removed
 */
export async function timeOfFiles(path: string): Promise<number> {
  try {
    return await withOpen(
      path,
      constants.O_CREAT | constants.O_EXCL,
      async (file) => (await file.stat()).mtimeMs,
    )
  } catch {
    return Date.now()
  } finally {
    await rm(path, { force: true })
  }
}

/** Facts about a file, from those of the file system. */
export const factsOf = ({ size, mtimeMs }: { size: number; mtimeMs: number }): StoredFile => ({
  size,
  modified: Math.floor(mtimeMs / 1000),
})

/** Error codes of `openFile` for a path that is no regular file, or a link. */
export const noFile = ['ENOENT', 'ENOTDIR', 'ELOOP']

/** The error for a path with a link or a file in the place of a folder. */
export const linkInTheWay = () =>
  Object.assign(new Error('A folder on the path is a link or a file.'), { code: 'ENOTDIR' })

/**
 * Opens a regular file without following a link. `stats` are those of the opened file, even if its name is that of another one by then.
 * @throws Error with one of the codes in `noFile` if there is no such file
 */
export async function openFile(path: string) {
  // Checked before, because opening a device can have effects. Without O_NONBLOCK, opening a pipe would wait for its writer.
  if (!(await lstat(path)).isFile()) throw notRegular()
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw notRegular()
    return { file, stats }
  } catch (error) {
    await file.close()
    throw error
  }
}

const notRegular = () => Object.assign(new Error('Not a regular file.'), { code: 'ENOENT' })

/** For catch(): returns undefined for errors with these codes, and throws others. */
export function undefinedFor(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(errorCode(error) ?? '')) throw error
    return undefined
  }
}

/** Runs `work` up to five times while its folder disappears: removing the last file of a folder removes the folder, too. */
export async function inFolder<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || tries === 5) throw error
    }
  }
}

/** Creates a folder unless it exists, with the permissions of its parent, whatever the umask, as the CMS does. */
export async function makeFolder(path: string, parent: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    return undefinedFor('EEXIST')(error)
  }
  await chmod(path, (await stat(parent)).mode & 0o7777)
}

/** Moves a file, also between file systems. */
export async function moveTo(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    // The file is on another file system.
    if (errorCode(error) !== 'EXDEV') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
    await rm(from)
  }
}

/** Waits until written data is on the disk. Not by `FileHandle.sync`, which Yarn Plug'n'Play replaces by one that throws. */
export const sync = ({ fd }: FileHandle): Promise<void> => promisify(fsync)(fd)

/** Flushes a file before it gets its name, and makes it readable for the web server but not executable, whatever the umask. */
export const flush = (path: string): Promise<void> =>
  withOpen(path, constants.O_RDWR | constants.O_NOFOLLOW, async (file) => {
    await file.chmod(0o644)
    await sync(file)
  })

/** Flushes the names in a folder. */
export const flushFolder = (path: string): Promise<void> => withOpen(path, constants.O_RDONLY, sync)
