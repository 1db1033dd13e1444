// File operations under the storage on this machine's disk: regular files only, never through a link, flushed to the disk.
import { constants, createReadStream, fsync } from 'node:fs'
import { chmod, copyFile, type FileHandle, lstat, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { StoredFile } from './storage.ts'

/** The bytes of a file on this machine. */
export const readStream = (path: string): Readable => createReadStream(path)

/** Bytes of a file on this machine. */
export const sizeOf = async (path: string): Promise<number> => (await stat(path)).size

/** Opens a file or a folder for `work` alone. */
async function opened<T>(path: string, flags: number, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

/** Reads exactly these bytes of a file on this machine. */
export const readPart = (path: string, start: number, length: number): Promise<Uint8Array<ArrayBuffer>> =>
  opened(path, constants.O_RDONLY, async (file) => {
    const bytes = Buffer.alloc(length)
    for (let at = 0; at < length; ) {
      const { bytesRead } = await file.read(bytes, at, length - at, start + at)
      if (bytesRead === 0) throw new Error('The file is shorter than it was.')
      at += bytesRead
    }
    return bytes
  })

export const storedFile = ({ size, mtimeMs }: { size: number; mtimeMs: number }): StoredFile => ({
  size,
  modified: Math.floor(mtimeMs / 1000),
})

/** Error codes of opening if there is no regular file, or a link. */
export const noFile = ['ENOENT', 'ENOTDIR', 'ELOOP']

export const linkInTheWay = () =>
  Object.assign(new Error('A folder on the path is a link or a file.'), { code: 'ENOTDIR' })

/**
 * Opens a regular file without following a link; `found` describes what was opened, whatever has its name by then.
 * @throws Error with one of the codes in `noFile` when there is no such file
 */
export async function openFile(path: string) {
  // Opening alone can act on a device, so its kind is asked before; without O_NONBLOCK a pipe would keep us waiting.
  if (!(await lstat(path)).isFile()) throw notRegular()
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const found = await file.stat()
    if (!found.isFile()) throw notRegular()
    return { file, found }
  } catch (error) {
    await file.close()
    throw error
  }
}

const notRegular = () => Object.assign(new Error('Not a regular file.'), { code: 'ENOENT' })

export const codeOf = (error: unknown) => Reflect.get(Object(error), 'code')

export function unless(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(codeOf(error))) throw error
    return undefined
  }
}

/** Retries: removing the last file of a folder may remove the folder while another file is being added. */
export async function inFolder<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || tries === 5) throw error
    }
  }
}

/** A new folder gets the permissions of its parent, whatever the umask, as folders of the CMS do. */
export async function makeFolder(path: string, parent: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    return unless('EEXIST')(error)
  }
  await chmod(path, (await stat(parent)).mode & 0o7777)
}

export async function moveTo(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    // The source lies on another file system.
    if (codeOf(error) !== 'EXDEV') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
    await rm(from)
  }
}

/** Waits until what was written is on the disk. Not the method of the handle, which Yarn replaces by one that throws. */
export const sync = ({ fd }: FileHandle): Promise<void> => promisify(fsync)(fd)

/** On the disk before it gets its name; readable for the web server and never a program, whatever the umask. */
export const flush = (path: string): Promise<void> =>
  opened(path, constants.O_RDWR | constants.O_NOFOLLOW, async (file) => {
    await file.chmod(0o644)
    await sync(file)
  })

export const flushFolder = (path: string): Promise<void> => opened(path, constants.O_RDONLY, sync)
