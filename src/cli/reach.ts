// Waits for a database that is still starting, as DATABASE_WAIT says.
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '../db/connect.ts'
import type { Environment } from './environment.ts'

/** Milliseconds between two attempts. */
const pause = 500

/** Returns as soon as the database responds, whatever it responds, or after the time is up. */
export async function reachDatabase({ database, databaseWait, absentFile }: Environment): Promise<void> {
  const end = performance.now() + databaseWait * 1000
  while (absentFile === undefined && performance.now() < end) {
    const isAway = await connect({ database }).then(
      async (connection) => {
        await connection.close()
        return false
      },
      (error) => Reflect.get(Object(error), 'code') === 'svc_unavailable',
    )
    if (!isAway) return
    await delay(Math.max(0, Math.min(pause, end - performance.now())))
  }
}
