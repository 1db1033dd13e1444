// Where print files are stored, and what a job's row says about it.
import { randomBytes } from 'node:crypto'
import { svcFolders } from '../files/folders.ts'
import { type FileStorage, isKey } from '../storage/storage.ts'

const folder = svcFolders.printFiles

/** A key that nobody can guess. */
export const newPrintFileKey = (name: string) => `${folder}/${randomBytes(16).toString('hex')}/${name}`

/** The key inside what a row names as its file: a path of any machine, or a key; undefined when it names none of ours. */
export function printFileKey(file: string): string | undefined {
  const at = file.replaceAll('\\', '/').lastIndexOf(`${folder}/`)
  const key = at < 0 || /^https?:/i.test(file) ? undefined : file.replaceAll('\\', '/').slice(at)
  return key !== undefined && isKey(key) ? key : undefined
}

/** The public address of a job's file; null while there is none, or where only a path of another place is known. */
export function printFileUrl(file: string | undefined, storage: FileStorage | undefined): string | null {
  if (file === undefined) return null
  if (/^https?:\/\//i.test(file) && URL.canParse(file)) return file
  const key = printFileKey(file)
  return key === undefined || !storage ? null : storage.url(key)
}

/** The name of the file that a row names; null when it names none. */
export function printFileName(file: string | undefined): string | null {
  const path = file !== undefined && URL.canParse(file) ? new URL(file).pathname : file
  return path?.split(/[/\\]/).at(-1) || null
}
