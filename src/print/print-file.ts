// Converts between the place of a print file in a storage, its value in the row of a job, its public URL and its path.
import { randomBytes } from 'node:crypto'
import { svcFolders } from '../files/folders.ts'
import { type FileStorage, isKey } from '../storage/storage.ts'
import {
  type FileLocation,
  isLocal,
  localLocation,
  type Storages,
  type StoredAt,
} from '../storage/storages.ts'
import type { JobFile } from './job-data.ts'

const folder = svcFolders.printFiles

/** The key of a new print file, which cannot be guessed, because its URL may be public. */
export const newPrintFileKey = (name: string) => `${folder}/${randomBytes(16).toString('hex')}/${name}`

/**
 * The value that a job's row records for its stored file. PHP reads `local_file`: a local path or, for a remote file, its
 * permanent URL if there is one, else its key.
 * @param localPath path of a key on this machine
 */
export async function jobFileOf(
  stored: FileLocation & { key: string },
  files: FileStorage,
  localPath: (key: string) => string,
): Promise<JobFile> {
  const { key, storage, location } = stored
  if (isLocal(stored)) return { local_file: localPath(key) }
  return { local_file: files.lastingUrls ? await files.url(key) : key, storage, location, key }
}

const isUrl = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text)

/**
 * The place of the file that a row names by a path on any machine, or by a key; undefined without a file, or if it is not in the
 * folder of print files.
 */
export function storedFile(file: JobFile | undefined): StoredAt | undefined {
  if (!file) return undefined
  const { local_file, storage, location = null, key } = file
  if (storage !== undefined && key !== undefined) {
    return isKey(key) ? { key, storage, location, url: isUrl(local_file) ? local_file : null } : undefined
  }
  const path = local_file.replaceAll('\\', '/')
  const index = path.lastIndexOf(`${folder}/`)
  const pathKey = index < 0 || /^https?:/i.test(path) ? undefined : path.slice(index)
  return pathKey !== undefined && isKey(pathKey) ? { key: pathKey, ...localLocation } : undefined
}

/** The public URLs of these files, in the same order; null for no file, a path outside our folders, or a local file without local storage. */
export async function printFileUrls(
  files: readonly (JobFile | undefined)[],
  storages: Storages,
): Promise<(string | null)[]> {
  const locations = files.map((file) => {
    const stored = storedFile(file)
    return stored && isLocal(stored) && !storages.local ? undefined : stored
  })
  const urls = await storages.urls(locations)
  return files.map((file, i) => urls[i] ?? (file && isUrl(file.local_file) ? file.local_file : null))
}

export async function printFileUrl(file: JobFile | undefined, storages: Storages): Promise<string | null> {
  const [url = null] = await printFileUrls([file], storages)
  return url
}

/** The path of a job's file below the folder of print files, such as `1784…/37.pdf`, or else its name; null if there is no file. */
export function printFilePath(file: JobFile | undefined): string | null {
  const text = file?.key ?? file?.local_file
  if (!text) return null
  const path = isUrl(text) ? new URL(text).pathname : text.replaceAll('\\', '/')
  const index = path.lastIndexOf(`${folder}/`)
  return (index < 0 ? path.split('/').at(-1) : path.slice(index + folder.length + 1)) || null
}
