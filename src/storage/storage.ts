// The interface of file storages: a few operations, each of which leaves either the complete file or none.
import type { Readable } from 'node:stream'

/** Facts about a file in a storage. */
export interface StoredFile {
  /** Bytes. */
  size: number
  /** Unix seconds of the last change. */
  modified: number
}

/** A local file, or its bytes. */
export type FileSource = { path: string } | Uint8Array

/**
 * Files by key: a path below the uploads folder such as `svc/print_files/3f…/order-7.pdf`, whose parts do not begin with
 * a dot and contain no backslashes, colons or control characters. Other software stores files under any such name.
 *
 * Test your own with the functions of `svc-api/testing`. Errors other than `ENOENT` mean a temporary failure: callers get
 * 502, or 507 for the codes `ENOSPC`, `EDQUOT` and `EROFS`. They are logged, so they must not contain credentials.
 * CONTRIBUTING.md says how to add a storage to this package.
 */
export interface FileStorage {
  /**
   * Stores a local file (which may be moved away) or bytes. An earlier file of this key is replaced in one step; a process that
   * reads meanwhile gets the old one or the new one. When `signal` aborts, this ends soon and leaves no incomplete file.
   */
  put(key: string, source: FileSource, options?: { signal?: AbortSignal }): Promise<void>
  /** Reads a file. @throws Error with code `ENOENT` if there is no such file */
  open(key: string): Promise<Readable>
  /** Facts about a file; undefined if there is no such file. */
  stat(key: string): Promise<StoredFile | undefined>
  /** Keys of all files in a folder and below it, in no order; none if there is no such folder. */
  keys(folder: string): AsyncIterable<string>
  /** Removes a file; does nothing if there is no such file. */
  remove(key: string): Promise<void>
  /** Public URL of the file. */
  url(key: string): string | Promise<string>
  /** Whether `url` sends a request and returns a URL that stays valid: then it is requested once, and stored with the key of the file. */
  lastingUrls?: boolean
}

/** Matches a name between slashes. */
const nameInKey = /^[^\p{Cc}\p{Cs}/\\:.][^\p{Cc}\p{Cs}/\\:]*$/u

/** Whether a text is a valid key. Stored values are checked before they are used as keys. */
export const isKey = (text: string) =>
  text.length < 1000 && text.split('/').every((name) => nameInKey.test(name))

/** Code of the error of `assertKey`. */
export const keyRefused = 'ERR_STORAGE_KEY'

/** @throws Error for a text that is no valid key, so that it cannot lead out of the folder */
export function assertKey(text: string): void {
  if (isKey(text)) return
  throw Object.assign(new Error('A storage key must be a plain relative path.'), { code: keyRefused })
}

/** The key as the path of a URL. */
export const urlPath = (key: string) => key.split('/').map(encodeURIComponent).join('/')

export const noSuchFile = () => Object.assign(new Error('There is no such file.'), { code: 'ENOENT' })

/** A failure of a remote storage. Its message contains no credentials, so it may be logged. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure'
}
