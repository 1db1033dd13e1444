// Files that an agent may upload: below one folder, and of the types that an API takes. All else is refused before it is read.
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path'
import { assertContentMatches, assertFontName, assetTypeByName, sniffLength } from '../files/sniff.ts'
import { UsageError } from './command.ts'

/** The largest upload limit that an API can have. */
const maxBytes = 256 * 1024 * 1024

/** The kinds of uploads. */
export type Use = 'asset' | 'font'

export interface UploadFile {
  file: Uint8Array<ArrayBuffer>
  filename: string
}

/**
 * Reads the files below a folder, which links in it cannot leave.
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
    const claimed = use === 'font' ? fontTypeByName(path) : assetTypeByName(path)
    const wanted = resolve(uploadsDir, path)
    const outside = new Error(`${path} is outside of the folder for uploads, ${uploadsDir} (--files).`)
    // Before anything is looked at: an agent need not learn what exists elsewhere.
    if (!isBelow(uploadsDir, wanted) && !isBelow(root, wanted)) throw outside
    const real = await realpath(wanted).catch((error) => refuse(path, error))
    if (!isBelow(root, real)) throw outside
    const { handle, size } = await opened(real, path)
    try {
      // Another process may have replaced a folder of the path by a link meanwhile.
      const resolved = await resolvedPath(handle, wanted)
      if (resolved === undefined || !isBelow(root, resolved)) throw outside
      const start = await firstBytes(handle, Math.min(size, sniffLength))
      assertContentMatches(start, claimed)
      const file = size === start.length ? start : await firstBytes(handle, size)
      return { file, filename: basename(path) }
    } finally {
      await handle.close()
    }
  }
}

/** The path of an open file, even if its name leads to another file by now. Linux only; elsewhere the path is resolved again. */
async function resolvedPath(handle: FileHandle, wanted: string): Promise<string | undefined> {
  const resolved = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined)
  if (resolved !== undefined) return resolved
  const real = await realpath(wanted)
  const [found, open] = await Promise.all([lstat(real), handle.stat()])
  return found.ino === open.ino && found.dev === open.dev ? real : undefined
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

/** Opens a regular file only: opening alone can act on a device, and a pipe would keep us waiting. */
async function opened(real: string, path: string): Promise<{ handle: FileHandle; size: number }> {
  const before = await lstat(real).catch((error) => refuse(path, error))
  if (!before.isFile()) throw new Error(`${path} is not a file.`)
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(real, flags).catch((error) => refuse(path, error))
  const found = await handle.stat()
  const isSame = found.ino === before.ino && found.dev === before.dev
  if (isSame && found.isFile() && found.size <= maxBytes) return { handle, size: found.size }
  await handle.close()
  throw new Error(
    found.size > maxBytes ? `${path} is larger than any upload limit.` : `${path} is not a file.`,
  )
}

function refuse(path: string, error: unknown): never {
  throw new Error(`${path} cannot be read (${Reflect.get(Object(error), 'code')}).`)
}

function fontTypeByName(name: string): 'ttf' {
  assertFontName(name)
  return 'ttf'
}
