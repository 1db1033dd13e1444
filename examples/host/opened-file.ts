// A regular file below a folder, opened once: size, ETag and bytes all come from the same descriptor.
import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

export interface OpenedFile {
  handle: FileHandle
  size: number
  modified: Date
  /** A strong validator: a replaced file has another inode. */
  etag: string
}

/** Not hidden, and without path separators and control characters. */
const plainName = /^[^\p{Cc}/\\.][^\p{Cc}/\\]*$/u

/**
 * Opens a file by its path below `dir`. It follows no links and opens only regular files: a pipe would block, and a device
 * could have side effects.
 * @returns undefined if there is no such file
 */
export async function openBelow(dir: string, path: string): Promise<OpenedFile | undefined> {
  const names = path.split('/')
  if (!names.every((name) => plainName.test(name))) return undefined
  try {
    let at = dir
    for (const name of names.slice(0, -1)) {
      at = join(at, name)
      if (!(await lstat(at)).isDirectory()) return undefined
    }
    const file = join(dir, path)
    if (!(await lstat(file)).isFile()) return undefined
    return await described(await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK))
  } catch (error) {
    if (absent.has(Reflect.get(Object(error), 'code'))) return undefined
    throw error
  }
}

const absent = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EACCES', 'ENXIO'])

async function described(handle: FileHandle): Promise<OpenedFile | undefined> {
  const found = await handle.stat({ bigint: true })
  if (found.isFile()) {
    const etag = `"${found.ino.toString(36)}-${found.size.toString(36)}-${found.mtimeNs.toString(36)}"`
    return { handle, size: Number(found.size), modified: found.mtime, etag }
  }
  await handle.close()
  return undefined
}

/** Bytes from `start` to `end` (exclusive). The stream closes the file, and fails if the file was truncated meanwhile. */
export function bytesOf({ handle }: OpenedFile, start: number, end: number): Readable {
  let at = start
  return new Readable({
    highWaterMark: 256 * 1024,
    read(wanted) {
      if (at === end) return void this.push(null)
      handle.read(Buffer.allocUnsafe(Math.min(wanted, end - at)), { position: at }).then(
        ({ bytesRead, buffer }) => {
          at += bytesRead
          if (bytesRead > 0) this.push(buffer.subarray(0, bytesRead))
          else this.destroy(new Error('A file was truncated while it was being sent.'))
        },
        (error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      handle.close().then(() => done(error), done)
    },
  })
}

/** Whether the client already has the current version. */
export function isUnchanged({ etag, modified }: OpenedFile, headers: Record<string, unknown>): boolean {
  const known = headers['if-none-match']
  if (typeof known === 'string') {
    return known.trim() === '*' || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  }
  const since = Date.parse(String(headers['if-modified-since']))
  return seconds(modified) <= seconds(new Date(since))
}

const seconds = (time: Date) => Math.floor(time.getTime() / 1000)

/**
 * The requested range. A header that is invalid, lists several ranges, or applies to another version counts as absent.
 * @returns undefined for the whole file, 'none' if the range is not satisfiable
 */
export function rangeOf(
  { size, etag, modified }: OpenedFile,
  headers: Record<string, unknown>,
): { start: number; end: number } | 'none' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(String(headers.range)) ?? []
  if (from === '' && to === '') return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const meant = headers['if-range'] ?? etag
  if (meant !== etag && meant !== modified.toUTCString()) return undefined
  const start = from === '' ? Math.max(size - Number(to), 0) : Number(from)
  const end = from === '' || to === '' ? size : Math.min(Number(to) + 1, size)
  return start < end ? { start, end } : 'none'
}
