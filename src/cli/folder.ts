// Creates the folder of an SQLite file, and finds out whether files can be stored in the uploads folder.
import { constants } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../core/foreign.ts'

/**
 * Creates a folder and its parents. Node's own recursive `mkdir` loops forever below /proc.
 * @throws Error with a sentence that begins with the variable
 */
export async function createFolder(path: string, variable: string): Promise<void> {
  if ((await folderState(path)) === 'folder') return
  if (dirname(path) !== path) await createFolder(dirname(path), variable)
  await mkdir(path).catch(async (error) => {
    if ((await folderState(path)) !== 'folder')
      throw new Error(`${variable}: ${path} cannot be created (${errorCode(error)}).`)
  })
}

/** Why files cannot be stored in a folder; undefined if they can. A folder that can be created counts as one. */
export async function folderProblem(path: string): Promise<string | undefined> {
  const state = await folderState(path)
  if (state === 'absent') {
    const parent = dirname(path)
    return parent === path ? 'does not exist' : folderProblem(parent)
  }
  if (state !== 'folder') return `${path} ${state}`
  const code = await access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(() => '', errorCode)
  return code === '' ? undefined : `${path} cannot be written (${code})`
}

/** `folder`, `absent`, or what is wrong, to follow the path in a sentence. */
export async function folderState(path: string): Promise<string> {
  return stat(path).then(
    (stats) => (stats.isDirectory() ? 'folder' : 'is not a folder'),
    (error) => (errorCode(error) === 'ENOENT' ? 'absent' : `cannot be read (${errorCode(error)})`),
  )
}
