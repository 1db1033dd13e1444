// Reads the files that an agent may upload: below one folder, and of the types that an API accepts. Other files are refused before
// they are read.
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path'
import { errorCode } from '../core/foreign.ts'
import { assertContentMatches, assertFontName, assetTypeByName, sniffLength } from '../files/sniff.ts'
import { UsageError } from './command.ts'

/** The largest upload limit that an API can have. */
const maxBytes = 256 * 1024 * 1024

type Use = 'asset' | 'font'

/** The fields of an upload form. */
interface UploadFile {
  file: Uint8Array<ArrayBuffer>
  filename: string
}

/**
 * Returns a function that reads a file below a folder, which links in it cannot leave.
 * @param folder undefined for the working directory, unless that is the root of the file system, below which is everything
 * @throws UsageError if there is no such folder
 */
export async function uploadFolder(folder: string | undefined) {
  const uploadsDir = resolve(folder ?? '.')
  const root = await realpath(uploadsDir).catch(() => undefined)
  if (root === undefined || !(await lstat(root)).isDirectory())
    throw new UsageError(`--files: there is no folder ${uploadsDir}.`)
  const isUnnamedRoot = folder === undefined && dirname(root) === root

  /** @throws Error with a sentence for the agent */
  return async function read(path: string, use: Use): Promise<UploadFile> {
    if (isUnnamedRoot) throw new Error('No folder for uploads was named: start svc-api mcp with --files DIR.')
    if (use === 'font') assertFontName(path)
    const expectedType = use === 'font' ? 'ttf' : assetTypeByName(path)
    const requestedPath = resolve(uploadsDir, path)
    const outside = new Error(`${path} is outside of the folder for uploads, ${uploadsDir} (--files).`)
    // Checked before the file system is read, because an agent must not learn what exists elsewhere.
    if (!isBelow(uploadsDir, requestedPath) && !isBelow(root, requestedPath)) throw outside
    const real = await realpath(requestedPath).catch((error) => refuse(path, error))
    if (!isBelow(root, real)) throw outside
    const { handle, size } = await openFile(real, path)
    try {
      // Another process may have replaced a folder of the path by a link meanwhile.
      const resolved = await resolvedPath(handle, requestedPath)
      if (resolved === undefined || !isBelow(root, resolved)) throw outside
      const start = await firstBytes(handle, Math.min(size, sniffLength))
      assertContentMatches(start, expectedType)
      const file = size === start.length ? start : await firstBytes(handle, size)
      return { file, filename: basename(path) }
    } finally {
      await handle.close()
    }
  }
}

/**
 * The path of an open file. Linux knows it even if the requested path leads to another file by now; elsewhere the path is
 * resolved again: undefined if it leads to another file.
 */
async function resolvedPath(handle: FileHandle, requestedPath: string): Promise<string | undefined> {
  const resolved = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined)
  if (resolved !== undefined) return resolved
  const real = await realpath(requestedPath)
  const [stats, openStats] = await Promise.all([lstat(real), handle.stat()])
  return stats.ino === openStats.ino && stats.dev === openStats.dev ? real : undefined
}

/** The first bytes of a file; fewer if it has become shorter. */
async function firstBytes(handle: FileHandle, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size)
  let length = 0
  while (length < size) {
    const { bytesRead } = await handle.read(bytes, length, size - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

function isBelow(folder: string, path: string): boolean {
  const relativePath = relative(folder, path)
  return relativePath !== '' && !/^\.\.(?:[/\\]|$)/.test(relativePath) && !isAbsolute(relativePath)
}

/** Opens a regular file only: opening alone can act on a device, and a pipe would block. @param path names it in errors */
async function openFile(real: string, path: string): Promise<{ handle: FileHandle; size: number }> {
  const before = await lstat(real).catch((error) => refuse(path, error))
  if (!before.isFile()) throw new Error(`${path} is not a file.`)
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(real, flags).catch((error) => refuse(path, error))
  const stats = await handle.stat()
  const isSame = stats.ino === before.ino && stats.dev === before.dev
  if (isSame && stats.isFile() && stats.size <= maxBytes) return { handle, size: stats.size }
  await handle.close()
  throw new Error(
    stats.size > maxBytes ? `${path} is larger than any upload limit.` : `${path} is not a file.`,
  )
}

function refuse(path: string, error: unknown): never {
  throw new Error(`${path} cannot be read (${errorCode(error)}).`)
}
