// Files that an agent may upload: below one folder, and of the types that an API takes. All else is refused before it is read.
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path'
import { typeByExtension } from '../files/file-types.ts'
import { FileRejected } from '../files/rejected.ts'
import { assertContentMatches, assetTypeByName, extensionOf } from '../files/sniff.ts'
import { UsageError } from './command.ts'

/** The largest upload limit that an API can have. */
const maxBytes = 256 * 1024 * 1024

/** What a file is uploaded as. */
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
  const given = resolve(folder ?? '.')
  const root = await realpath(given).catch(() => undefined)
  if (root === undefined || !(await lstat(root)).isDirectory())
    throw new UsageError(`--files: there is no folder ${given}.`)
  const isUnnamedRoot = folder === undefined && dirname(root) === root

  /** @throws Error with a sentence for the agent */
  return async function read(path: string, use: Use): Promise<UploadFile> {
    if (isUnnamedRoot) throw new Error('No folder for uploads was named: start svc-api mcp with --files DIR.')
    const claimed = use === 'font' ? fontTypeByName(path) : assetTypeByName(path)
    const wanted = resolve(given, path)
    const outside = new Error(`${path} is outside of the folder for uploads, ${given} (--files).`)
    // Before anything is looked at: an agent need not learn what exists elsewhere.
    if (!isBelow(given, wanted) && !isBelow(root, wanted)) throw outside
    const real = await realpath(wanted).catch((error) => refuse(path, error))
    if (!isBelow(root, real)) throw outside
    const handle = await opened(real, path)
    try {
      // Somebody may have replaced a folder of the path by a link meanwhile.
      if ((await realpath(wanted)) !== real) throw outside
      const file = new Uint8Array(await handle.readFile())
      assertContentMatches(file, claimed)
      return { file, filename: basename(path) }
    } finally {
      await handle.close()
    }
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && !/^\.\.(?:[/\\]|$)/.test(way) && !isAbsolute(way)
}

/** Opens a regular file only: opening alone can act on a device, and a pipe would keep us waiting. */
async function opened(real: string, path: string): Promise<FileHandle> {
  const before = await lstat(real).catch((error) => refuse(path, error))
  if (!before.isFile()) throw new Error(`${path} is not a file.`)
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(real, flags).catch((error) => refuse(path, error))
  const found = await handle.stat()
  const isSame = found.ino === before.ino && found.dev === before.dev
  if (isSame && found.isFile() && found.size <= maxBytes) return handle
  await handle.close()
  throw new Error(
    found.size > maxBytes ? `${path} is larger than any upload limit.` : `${path} is not a file.`,
  )
}

function refuse(path: string, error: unknown): never {
  throw new Error(`${path} cannot be read (${Reflect.get(Object(error), 'code')}).`)
}

function fontTypeByName(name: string): 'ttf' {
  const type = typeByExtension(extensionOf(name), 'font')
  if (!type)
    throw new FileRejected('Only TrueType fonts (.ttf) can be uploaded.', 'svc_upload_type_not_allowed')
  return type
}
