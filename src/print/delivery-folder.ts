// Delivers into a folder of this machine or of a network drive.
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { errorCode } from '../core/foreign.ts'
import { DeliveryFailed, type DeliveryTarget, type Place } from './delivery-target.ts'

/** @param root path of a folder, which must exist */
export function folderTarget(root: string): DeliveryTarget {
  const pathOf = (place: Place) => join(root, ...place)

  return {
    async open() {
      // Never created: the folder of a network drive that is not mounted would be created on the local disk.
      const stats = await stat(root).catch(() => undefined)
      if (!stats?.isDirectory()) throw new DeliveryFailed('The folder for deliveries does not exist.')
      return {
        names: (folder) => readdir(pathOf(folder)).catch(ifMissing([])),
        sizeOf: async (file) => (await stat(pathOf(file)).catch(ifMissing(undefined)))?.size,

        async write(file, bytes, signal) {
          await mkdir(pathOf(file.slice(0, -1)), { recursive: true })
          await pipeline(bytes, createWriteStream(pathOf(file)), { signal })
          const handle = await open(pathOf(file), 'r+')
          try {
            await handle.sync()
          } finally {
            await handle.close()
          }
        },

        rename: (from, to) => rename(pathOf(from), pathOf(to)),
        close: async () => {},
      }
    },
  }
}

/** Returns a handler of errors: the value if the file does not exist, other errors are thrown. */
const ifMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (errorCode(error) !== 'ENOENT') throw error
    return value
  }
