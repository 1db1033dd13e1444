// Work on the database of the environment: waits for one that is still starting, and says what takes longer than a second.
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '../db/connect.ts'
import type { Invocation, Output } from './command.ts'
import { type Environment, existingInstallation } from './environment.ts'

/** Milliseconds until the first line about work, and between the others. */
const first = 1000
const next = 5000
/** Milliseconds between two attempts to connect. */
const pause = 500

type Report = (state: string) => void

/**
 * Runs `work` as soon as the database responds, or after the time of DATABASE_WAIT.
 * @param what for example `Reading the stored values`
 * @param work may report how far it is, for example `wp_svc_views, 1200 rows`
 */
export const withDatabase = <T>(
  { say }: Output,
  environment: Environment,
  what: string,
  work: (report: Report) => Promise<T>,
): Promise<T> =>
  withProgress(say, what, async (report) => {
    await reachDatabase(environment)
    return work(report)
  })

/** The same for functions that take the installation of the environment, whose SQLite file must exist. */
export function onInstallation<T>(
  invocation: Pick<Invocation, keyof Output | 'variables'>,
  what: string,
  work: (installation: Pick<Environment, 'database' | 'tablePrefix'>, environment: Environment) => Promise<T>,
): Promise<T> {
  const environment = existingInstallation(invocation.variables)
  const { database, tablePrefix } = environment
  return withDatabase(invocation, environment, what, () => work({ database, tablePrefix }, environment))
}

/** Runs `work`. If it takes longer than a second, says what is being done, and again every five seconds. */
export async function withProgress<T>(
  say: Output['say'],
  what: string,
  work: (report: Report) => Promise<T>,
): Promise<T> {
  const begun = performance.now()
  let state = ''
  const tell = () => {
    const seconds = Math.round((performance.now() - begun) / 1000)
    say(`${what}${state && `: ${state}`} (${seconds} s)`)
    timer = setTimeout(tell, next).unref()
  }
  let timer = setTimeout(tell, first).unref()
  try {
    return await work((current) => {
      state = current
    })
  } finally {
    clearTimeout(timer)
  }
}

async function reachDatabase({ database, databaseWait, absentFile }: Environment): Promise<void> {
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
