// Unpacks the pictures of a stored ZIP file into separate files next to it, so that a print provider can fetch them.
import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sniffLength } from '../files/sniff.ts'
import type { FileStorage } from '../storage/storage.ts'
import { printTypeOf } from './file-type.ts'
import { ProviderRefused } from './providers/provider.ts'
import { temporaryPath } from './temporary-files.ts'
import { type ZipEntry, ZipRefused, type ZipSource, zipContent, zipEntries } from './zip.ts'

interface Services {
  storage: FileStorage
  /** Folder of temporary files. */
  tempDir: string
  /** Maximum bytes of a ZIP file, and of its content. */
  bytes: number
}

const maxEntries = 1000
const maxPictures = 50
/** Bytes of content for each compressed byte; pictures are compressed already. */
const maxRatio = 200
/** Entries that are no pictures although their names end like one: resource forks and hidden files. */
const ignored = /^__MACOSX\/|(^|\/)\.[^/]*$/
const pictureName = /\.(png|jpe?g)$/i
const archiveName = /\.(zip|jar|7z|rar|tar|gz|tgz|bz2|xz|zst)$/i

/**
 * Stores the pictures of a ZIP file, and returns their public URLs in the order of the archive. A repeat stores only those that an
 * earlier call has not stored, under the same keys.
 * @throws ProviderRefused if the archive cannot be unpacked or contains no picture; what the storage throws
 */
export async function pictureUrls(
  { storage, tempDir, bytes }: Services,
  key: string,
  signal: AbortSignal,
): Promise<string[]> {
  /** Runs `work` with a temporary file, which is removed afterwards. */
  async function withTemporary<T>(work: (path: string) => Promise<T>): Promise<T> {
    const path = temporaryPath(tempDir)
    try {
      await mkdir(tempDir, { recursive: true })
      return await work(path)
    } finally {
      await rm(path, { force: true })
    }
  }

  /** Stores the pictures; returns their keys. */
  async function unpack(file: FileHandle): Promise<string[]> {
    const source = sourceOf(file, (await file.stat()).size)
    const entries = await zipEntries(source, { entries: maxEntries, bytes, ratio: maxRatio })
    if (entries.some(({ name }) => archiveName.test(name))) {
      throw new ZipRefused('The ZIP file cannot be unpacked: it contains another archive.')
    }
    const pictures = entries.filter(({ name }) => pictureName.test(name) && !ignored.test(name))
    if (pictures.length > maxPictures) {
      throw new ZipRefused(`The ZIP file cannot be unpacked: it contains more than ${maxPictures} pictures.`)
    }
    const keys: string[] = []
    for (const [index, picture] of pictures.entries()) {
      keys.push(await withTemporary((path) => store(source, picture, index + 1, path)))
    }
    return keys
  }

  /** Stores one picture by way of a temporary file; returns its key. @param number from 1, which its key contains */
  async function store(source: ZipSource, picture: ZipEntry, number: number, path: string): Promise<string> {
    // An earlier attempt may have stored it already, and stored files are complete.
    for (const type of ['png', 'jpeg'] as const) {
      const pictureFile = pictureKey(key, number, type)
      if ((await storage.stat(pictureFile))?.size === picture.size) return pictureFile
    }
    const content = zipContent(source, picture)
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
    const type = printTypeOf(await firstBytes(path))
    if (type !== 'png' && type !== 'jpeg') {
      throw new ZipRefused(
        'The ZIP file cannot be unpacked: the content of an entry does not match its extension.',
      )
    }
    const pictureFile = pictureKey(key, number, type)
    signal.throwIfAborted()
    // An interrupted attempt may have stored a part.
    await storage.remove(pictureFile)
    await storage.put(pictureFile, { path }, { signal })
    return pictureFile
  }

  try {
    const keys = await withTemporary(async (path) => {
      // The storage may be remote, and a ZIP file is read from its end.
      const zip = await storage.open(key)
      // The write stream is created last: an error of it before the pipeline handles errors would end the process.
      await pipeline(zip, atMost(bytes), createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
      const file = await open(path)
      try {
        return await unpack(file)
      } finally {
        await file.close()
      }
    })
    if (keys.length === 0) throw new ZipRefused('The ZIP file contains no picture.')
    return await Promise.all(keys.map(async (pictureFile) => storage.url(pictureFile)))
  } catch (error) {
    throw error instanceof ZipRefused ? new ProviderRefused(error.message) : error
  }
}

const pictureKey = (key: string, number: number, type: 'png' | 'jpeg') =>
  `${key}.${number}.${type === 'png' ? 'png' : 'jpg'}`

/** The key of the ZIP file from which a picture was unpacked; for any other file, the same key. */
export const originOf = (key: string) => key.replace(/(?<=\.zip)\.\d{1,2}\.(png|jpg)$/, '')

/** Keys of the pictures that were unpacked from a print file; none for files that are no ZIP. */
export async function pictureKeys(storage: FileStorage, key: string): Promise<string[]> {
  if (!key.endsWith('.zip')) return []
  const pictures: string[] = []
  for await (const neighbor of storage.keys(dirname(key)))
    if (neighbor !== key && originOf(neighbor) === key) pictures.push(neighbor)
  return pictures
}

/** Removes a print file and the pictures that were unpacked from it. @returns the number of pictures */
export async function removeWithPictures(storage: FileStorage, key: string): Promise<number> {
  const pictures = await pictureKeys(storage, key)
  for (const picture of pictures) await storage.remove(picture)
  await storage.remove(key)
  return pictures.length
}

/** The first bytes of a temporary file, by which its type is recognized. */
async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(sniffLength), 0, sniffLength, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function sourceOf(file: FileHandle, size: number): ZipSource {
  return {
    size,
    async read(position, length) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position)
      if (bytesRead < length) throw new ZipRefused('The ZIP file cannot be unpacked: it ends too early.')
      return buffer
    },
  }
}

/** Passes a stream on. @throws ZipRefused once it is longer */
function atMost(bytes: number) {
  return async function* (source: AsyncIterable<Buffer>) {
    let size = 0
    for await (const chunk of source) {
      size += chunk.length
      if (size > bytes)
        throw new ZipRefused(`The ZIP file cannot be unpacked: it is larger than ${bytes} bytes.`)
      yield chunk
    }
  }
}
