// Refuses a second host on one SQLite file: each keeps in its memory what only it may change.
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Referenced until the process ends, and the locks with it, even if it is killed. */
const locks: DatabaseSync[] = []

/**
 * Locks a file beside the database.
 * @throws Error with a sentence if another host has the lock
 */
export function lockDatabase(file: string): void {
  const real = existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file))
  const lock = new DatabaseSync(`${real}-host`, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    locks.push(lock)
  } catch (error) {
    lock.close()
    const busy = 5
    if (Reflect.get(Object(error), 'errcode') !== busy) throw error
    throw new Error(
      `DATABASE_URL: another host is running on ${file}. Use that one, stop it, or name another file.`,
    )
  }
}
