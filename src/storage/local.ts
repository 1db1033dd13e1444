// Files under the CMS's uploads folder on this machine's disk.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface LocalStorage {
  /** Names of the regular files directly inside a folder, without links; none when the folder does not exist. */
  names(folder: string): Promise<string[]>
}

export function localStorage(dir: string): LocalStorage {
  return {
    async names(folder) {
      try {
        const entries = await readdir(join(dir, folder), { withFileTypes: true })
        return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
      } catch (error) {
        if (Reflect.get(Object(error), 'code') === 'ENOENT') return []
        throw error
      }
    },
  }
}
