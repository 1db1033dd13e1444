// Files under the CMS's uploads folder on this machine's disk.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, open, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { assertKey, type FileStorage } from './storage.ts'

export interface LocalStorage extends FileStorage {
  /** Names of the regular files directly inside a folder, without links; none when the folder does not exist. */
  names(folder: string): Promise<string[]>
}

/** Ending of files that are not whole yet; names of keys cannot begin with a dot. */
const unfinished = '.part'

/**
 * @param dir the uploads folder; links below it are never followed
 * @param url its public address
 */
export function localStorage(dir: string, url = ''): LocalStorage {
  /** The path of a key, after making sure that every folder on the way is one. */
  async function pathOf(key: string, create = false): Promise<string> {
    assertKey(key)
    if (create) await mkdir(dir, { recursive: true })
    let path = dir
    for (const name of key.split('/').slice(0, -1)) {
      path = join(path, name)
      if (create) await mkdir(path).catch(unless('EEXIST'))
      if (!(await lstat(path)).isDirectory()) throw new Error('A link stands in the way to a stored file.')
    }
    return join(dir, key)
  }

  async function write(key: string, source: { path: string } | Uint8Array): Promise<void> {
    const path = await pathOf(key, true)
    const temp = join(dirname(path), `.${basename(path)}.${randomUUID()}${unfinished}`)
    try {
      if ('path' in source) await moveTo(source.path, temp)
      else await writeFile(temp, source, { flag: 'wx' })
      await flush(temp)
      await rename(temp, path)
    } catch (error) {
      await rm(temp, { force: true })
      throw error
    }
    await flushFolder(dirname(path))
  }

  return {
    async put(key, source) {
      // Removing the last file of a folder may take the folder away at this very moment.
      await write(key, source).catch(async (error) => {
        if (codeOf(error) !== 'ENOENT') throw error
        await write(key, source)
      })
    },

    async open(key) {
      const file = await open(await pathOf(key), constants.O_RDONLY | constants.O_NOFOLLOW)
      return file.createReadStream()
    },

    async stat(key) {
      try {
        const found = await lstat(await pathOf(key))
        return found.isFile() ? { size: found.size } : undefined
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined
        throw error
      }
    },

    async remove(key) {
      try {
        const path = await pathOf(key)
        await rm(path, { force: true })
        // A process that was killed may have left parts of this file.
        for (const name of await readdir(dirname(path))) {
          const isPart = name.startsWith(`.${basename(path)}.`) && name.endsWith(unfinished)
          if (isPart) await rm(join(dirname(path), name), { force: true })
        }
        await rmdir(dirname(path)).catch(unless('ENOTEMPTY', 'EEXIST', 'ENOENT'))
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error
      }
    },

    url: (key) => `${url}/${key.split('/').map(encodeURIComponent).join('/')}`,

    async names(folder) {
      try {
        const entries = await readdir(join(dir, folder), { withFileTypes: true })
        return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return []
        throw error
      }
    },
  }
}

const codeOf = (error: unknown) => Reflect.get(Object(error), 'code')

function unless(...codes: string[]): (error: unknown) => void {
  return (error) => {
    if (!codes.includes(codeOf(error))) throw error
  }
}

async function moveTo(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    // The source lies on another file system.
    if (codeOf(error) !== 'EXDEV') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
    await rm(from)
  }
}

/** On the disk before it gets its name; readable for the web server and never a program, whatever the umask. */
async function flush(path: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    await file.chmod(0o644)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
