// The contract of a storage for files: a few verbs, each of which leaves either the whole file or none.
import type { Readable } from 'node:stream'

export interface StoredFile {
  /** Bytes. */
  size: number
  /** Unix seconds of the last change. */
  modified: number
}

/**
 * Files by key: a path below the uploads folder such as `svc/print_files/3f…/order-7.pdf`, whose parts do not begin with
 * a dot and hold neither backslashes nor colons nor control characters. Others store files under any such name.
 */
export interface FileStorage {
  /**
   * Stores a local file (which is moved away where that is possible) or bytes. An earlier file of this key is replaced
   * in one step; whoever reads meanwhile gets the old one or the new one.
   */
  put(key: string, source: { path: string } | Uint8Array): Promise<void>
  /** @throws Error with code `ENOENT` when there is no such file */
  open(key: string): Promise<Readable>
  /** undefined when there is no such file. */
  stat(key: string): Promise<StoredFile | undefined>
  /** Names of the files directly inside a folder, in no order; none when there is no such folder. */
  list(folder: string): Promise<string[]>
  /** Harmless when there is no such file. */
  remove(key: string): Promise<void>
  /** Public address of the file. */
  url(key: string): string
}

const part = /^[^\p{Cc}\p{Cs}/\\:.][^\p{Cc}\p{Cs}/\\:]*$/u

/** Whether a text can be a key; what others stored is asked before it is used as one. */
export const isKey = (text: string) => text.length < 1000 && text.split('/').every((name) => part.test(name))

/** @throws Error for a text that could lead elsewhere */
export function assertKey(text: string): void {
  if (!isKey(text)) throw new Error('A storage key must be a plain relative path.')
}
